import ArgumentParser
import IMDF
import SyncModel

/// `venue set mall time_zone=Asia/Tokyo public=on`
struct SetVenue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a venue's settings, all of those given or none.",
        discussion: """
            public=on|off                  whether it is read without a key
            time_zone=Asia/Tokyo|null      what clients are told
            identity=repair|trust          validation=report|strict
            removal_guard=on|off           keep_revisions=N|null
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "name=value; on and true, off and false are the same, null takes a value away.")
    var settings: [String]

    @Flag(help: "Print JSON.")
    var json = false

    /// What is to be sent; nil when a word is no setting.
    private var change: [String: JSONValue]? {
        var change: [String: JSONValue] = [:]
        for setting in self.settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, change[parts[0]] == .none else { return nil }
            change[parts[0]] =
                switch parts[1] {
                case "on", "true": .bool(true)
                case "off", "false": .bool(false)
                case "null": .null
                default: Int32(parts[1]).map { .number(Double($0)) } ?? .string(parts[1])
                }
        }
        return change
    }

    func validate() throws {
        guard self.change != nil, !self.settings.isEmpty else {
            throw ValidationError("settings are written name=value, each once, such as public=on")
        }
    }

    func run() async throws {
        try await self.reporting {
            let answer = try await ServerConnection.load().patch("/venues/\(self.venue)", self.change ?? [:])
            // A venue without a revision has nothing but its settings.
            let settings =
                try (try? WireJSON.value(Venue.self, from: answer))?.settings
                ?? WireJSON.value(Venue.Settings.self, from: answer)
            if self.json { return try Terminal.say(json: settings) }
            Terminal.say(
                table: VenueSetting.allCases.map { [$0.rawValue, Self.text(of: settings[$0])] })
        }
    }

    /// A value as it is written on the command line.
    private static func text(of value: JSONValue) -> String {
        switch value {
        case .bool(let isOn): isOn ? "on" : "off"
        case .string(let text): text
        case .number(let number): "\(Int(number))"
        default: "null"
        }
    }
}

/// `venue delete mall --confirm mall`
struct DeleteVenue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a venue with all its revisions. Its clients are told.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The venue's key once more: nothing brings a deleted venue back.")
    var confirm: VenueKey

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.confirm == self.venue else { throw ValidationError("--confirm takes the same key: \(self.venue)") }
    }

    func run() async throws {
        try await self.reporting {
            try await ServerConnection.load().delete("/venues/\(self.venue)", ["confirm": self.confirm])
            if self.json { return try Terminal.say(json: ["deleted": self.venue]) }
            Terminal.say("Deleted \(self.venue).")
        }
    }
}
