import ArgumentParser
import SyncModel

/// `venue keys create|list|revoke`
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke keys.", subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key. Its secret is printed once.")

        @Option(help: "What the key is called; revisions that it makes bear this name.")
        var name: String

        @Option(help: "read, publish or admin.")
        var role: Role = .read

        @Option(help: "A venue that the key is for; repeatable. Without any it is for every venue.")
        var venue: [VenueKey] = []

        @Flag(help: "Print JSON.")
        var json = false

        private struct NewKey: Encodable {
            let name: String
            let role: Role
            let venues: [String]
        }

        func run() async throws {
            try await self.reporting {
                let venues = self.venue.isEmpty ? ["*"] : self.venue.map(\.description)
                let key = try await ServerConnection.load().post(
                    AccessKey.self, "/keys", NewKey(name: self.name, role: self.role, venues: venues))
                if self.json { return try Terminal.say(json: key) }
                Terminal.say(key.secret ?? "")
            }
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
            try await self.reporting {
                let page = try await ServerConnection.load().get(Page.self, "/keys")
                if self.json { return try Terminal.say(json: page) }
                Terminal.say(
                    table: page.keys.map { [$0.id, $0.role.rawValue, $0.name, $0.venues.joined(separator: " ")] })
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")

        @Argument(help: "The key's id.")
        var id: String

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await self.reporting {
                try await ServerConnection.load().delete("/keys/\(ServerConnection.escaped(self.id))")
                if self.json { return try Terminal.say(json: ["revoked": self.id]) }
                Terminal.say("Revoked \(self.id).")
            }
        }
    }
}
