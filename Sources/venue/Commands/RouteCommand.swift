import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue route mall "Gate 5" bakery --profile step-free`
struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show the route from one place of a venue to another one, or why there is none.",
        usage: "venue route VENUE FROM TO [--profile walk|step-free] [--at TIME] [--closed ID ...] [--json]",
        discussion: """
            A place is a feature's id, a position such as 139.7005,35.6005,0 (longitude, latitude, ordinal), or a text to search for, such \
            as a name. The exit code is \(ExitStatus.notFound.rawValue) if there is no route.
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "Where the route begins.")
    var from: String

    @Argument(help: "Where the route ends.")
    var to: String

    @Option(help: "walk, or step-free, which avoids stairs, steps, escalators and openings narrower than 0.8 m.")
    var profile = "walk"

    @Option(help: "The time for which to evaluate opening hours, such as 2026-04-05T12:30:00Z; by default now.")
    var at: Find.Instant?

    @Option(help: "The id of a feature that the route has to avoid because it is closed, such as a lift; repeatable.")
    var closed: [FeatureID] = []

    @Option(help: "The language of the instructions, such as ja; by default that of the shell.")
    var language = Terminal.language

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard ["walk", "step-free"].contains(self.profile) else {
            throw ValidationError("--profile must be walk or step-free.")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let from = try await self.place(self.from, at: server)
            let to = try await self.place(self.to, at: server)
            let language = HTTPAddress.escaped(self.language)
            var query = ["from=\(from)", "to=\(to)", "profile=\(self.profile)", "lang=\(language)"]
            if let at { query.append("at=\(HTTPAddress.escaped(Timestamp.text(of: at.date)))") }
            if !self.closed.isEmpty { query.append("closed=\(self.closed.map(\.description).joined(separator: ","))") }
            let route = try await server.get(
                JSONValue.self, "/venues/\(self.venue)/route?\(query.joined(separator: "&"))")
            if self.json {
                try Terminal.print(json: route)
            } else {
                self.print(route, try await LevelDirectory(of: self.venue, at: server))
            }
            guard route["status"] == "route" else { throw ExitCode(ExitStatus.notFound.rawValue) }
        }
    }

    /// The id or the position that a text names.
    private func place(_ text: String, at server: ServerConnection) async throws -> String {
        if let id = FeatureID(text) { return id.description }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        if numbers.count == 3, numbers.allSatisfy({ $0 != nil }) { return HTTPAddress.escaped(text) }
        let (query, language) = (HTTPAddress.escaped(text), HTTPAddress.escaped(self.language))
        let path = "/venues/\(self.venue)/search?q=\(query)&limit=5&lang=\(language)"
        let results = try await server.get(JSONValue.self, path)["results"]?.array ?? []
        guard let first = results.first, let id = first["id"]?.string else {
            throw Failure(.notFound, "no place of \(self.venue) matches “\(Terminal.plain(text))”")
        }
        let equal = results.filter { $0["match"] == first["match"] }
        guard equal.count == 1 else {
            let list = equal.map { "\n  \($0["id"]?.string ?? "")  \($0["name"]?.string ?? $0["text"]?.string ?? "")" }
            throw Failure(
                .usage,
                "several places match “\(Terminal.plain(text))”; use the id of one of them:"
                    + Terminal.plainLines(list.joined()))
        }
        return id
    }

    private func print(_ route: JSONValue, _ levels: LevelDirectory) {
        let legs = route["legs"]?.array ?? []
        let way = self.profile == "walk" ? "way" : "step-free way"
        switch route["status"] {
        case "route": self.print(route, legs, levels)
        case "infeasible": Terminal.print("There is a \(way), but it is closed at this time:")
        case "none": Terminal.print("There is no \(way):")
        default: Terminal.print("It is unknown whether there is a way, because the map lacks data:")
        }
        for reason in route["reasons"]?.array ?? [] {
            let until = reason["until"]?.string.map { " until \($0)" } ?? ""
            let subject = reason["feature"]?.string ?? "a place"
            Terminal.print("  \(subject) \(ReasonText.text(reason["code"]?.string ?? ""))\(until)")
        }
        if let other = route["alternative"] {
            Terminal.print("The way on foot, not step-free:")
            self.print(other, other["legs"]?.array ?? [], levels)
        }
        if route["hours"] == "unknown" {
            Terminal.print("The server could not evaluate some opening hours, and treats these places as open.")
        }
    }

    private func print(_ route: JSONValue, _ legs: [JSONValue], _ levels: LevelDirectory) {
        let seconds = route["duration"]?.number ?? 0
        let minutes = max(1, Int((seconds / 60).rounded()))
        Terminal.print("\(Int((route["distance"]?.number ?? 0).rounded())) m, \(Terminal.count(minutes, "minute"))")
        Terminal.print(
            table: legs.enumerated().map { index, leg in
                [
                    "\(index + 1).", levels.name(of: leg["level_id"]?.string.flatMap { FeatureID($0) }),
                    leg["instruction"]?.string ?? "", leg["confidence"] == "derived" ? "(derived)" : "",
                ]
            })
    }
}

extension Terminal {
    /// Like ``plain(_:)``, for text of several lines.
    fileprivate static func plainLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.plain(String($0)) }
            .joined(separator: "\n")
    }
}
