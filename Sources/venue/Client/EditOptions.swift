import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// The options of all commands that edit, and what they have in common.
struct EditOptions: ParsableArguments {
    @Option(help: "The message in the log.")
    var message: String?

    @Option(help: "The time when the edit ends by itself, such as 2026-12-24T18:00:00+09:00.")
    var until: String?

    @Option(
        help:
            "The revision that you expect to be the newest. If another one is the newest, the command changes nothing.")
    var base: Int64?

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Publish the edit even if it causes errors of the rule book.")
    var force = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.until.map({ Timestamp.date(of: $0) != nil }) ?? true else {
            throw ValidationError("--until must be a time such as 2026-12-24T18:00:00+09:00")
        }
    }

    /// - Parameter note: What to tell people about the edit when it was accepted.
    func send(_ edit: JSONValue, to venue: VenueKey, note: String? = nil) async throws {
        let body: JSONValue = [
            "edits": [edit], "message": self.message.map { .string($0) } ?? .null,
            "until": self.until.map { .string($0) } ?? .null, "base": self.base.map { .number(Double($0)) } ?? .null,
            "dry_run": .bool(self.dryRun), "force": .bool(self.force),
        ]
        let server = try await ServerConnection.load()
        do {
            let result = try await server.post(EditResult.self, "/venues/\(venue)/edits", body)
            try EditReport.print(result, asJSON: self.json)
            if let note, !self.json { Terminal.print(Terminal.plain(note)) }
        } catch let failure as Failure {
            guard !self.json, let refusal = EditReport.Refusal(failure.response) else { throw failure }
            Terminal.printError(refusal.report(failure.message))
            throw ExitCode(failure.status.rawValue)
        }
    }
}

/// Prints the outcome of an edit for people.
enum EditReport {
    static func print(_ result: EditResult, asJSON: Bool) throws {
        if asJSON { return try Terminal.print(json: result) }
        switch result.revision {
        case nil: Terminal.print("The edit would change revision \(result.base) of \(result.venue):")
        case let revision? where result.isPublished: Terminal.print("\(result.venue) is at revision \(revision).")
        case _ where result.overrides.isEmpty && result.ended.isEmpty:
            Terminal.print("Nothing to publish: \(result.venue) has this content already.")
        default: Terminal.print("Saved. The features of \(result.venue) did not change.")
        }
        UploadReport.print(result.changes)
        for override in result.overrides {
            let part = override.kind == .value ? override.pointer : override.kind.rawValue
            Terminal.print("  override \(override.id)  \(part)")
        }
        for finding in result.findings {
            let place = "\(finding.rule) \(finding.pointer ?? "")"
            Terminal.print(Terminal.plain("  \(finding.severity.rawValue) \(place): \(finding.message)"))
        }
    }

    /// The members of a problem that say where in the request its reason is.
    struct Refusal: Decodable {
        let pointer: String
        let rule: String?
        let dependents: [FeatureID]
        let findings: [Finding]
        let can_be_forced: Bool

        /// Nil for any other response.
        init?(_ response: Data) {
            guard let refusal = try? WireJSON.value(Refusal.self, from: response) else { return nil }
            self = refusal
        }

        func report(_ message: String) -> String {
            var lines = [message]
            if let rule = self.rule { lines.append("Rule \(rule), at \(self.pointer)") }
            for finding in self.findings.dropFirst() {
                lines.append("Rule \(finding.rule), at \(finding.pointer ?? ""): \(finding.message)")
            }
            if self.can_be_forced { lines.append("To publish it nevertheless, add --force.") }
            if !self.dependents.isEmpty {
                lines.append("These features refer to this one:")
                lines += self.dependents.map { "  \($0)" }
                lines.append("Add --with-dependents to hide them, too.")
            }
            return lines.map(Terminal.plain).joined(separator: "\n")
        }
    }
}
