import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import SyncModel
import Wayfinding

/// `venue reachability mall`, `venue reachability mall.zip`
struct Reachability: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what visitors can reach from the exits of a venue, and which features to correct.",
        usage: """
            venue reachability VENUE [--revision N] [--egress] [--json]
            venue reachability FILE.zip [--egress] [--json]
            """,
        discussion: """
            An exit is an opening of the category pedestrian.principal or emergencyexit with a unit on one side only. The report does \
            not count units with a restriction or of the category nonpublic, and no way leads through them. If the argument ends with .zip \
            or contains a slash, it is an archive, and the command reads it on this machine, without a server.
            """)

    @Argument(help: "The venue's key, or an archive.")
    var subject: String

    @Option(help: "A revision of the venue; by default the newest one.")
    var revision: Int64?

    @Flag(help: "List the nearest exits of every unit, on ways without lifts. The list is not an evacuation plan.")
    var egress = false

    @Option(help: "The maximum number of lines to print of each list.")
    var show = 20

    @Flag(help: "Print JSON.")
    var json = false

    private var isArchive: Bool { self.subject.contains("/") || self.subject.lowercased().hasSuffix(".zip") }

    func validate() throws {
        guard self.isArchive || VenueKey(self.subject) != nil else {
            throw ValidationError("“\(self.subject)” is neither the key of a venue nor an archive.")
        }
        guard !self.isArchive || self.revision == nil else { throw ValidationError("An archive has no revisions.") }
        guard self.show >= 0 else { throw ValidationError("--show must not be negative.") }
    }

    func run() async throws {
        try await self.reportingErrors {
            let report = try await self.isArchive ? self.ofArchive() : self.ofVenue()
            if self.json { return try Terminal.print(json: report) }
            ReachabilityText(report, show: self.show).print()
        }
    }

    private func ofVenue() async throws -> JSONValue {
        let server = try await ServerConnection.load()
        let query = [self.revision.map { "revision=\($0)" }, self.egress ? "egress=true" : nil].compactMap(\.self)
        let path = "/venues/\(self.subject)/reachability?\(query.joined(separator: "&"))"
        return try await server.get(JSONValue.self, path)
    }

    private func ofArchive() async throws -> JSONValue {
        let limits = try await VenueConfiguration.archiveLimits()
        let input = try ArchiveInput(self.subject, limits: limits)
        let file = try FileHandle(forReadingFrom: input.file)
        do {
            let archive = try ArchiveReader(limits: limits).read(fileDescriptor: file.fileDescriptor)
            let map = WayfindingMap(
                archive.features.compactMap { WayfindingFeature(id: $0.id, type: $0.type, body: $0.body) },
                language: archive.manifest?["language"]?.string)
            var report = map.reachabilityReport()
            if self.egress { report.egress = map.egressReport() }
            return .object(report.json)
        } catch let rejection as ArchiveRejection {
            let reasons = rejection.findings.prefix(10).map { "\n  \($0.rule): \($0.message)" }.joined()
            throw Failure(.rejected, "\(Terminal.plain(self.subject)) cannot be read:\(reasons)")
        }
    }
}

/// A report as text.
private struct ReachabilityText {
    private let report: JSONValue
    private let show: Int
    private let levels: [String: String]

    init(_ report: JSONValue, show: Int) {
        self.report = report
        self.show = show
        let language = report["language"]?.string
        self.levels = Dictionary(
            (report["levels"]?.array ?? []).map { level in
                let name = Labels(level["name"])?.text(for: [Terminal.language], archiveLanguage: language)
                let ordinal = level["ordinal"]?.number.map { "ordinal:\(Int($0))" }
                return (level["level_id"]?.string ?? "", name ?? ordinal ?? "")
            }, uniquingKeysWith: { first, _ in first })
    }

    func print() {
        let isKnown = self.report["status"] == "known"
        let exits = self.report["exits"]?.array?.count ?? 0
        let revision = self.report["revision"]?.number.map { ", revision \(Int($0))" } ?? ""
        let venue = self.report["venue"]?.string ?? "The archive"
        if isKnown {
            Terminal.print("\(venue)\(revision) has \(Terminal.count(exits, "exit")). From there, visitors can reach:")
        } else if (self.report["reasons"]?.array ?? []).contains(where: { $0["code"] == "too-far" }) {
            Terminal.print("\(venue)\(revision) is too large to search, so it is unknown what visitors can reach.")
        } else {
            Terminal.print("\(venue)\(revision) \(ReasonText.text("no-exit-stated")).")
            Terminal.print(
                "So it is unknown what visitors can reach. The report lists what is not connected with the largest part."
            )
        }
        Terminal.print(table: self.shares)
        self.printCutOff()
        self.printMends()
        self.printEgress()
    }

