import ArgumentParser
import BenchmarkSupport
import Hummingbird
import Logging
import NIOCore

/// Hummingbird with next to nothing in it: what a held connection costs anybody who uses it.
struct Bare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve nothing, on connections that are held open.", shouldDisplay: false)

    @Option(help: "The port to listen on.")
    var port: Int

    func run() async throws {
        raiseFileLimit()
        let router = Router()
        // An answer at once; the connection stays.
        router.get("idle") { _, _ in "ok" }
        // An answer that begins and does not end.
        router.get("hold") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    try await Task.sleep(for: .seconds(3_600))
                    try await writer.finish(nil)
                })
        }
        // No answer for a long time.
        router.get("wait") { _, _ in
            try await Task.sleep(for: .seconds(3_600))
            return "ok"
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: self.port)),
            logger: Logger(label: "bare") { _ in SwiftLogNoOpLogHandler() }
        ).runService()
    }
}
