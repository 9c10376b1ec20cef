import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue set mall time_zone=Asia/Tokyo public=on`
struct SetVenue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a venue: all of the arguments, or none if one is invalid.",
        discussion: """
            public=on|off                  whether everybody may read the venue without a key
            time_zone=Asia/Tokyo|null      the time zone of opening hours
            identity=repair|trust          whether to match features with new ids, or to trust the ids
            validation=report|strict       whether an error of the rule book is only reported, or rejects the upload
            removal_guard=on|off           whether an upload that removes many features is staged
            keep_revisions=N|null          how many revisions to keep; null keeps all
            overrides=keep|ask|yield       if an upload contradicts an edit: keep the edit, stage the upload, or end the edit
            appearance=JSON|null           colours, hidden categories, logo and accent of maps
            embed_origins=JSON|null        a list of the origins whose pages may show the map in a frame
            basemap=JSON|null              the map of the surroundings that the console draws under the venue
            wayfinding=JSON|null           how fast people walk and how long lifts take: walk_speed and step_free_speed in m/s, elevator_seconds,
                                           elevator_seconds_per_level
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "name=value. on means true, and off means false; null removes a value.")
    var settings: [String]

    @Flag(help: "Print JSON.")
    var json = false

    /// The body of the request; nil when an argument is not of the form name=value.
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
                default: Int32(parts[1]).map { .number(Double($0)) } ?? Self.json(parts[1]) ?? .string(parts[1])
                }
        }
        return change
    }

    /// An object or a list.
    private static func json(_ text: String) -> JSONValue? {
        guard text.hasPrefix("{") || text.hasPrefix("[") else { return .none }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    func validate() throws {
        guard self.change != nil, !self.settings.isEmpty else {
            throw ValidationError("write each setting once, as name=value, such as public=on")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let response = try await server.patch("/venues/\(self.venue)", self.change ?? [:])
            // The response for a venue without a revision has only the settings.
            let settings =
                try (try? WireJSON.value(Venue.self, from: response))?.settings
                ?? server.value(Venue.Settings.self, from: response)
            if self.json { return try Terminal.print(json: settings) }
            Terminal.print(table: settings.rows)
        }
    }
}

/// `venue delete mall --confirm mall`
struct DeleteVenue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a venue with all its revisions.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The venue's key again; a deleted venue cannot be restored.")
    var confirm: VenueKey

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.confirm == self.venue else { throw ValidationError("--confirm must repeat the key \(self.venue)") }
    }

    func run() async throws {
        try await self.reportingErrors {
            try await ServerConnection.load().delete("/venues/\(self.venue)", ["confirm": self.confirm])
            if self.json { return try Terminal.print(json: ["deleted": self.venue]) }
            Terminal.print("Deleted \(self.venue).")
        }
    }
}

extension Venue.Settings {
    /// The names and values, as `venue set` takes them.
    var rows: [[String]] {
        func text(_ value: JSONValue?) -> String {
            value.map { String(decoding: CanonicalJSON.data($0), as: UTF8.self) } ?? "null"
        }
        return [
            ["public", self.public ? "on" : "off"], ["time_zone", self.timeZone ?? "null"],
            ["identity", self.identity.rawValue], ["validation", self.validation.rawValue],
            ["removal_guard", self.removalGuard ? "on" : "off"],
            ["keep_revisions", self.keepRevisions.map(String.init) ?? "null"],
            ["overrides", self.overrides.rawValue], ["appearance", text(self.appearance)],
            ["embed_origins", self.embedOrigins?.joined(separator: " ") ?? "null"], ["basemap", text(self.basemap)],
            ["wayfinding", text(self.wayfinding)],
        ]
    }
}
