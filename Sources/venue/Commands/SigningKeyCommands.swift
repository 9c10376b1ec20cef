import ArgumentParser
import Foundation
import IMDF
import RevisionStore
import SyncModel

/// `venue signing-keys create|list|retire`
struct SigningKeyCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-keys",
        abstract: "Create, list and retire the keys that sign revisions, in the file of VENUE_SIGNING_KEYS.",
        discussion: "The server and the workers read the file when they start.",
        subcommands: [Create.self, List.self, Retire.self])

    struct FileOption: ParsableArguments {
        @Option(help: "The file with the keys, instead of VENUE_SIGNING_KEYS.", completion: .file())
        var file: String?

        func resolved() async throws -> SigningKeyFile {
            if let file { return SigningKeyFile(path: file) }
            guard let path = try await VenueConfiguration.load().signingKeys else {
                throw Failure(.usage, "VENUE_SIGNING_KEYS is not set. Set it, or name a file with --file")
            }
            return SigningKeyFile(path: path)
        }
    }

    /// A key without its secret.
    private struct Row: Encodable {
        let key_id: String
        let state: String
        let public_key: String
        let created_at: Date
        @OrNull var retired_at: Date?

        init(_ key: SigningKeys.Key, in keys: SigningKeys) {
            self.key_id = key.id
            self.state = key.retiredAt != nil ? "retired" : key.id == keys.signerID ? "signing" : "next"
            self.public_key = key.publicKey
            self.created_at = key.createdAt
            self.retired_at = key.retiredAt
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key and print its public key, which apps have to trust.",
            discussion: "One key signs at a time: the first one, until you retire it, then the next one.")

        @OptionGroup var options: FileOption

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await self.reportingErrors {
                let file = try await self.options.resolved()
                var keys = file.exists ? try file.load() : SigningKeys()
                let key = try keys.create(at: Date())
                try file.store(keys)
                if self.json { return try Terminal.print(json: Row(key, in: keys)) }
                Terminal.print(key.publicKey)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, without their secrets.")

        @OptionGroup var options: FileOption

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await self.reportingErrors {
                let keys = try await self.options.resolved().load()
                let rows = keys.keys.map { Row($0, in: keys) }
                if self.json { return try Terminal.print(json: ["keys": rows]) }
                Terminal.print(
                    table: rows.map { [$0.key_id, $0.state, Timestamp.text(of: $0.created_at), $0.public_key] })
            }
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Delete the secret of a key, so that the next key signs. Then start the server and the workers again.")

        @Argument(help: "The id of the key.")
        var key: String

        @Flag(help: "State that the secret was stolen, so that nothing that the key has signed is valid any more.")
        var compromised = false

        @OptionGroup var options: FileOption

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await self.reportingErrors {
                let file = try await self.options.resolved()
                var keys = try file.load()
                do {
                    try keys.retire(self.key, isCompromised: self.compromised, at: Date())
                } catch let error as SigningKeys.Invalid {
                    throw Failure(keys.keys.contains { $0.id == self.key } ? .refused : .notFound, "\(error)")
                }
                try file.store(keys)
                if self.json { return try Terminal.print(json: ["retired": self.key, "signing": keys.signerID ?? ""]) }
                Terminal.print(
                    "Retired \(self.key). Start the server and the workers again; then \(keys.signerID ?? "") signs.")
            }
        }
    }
}

/// `venue sign mall`
struct Sign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a revision that was published without a signing key, or with a key whose secret was stolen.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The number of the revision; by default the newest.")
    var revision: Int64?

    @Flag(help: "Print the signed statement, which is JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var number = self.revision
            if number == nil { number = try await server.get(Venue.self, "/venues/\(self.venue)").head }
            let document = try await server.send(
                "POST", "/venues/\(self.venue)/revisions/\(number ?? 0)/statement", type: "application/json")
            let signed = try SignedStatement(Array(document))
            if self.json { return Terminal.print(String(decoding: document, as: UTF8.self)) }
            Terminal.print(
                "Signed revision \(signed.statement.revision) of \(self.venue) with the key \(signed.statement.keyID).")
        }
    }
}
