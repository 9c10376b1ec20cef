import Dispatch
import Foundation
import Synchronization

/// What Ctrl-C means while a command waits for the server: the server goes on, so the command says with what, and ends.
///
/// Unchecked, because the signal source is not used after the initializer.
final class InterruptMessage: @unchecked Sendable {
    private let message: Mutex<String>
    private let source: any DispatchSourceSignal

    /// - Parameters:
    ///   - message: What to say, until ``now(_:)`` changes it.
    ///   - cleanUp: Called before the program ends.
    init(_ message: String, cleanUp: @escaping @Sendable () -> Void = {}) {
        self.message = Mutex(message)
        // The source is notified, and the signal itself must not end the program.
        signal(SIGINT, SIG_IGN)
        self.source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        self.source.setEventHandler { [weak self] in
            guard let message = self?.message.withLock({ $0 }) else { return }
            cleanUp()
            FileHandle.standardError.writeIgnoringErrors(Data("\n".utf8))
            Terminal.printError(message)
            exit(ExitStatus.interrupted.rawValue)
        }
        self.source.resume()
    }

    /// Changes what to say.
    func now(_ message: String) { self.message.withLock { $0 = message } }

    static func uploadGoesOn(_ upload: String) -> String {
        """
        interrupted. The server continues to process the upload.
        To see its state: venue status \(upload)
        To discard it while it is queued or staged: venue discard \(upload)
        """
    }
}
