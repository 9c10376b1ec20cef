import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import OpeningHours
import SyncClient
import SyncModel
import VenueMap

/// `venue find mall.sqlite "coffee"`
struct Find: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Search a replica by name or category, without a server.",
        discussion: """
            “venue pull” writes the file. The command finds the same places as a search on the server. It ignores width, case, accents \
            and the difference between hiragana and katakana. Besides names, it knows categories and their synonyms, and floors and \
            buildings in addition to other words (“room 102 L1”). If nothing matches, it permits one spelling mistake in a word, and says \
            so; numbers have to match exactly. It also finds a feature by its id. Every line has the name, the category and the level of a \
            place, and whether it is open, in the time zone of the venue.
            """)

    @Argument(help: "The replica's file.")
    var file: String

    @Argument(help: "The text to search for, in any language of the venue.")
    var text: String

    @Flag(help: "Show only places that are open.")
    var open = false

    @Option(help: "The time for which to evaluate opening hours, such as 2026-04-05T12:30:00Z; by default now.")
    var at: Instant?

    @Option(help: "The language of the names, such as ja; by default that of the shell.")
    var language = Terminal.language

    @Option(help: "The maximum number of results.")
    var limit = 20

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1, not \(self.limit)") }
    }

    func run() async throws {
        try await self.reportingErrors {
            try Failure.checkReplica(at: self.file, isNew: false)
            let instant = self.at?.date ?? Date()
            let map = try await ReplicaStore.open(URL(filePath: self.file)).map()
            // Only what is present can be open; otherwise everything is found, as on the server.
            let found = map.search(
                self.text, at: self.open ? instant : nil, limit: self.open ? .max : self.limit, isRelated: true)
            let named = Self.id(of: self.text, on: map).map { id in map.search("", limit: 1) { $0.id == id } } ?? []
            let others = found.filter { $0.id != named.first?.id && (named.isEmpty || $0.match != .misspelled) }
            let places = (named.map { ($0, "id") } + others.map { ($0, "\($0.match)") })
                .map { Place($0, match: $1, on: map, at: instant, language: self.language) }
                .filter { !self.open || $0.state == OpeningHours.State.open.rawValue }
                .prefix(self.limit)
            if self.json { try Terminal.print(json: ["places": Array(places)]) }
            guard !places.isEmpty else {
                if self.json { throw ExitCode(ExitStatus.notFound.rawValue) }
                throw Failure(.notFound, "no \(self.open ? "open " : "")feature matches “\(self.text)”")
            }
            if !self.json, places.allSatisfy({ $0.match == "\(SearchMatch.misspelled)" }) {
                Terminal.printError("no \(self.open ? "open " : "")feature matches “\(self.text)”; similar spellings:")
            }
            if !self.json { Terminal.print(table: places.map { $0.row(in: map.timeZone, at: instant) }) }
        }
    }

    /// The feature with this id, or with this id in archives if it is no UUID; nil if there is none.
    private static func id(of text: String, on map: VenueMap) -> FeatureID? {
        if let id = FeatureID(text) { return map.features[id]?.id }
        let venue = map.features.values.first { $0.type == .venue }
        return venue.flatMap { FeatureID.assigned(to: text, in: $0.id).lazy.compactMap { map.features[$0]?.id }.first }
    }

    /// A time on the command line.
    struct Instant: ExpressibleByArgument {
        let date: Date

        init?(argument: String) {
            guard let date = try? Date.ISO8601FormatStyle.iso8601.parse(argument) else { return nil }
            self.date = date
        }
    }

    /// One result.
    private struct Place: Encodable {
        let id: FeatureID
        let featureType: String
        let name: String
        let category: String?
        let levelID: FeatureID?
        let level: String?
        let ordinal: Int?
        /// Longitude and latitude.
        let at: [Double]?
        let state: String
        /// As of the server; “id” for a feature with this id.
        let match: String
        @OrNull var nextChange: String?
        private let change: Date?

        enum CodingKeys: String, CodingKey {
            case id, name, category, level, ordinal, at, state, match
            case featureType = "feature_type"
            case levelID = "level_id"
            case nextChange = "next_change"
        }

        init(_ result: VenueMap.SearchResult, match: String, on map: VenueMap, at instant: Date, language: String) {
            self.id = result.id
            self.featureType = result.type.rawValue
            self.name = map.name(of: result.id, for: [language]) ?? result.text
            self.category = map.features[result.id]?.category
            self.levelID = result.level
            self.level = result.level.flatMap { map.shortName(of: $0, for: [language]) }
            self.ordinal = result.ordinal
            self.match = match
            self.at = result.point.map { [$0.position.longitude, $0.position.latitude] }
            let openness = map.openness(of: result.id, at: instant)
            self.state = openness.state.rawValue
            self.change = openness.nextChange
            self.nextChange = openness.nextChange.map(Timestamp.text(of:))
        }

        /// With the time of the next change in the time zone of the venue.
        func row(in timeZone: TimeZone?, at instant: Date) -> [String] {
            let until = self.change.map { "until \(Self.text(of: $0, in: timeZone ?? .gmt, at: instant))" } ?? ""
            let state = self.state == OpeningHours.State.unknown.rawValue ? "" : self.state
            return [self.name, self.category ?? self.featureType, self.level ?? "", state, state.isEmpty ? "" : until]
        }

        /// Such as `20:00`, or with the date if it is on another day.
        private static func text(of date: Date, in timeZone: TimeZone, at instant: Date) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
            func digits(_ number: Int?, _ count: Int = 2) -> String {
                let text = "\(number ?? 0)"
                return String(repeating: "0", count: max(0, count - text.count)) + text
            }
            let time = "\(digits(parts.hour)):\(digits(parts.minute))"
            guard !calendar.isDate(date, inSameDayAs: instant) else { return time }
            return "\(digits(parts.year, 4))-\(digits(parts.month))-\(digits(parts.day)) \(time)"
        }
    }
}
