import Foundation
import Logging
import ServiceLifecycle
import Subprocess
import SystemPackage

/// Keeps a worker running in a process of its own, so that reading an archive never delays a response.
struct WorkerSupervisor: Service {
    let databaseURL: String
    let logLevel: Logger.Level
    let logger: Logger

    /// A worker that ends sooner than this is replaced after a pause.
    private static let minimumLifetime = Duration.seconds(5)

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let start = ContinuousClock.now
            let outcome = try? await cancelWhenGracefulShutdown { try await self.runOnce() }
            guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
            self.logger.warning(
                "Worker ended, starting another", metadata: ["status": "\(outcome, default: "unknown")"])
            // A killed worker is replaced at once, so that its upload continues. One that fails to start is not.
            guard start.duration(to: .now) < Self.minimumLifetime else { continue }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(500)) }
        }
    }

    private func runOnce() async throws -> TerminationStatus {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var options = PlatformOptions()
        // The current job may take a while to finish. If it is aborted, another worker takes it over.
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(10))]
        return try await Subprocess.run(
            .path(FilePath(program)), arguments: ["work", "--parent", "\(ProcessInfo.processInfo.processIdentifier)"],
            environment: .inherit.updating([
                "VENUE_DATABASE_URL": self.databaseURL, "VENUE_LOG_LEVEL": self.logLevel.rawValue,
            ]),
            platformOptions: options, input: .none,
            output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
        ).terminationStatus
    }
}
