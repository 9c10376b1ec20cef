import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SyncModel

/// `venue diff mall 11 12`, `venue diff old.zip new.zip`
struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two revisions, in either direction, or two archives.",
        usage: """
            venue diff VENUE FROM TO [--json]
            venue diff OLD NEW [--identity repair|trust] [--matches] [--json]
            """,
        discussion: """
            The command compares two archives, or folders with their files, on this machine, without a server. It treats the second archive
            as an upload that follows the first: it matches features with new ids, and ignores differences in formatting.
            """)

    @Argument(help: "A venue's key and two revisions, or two archives.")
    var subjects: [String]

    @Option(help: "For archives: match features with new ids (repair), or trust the ids (trust).")
    var identity = Venue.Settings.Identity.repair.rawValue

    @Flag(help: "For archives: list the features that were matched under new ids, with the reasons.")
    var matches = false

    @Flag(help: "Print JSON, with the bodies before and after.")
    var json = false

    private enum Operands {
        case revisions(VenueKey, Int64, Int64)
        case archives(String, String)
    }

    private func operands() throws -> Operands {
        switch self.subjects.count {
        case 2: return .archives(self.subjects[0], self.subjects[1])
        case 3:
            guard let venue = VenueKey(self.subjects[0]), let from = Int64(self.subjects[1]),
                let to = Int64(self.subjects[2])
            else { break }
            return .revisions(venue, from, to)
        default: break
        }
        throw ValidationError("Expected a venue's key and two revisions, or two archives.")
    }

    func validate() throws {
        _ = try self.operands()
        guard Venue.Settings.Identity(rawValue: self.identity) != nil else {
            throw ValidationError("--identity must be repair or trust.")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            switch try self.operands() {
            case .revisions(let venue, let from, let to): try await self.compare(venue, from, to)
            case .archives(let old, let new): try await self.compare(old, new)
            }
        }
    }

    private func compare(_ venue: VenueKey, _ from: Int64, _ to: Int64) async throws {
        let server = try await ServerConnection.load()
        let pages = try await server.pages(RevisionDiff.self, "/venues/\(venue)/diff?from=\(from)&to=\(to)")
        var diff = pages.first  // only the first page has the description
        diff?.changes = pages.flatMap(\.changes)
        guard var diff else { return }
        diff.next = nil
        if self.json { return try Terminal.print(json: diff) }
        let levels = try await LevelDirectory(of: venue, and: to, at: server)
        Self.print(words: diff.words, changes: diff.changes) { levels.name(of: $0) }
    }

    /// The differences between two archives.
    private struct Report: Encodable {
        let words: [String]
        let added: Int
        let changed: Int
        let removed: Int
        let changes: [RevisionDiff.Change]
        let matches: [IdentityMatch]
    }

    private func compare(_ old: String, _ new: String) async throws {
        guard FileManager.default.fileExists(atPath: new) || new.wholeMatch(of: /[0-9]+(\.\.[0-9]*)?/) == nil else {
            throw Failure(
                .failure,
                "\(new) cannot be read: there is no such file. To compare two revisions of a venue: venue diff VENUE FROM TO"
            )
        }
        let limits = try await VenueConfiguration.archiveLimits()
        let diff = try await ArchiveDiff(
            old: Self.read(old, limits), new: Self.read(new, limits),
            repairsIdentity: self.identity == Venue.Settings.Identity.repair.rawValue)
        let words = diff.sentences(in: Terminal.language)
        let changes = try diff.changes(withBodies: true)
        let summary = diff.summary
        if self.json {
            return try Terminal.print(
                json: Report(
                    words: words, added: summary.added, changed: summary.changed, removed: summary.removed,
                    changes: changes, matches: diff.matches))
        }
        Terminal.print("\(summary.added) added, \(summary.changed) changed, \(summary.removed) removed.")
        Self.print(words: words, changes: changes) {
            $0.flatMap { diff.levelName($0, in: Terminal.language) } ?? "venue-wide"
        }
        let near = diff.matches.count { $0.kind == .near }
        if !diff.matches.isEmpty {
            Terminal.print(
                "Matched \(Terminal.count(diff.matches.count, "feature")) under new ids, \(near) of them by similarity."
            )
        }
        if self.matches { UploadReport.print(diff.matches) }
    }

    private static func print(
        words: [String], changes: [RevisionDiff.Change], levelName: (FeatureID?) -> String
    ) {
        for sentence in words { Terminal.print(Terminal.plain("· \(sentence)")) }
        for change in changes {
            for line in ChangeLines.lines(of: change, on: levelName(change.level)) {
                Terminal.print(Terminal.plain(line))
            }
        }
    }

    private static func read(_ path: String, _ limits: ArchiveLimits) throws -> Archive {
        let input = try ArchiveInput(path, limits: limits)
        let file = try FileHandle(forReadingFrom: input.file)
        do {
            return try ArchiveReader(limits: limits).read(fileDescriptor: file.fileDescriptor)
        } catch let rejection as ArchiveRejection {
            let reasons = rejection.findings.prefix(10).map { "\n  \($0.rule): \($0.message)" }.joined()
            throw Failure(.rejected, "\(path) cannot be compared:\(reasons)")
        }
    }
}
