import ArgumentParser
import BenchmarkSupport

/// Performs one attack. The benchmark runs itself with this command.
struct Perform: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Perform one attack.", shouldDisplay: false)

    @Argument(help: "The name of the attack.")
    var attack: String

    @Option(help: "The port of the server.")
    var port: Int

    func run() async throws {
        raiseFileLimit()
        guard let attack = Attack.all.first(where: { $0.name == self.attack }) else {
            throw ValidationError("no attack is called “\(self.attack)”")
        }
        try await attack.run(Service(port: self.port))
    }

    /// Runs the command in a process of its own, which is terminated when the task is cancelled.
    static func run(_ attack: Attack, on service: Service) async throws {
        let program = try Program("/proc/self/exe", ["perform", attack.name, "--port", "\(service.port)"])
        defer { program.stop() }
        while program.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        try program.checkStatus()
    }
}
