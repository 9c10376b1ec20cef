import ArgumentParser
import Foundation
import IMDF
import SyncClient
import SyncModel

/// `venue verify mall.sqlite --key ed25519:…`
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Verify a file that “venue pull --trust” wrote, without a server: the signature of its revision, and every feature."
    )

    @Argument(help: "The SQLite file.", completion: .file(extensions: ["sqlite"]))
    var file: String

    @Option(help: "A public key that you trust; repeatable.")
    var key: [PublicKey]

    @Flag(help: "Print JSON.")
    var json = false

    private struct Result: Encodable {
        let venue: VenueKey
        let revision: Int64
        let digest: Digest
        let key_id: String
        let published_at: Date
        @OrNull var as_of: Date?
        let levels: [FeatureID?]
    }

    func validate() throws {
        guard !self.key.isEmpty else { throw ValidationError("--key is missing") }
    }

    func run() async throws {
        try await self.reportingErrors {
            let store: ReplicaStore
            do {
                store = try await ReplicaStore.open(URL(fileURLWithPath: self.file))
            } catch ReplicaFileError.missing(let path) {
                throw Failure(.notFound, "there is no file “\(path)”")
            } catch let error as ReplicaFileError {
                guard case .damaged = error else { throw error }
                throw Failure(.untrusted, "\(error)")
            }
            do {
                let statement = try await store.verify(trusting: self.key)
                let levels = try await store.levels().map(\.level)
                if self.json { return try Terminal.print(json: Self.result(statement, levels)) }
                let time = (statement.validity?.asOf).map { ", the newest at \(Timestamp.text(of: $0))" } ?? ""
                let state = "revision \(statement.revision) of \(statement.venue)\(time)"
                Terminal.print("\(self.file) is \(state), signed with \(statement.keyID).")
            } catch SyncError.wrongDigest(let level) {
                throw Failure(.untrusted, "\(SyncError.wrongDigest(level: level))")
            }
        }
    }

    private static func result(_ statement: RevisionStatement, _ levels: [FeatureID?]) -> Result {
        Result(
            venue: statement.venue, revision: statement.revision, digest: statement.digest, key_id: statement.keyID,
            published_at: statement.publishedAt, as_of: statement.validity?.asOf, levels: levels)
    }
}
