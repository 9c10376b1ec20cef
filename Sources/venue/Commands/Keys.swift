import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue keys create|list|revoke`
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create, list and revoke keys.", subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key, and print its secret. The secret cannot be shown again.")

        @Option(help: "The name of the key; it appears as the author of its revisions.")
        var name: String

        @Option(help: "The role: read, publish or admin.")
        var role: Role = .read

        @Option(help: "A venue that the key is valid for; repeatable. By default it is valid for every venue.")
        var venue: [VenueKey] = []

        @Flag(help: "Permit venues that do not exist yet. A key with the role publish may create them.")
        var new = false

        @Option(help: "When the key becomes invalid, such as 2031-04-01T09:00:00Z; otherwise never.")
        var expires: String?

        @Flag(help: "Print JSON.")
        var json = false

        private struct NewKey: Encodable {
            let name: String
            let role: Role
            let venues: [String]
            let expires_at: Date?
        }

        func validate() throws {
            guard self.expires.map({ Timestamp.date(of: $0) != nil }) ?? true else {
                throw ValidationError("--expires must be a time such as 2031-04-01T09:00:00Z.")
            }
        }

        func run() async throws {
            try await self.reportingErrors {
                let server = try await ServerConnection.load()
                if !self.new { try await self.checkVenues(at: server) }
                let venues = self.venue.isEmpty ? ["*"] : self.venue.map(\.description)
                let key = try await server.post(
                    AccessKey.self, "/keys",
                    NewKey(
                        name: self.name, role: self.role, venues: venues,
                        expires_at: self.expires.flatMap(Timestamp.date(of:))))
                if self.json { return try Terminal.print(json: key) }
                Terminal.print(key.secret ?? "")
            }
        }

        /// Refuses venues that do not exist: a key for a mistyped one is of no use, and nobody notices.
        private func checkVenues(at server: ServerConnection) async throws {
            guard !self.venue.isEmpty else { return }
            let known = Set(try await server.venues(at: "/venues?unpublished=true"))
            guard let unknown = self.venue.first(where: { !known.contains($0) }) else { return }
            let meant = unknown.description.nearest(of: known.map(\.description)).map { " Did you mean “\($0)”?" } ?? ""
            throw Failure(
                .notFound,
                "there is no venue “\(unknown)”, so no key was created.\(meant) For a venue that does not exist yet, add --new."
            )
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, without their secrets.")

        @Flag(help: "Print JSON.")
        var json = false

        private struct Page: Codable {
            let keys: [AccessKey]
        }

        func run() async throws {
            try await self.reportingErrors {
                let page = try await ServerConnection.load().get(Page.self, "/keys")
                if self.json { return try Terminal.print(json: page) }
                Terminal.print(table: page.keys.map(Self.row(of:)))
            }
        }

        private static func row(of key: AccessKey) -> [String] {
            let use = key.lastUsedAt.map { "used \(Timestamp.text(of: $0))" } ?? "not used yet"
            let expiry = key.expiresAt.map { "\($0 > Date() ? "expires" : "expired") \(Timestamp.text(of: $0))" } ?? ""
            return [key.id, key.role.rawValue, key.name, key.venues.joined(separator: " "), use, expiry]
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")

        @Argument(help: "The key's id.")
        var id: String

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await self.reportingErrors {
                try await ServerConnection.load().delete("/keys/\(HTTPAddress.escaped(self.id))")
                if self.json { return try Terminal.print(json: ["revoked": self.id]) }
                Terminal.print("Revoked \(self.id).")
            }
        }
    }
}
