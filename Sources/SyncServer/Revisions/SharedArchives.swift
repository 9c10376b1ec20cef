import IMDFArchive
import Synchronization

/// Archives that are being made or sent: clients that request the same one at the same time cause one archive and one temporary file.
final class SharedArchives: Sendable {
    typealias Archive = (file: TemporaryFile, leftOut: Int?)

    private struct Sent {
        weak var file: TemporaryFile?
        let leftOut: Int?
    }

    /// An archive may take minutes.
    private let making = SingleFlight<String, Archive>(joinTimeout: .seconds(600))
    private let sent = Mutex<[String: Sent]>([:])

    /// The archive with a tag: one that is being sent, or what `make` makes.
    func archive(_ tag: String, _ make: @escaping @Sendable () async throws -> Archive) async throws -> Archive {
        try await self.making.value(for: tag) {
            if let archive = self.sentNow(tag) { return archive }
            let archive = try await make()
            self.sent.withLock { $0[tag] = Sent(file: archive.file, leftOut: archive.leftOut) }
            return archive
        }
    }

    private func sentNow(_ tag: String) -> Archive? {
        self.sent.withLock { sent in
            sent = sent.filter { $0.value.file != nil }
            return sent[tag].flatMap { archive in archive.file.map { ($0, archive.leftOut) } }
        }
    }
}
