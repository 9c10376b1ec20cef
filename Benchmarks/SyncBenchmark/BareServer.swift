import ArgumentParser
import BenchmarkSupport
import Hummingbird
import Logging
import NIOCore

/// A minimal Hummingbird server: the control for the memory of an open connection.
struct BareServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare", abstract: "Serve a minimal application on connections that stay open.",
        shouldDisplay: false)

    @Option(help: "The port to listen on.")
    var port: Int

    func run() async throws {
        raiseFileLimit()
        let router = Router()
        // Responds at once; the connection stays open.
        router.get("idle") { _, _ in "ok" }
        // Begins a response that does not end.
        router.get("hold") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    try await Task.sleep(for: .seconds(3_600))
                    try await writer.finish(nil)
                })
        }
        // Does not respond for a long time.
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