    private var shares: [[String]] {
        func share(_ value: JSONValue?) -> String {
            let total = value?["total"]?.number.map { "\(Int($0))" } ?? "–"
            return "\(value?["reached"]?.number.map { "\(Int($0))" } ?? "unknown") of \(total)"
        }
        func row(_ name: String, _ value: JSONValue?) -> [String] {
            [
                "  \(name)", share(value?["units"]?["walk"]), share(value?["units"]?["step-free"]),
                share(value?["occupants"]?["walk"]), share(value?["occupants"]?["step-free"]),
            ]
        }
        let levels = (self.report["levels"]?.array ?? []).reversed().map { level in
            row(self.levels[level["level_id"]?.string ?? ""] ?? "", level)
        }
        return [["", "public units", "step-free", "occupants", "step-free"]] + levels + [row("all", self.report)]
    }

    private func name(_ value: JSONValue, _ key: String = "feature") -> String {
        let id = value[key]?.string ?? ""
        let language = self.report["language"]?.string
        let name = Labels(value["name"])?.text(for: [Terminal.language], archiveLanguage: language) ?? ""
        let level = value["level_id"]?.string.flatMap { self.levels[$0] }.map { "on \($0)" } ?? ""
        return [value["feature_type"]?.string ?? "", name, level, "(\(id))"].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private func printList(_ title: String, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        Terminal.print(title)
        for line in lines.prefix(self.show) { Terminal.print("  " + Terminal.plain(line)) }
        if lines.count > self.show {
            Terminal.print("  … and \(lines.count - self.show) more (--show \(lines.count))")
        }
    }

    private func printCutOff() {
        let cutOff = self.report["cut_off"]?.array ?? []
        for (profile, title) in [("walk", "Cut off for everybody:"), ("step-free", "Without a step-free way:")] {
            self.printList(
                title,
                cutOff.filter { $0["profile"]?.string == profile }.map { unit in
                    let feature = unit["feature"]
                    let reasons = (unit["reasons"]?.array ?? []).map { reason in
                        let text = ReasonText.text(reason["code"]?.string ?? "")
                        return reason["feature"] == feature ? text : "\(reason["feature"]?.string ?? "") \(text)"
                    }
                    return "\(self.name(unit)): \(reasons.joined(separator: "; "))"
                })
        }
    }

    private func printMends() {
        self.printList(
            "To correct, with what each feature cuts off:",
            (self.report["mend"]?.array ?? []).map { mend in
                let units = Terminal.count(Int(mend["units"]?.number ?? 0), "unit")
                let occupants = Terminal.count(Int(mend["occupants"]?.number ?? 0), "occupant")
                return
                    "\(self.name(mend)) \(ReasonText.text(mend["code"]?.string ?? "")): \(units), \(occupants)"
            })
        if self.report["more"] == true { Terminal.print("The report is truncated: it does not list everything.") }
    }

    private func printEgress() {
        guard let egress = self.report["egress"] else { return }
        let units = egress["units"]?.array ?? []
        let isUnstated = units.allSatisfy { $0["status"] == "no-exit-stated" }
        self.printList(
            "\(egress["notice"]?.string ?? ""). The nearest exits without lifts:",
            isUnstated ? ["no exit stated"] : units.map { "\(self.name($0)): \(self.exits($0))" })
    }

    private func exits(_ unit: JSONValue) -> String {
        let exits = (unit["exits"]?.array ?? []).map { exit in
            "\(Int((exit["distance"]?.number ?? 0).rounded())) m to \(exit["feature"]?.string ?? "")"
        }
        return switch unit["status"]?.string {
        case "exit": exits.joined(separator: ", then ") + (unit["second"] == false ? "; no second exit" : "")
        case "no-exit-stated": "no exit stated"
        case "cut-off": "no way without lifts to an exit"
        case "unusable": "unknown: the outline of the unit cannot be used"
        default: "unknown: the map is too large to search"
        }
    }
}
