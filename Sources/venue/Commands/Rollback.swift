import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue rollback mall 11`
struct Rollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish an earlier revision again as a new one, for the whole venue or for some of its levels.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The revision to restore.")
    var to: Int64

    @Option(help: "Roll back only this level: a short name, an id or ordinal:N; repeatable.")
    var level: [String] = []

    @Option(help: "The message in the log.")
    var message: String?

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct RequestBody: Encodable {
        let to: Int64
        let levels: [String]?
        let message: String?
        let dry_run: Bool
    }

    private struct Plan: Codable {
        let venue: VenueKey
        let from: Int64
        let restores: Int64
        @OrNull var levels: [FeatureID]?
        let changes: ChangeSummary
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var directory: LevelDirectory?
            if !self.level.isEmpty { directory = try await LevelDirectory(of: self.venue, and: self.to, at: server) }
            let levels = try directory.map { directory in try self.level.map { try directory.resolve($0) } }
            let body = RequestBody(to: self.to, levels: levels, message: self.message, dry_run: self.dryRun)
            do {
                try await self.send(body, to: server)
            } catch let failure as Failure {
                guard !self.json, let directory, let entanglement = Entanglement(failure.response) else {
                    throw failure
                }
                Terminal.printError(entanglement.report(on: self, failure.message, directory))
                throw ExitCode(failure.status.rawValue)
            }
        }
    }

    private func send(_ body: RequestBody, to server: ServerConnection) async throws {
        let path = "/venues/\(self.venue)/rollback"
        let part = self.level.isEmpty ? "" : " on \(self.level.joined(separator: ", "))"
        if self.dryRun {
            let plan = try await server.post(Plan.self, path, body)
            if self.json { return try Terminal.print(json: plan) }
            Terminal.print("Rolling back from revision \(plan.from) to \(plan.restores)\(part) would change:")
            UploadReport.print(plan.changes)
        } else {
            let revision = try await server.post(Revision.self, path, body)
            if self.json { return try Terminal.print(json: revision) }
            Terminal.print(
                "\(self.venue) is at revision \(revision.number), which restores revision \(self.to)\(part).")
            UploadReport.print(revision.changes)
        }
    }
}

/// The problem `levels-entangled`: why the levels cannot be rolled back without others.
private struct Entanglement: Decodable {
    struct Move: Decodable {
        let id: FeatureID
        let feature_type: String
        let level_id: FeatureID?
        let level_id_then: FeatureID?
    }

    struct Dangling: Decodable {
        let id: FeatureID
        let feature_type: String
        let missing: FeatureID
    }

    struct Counts: Decodable {
        let crossed: Int
        let dangling: Int
        let displaced: Int
    }

    let type: String
    let crossed: [Move]
    let dangling: [Dangling]
    let displaced: [Move]
    let counts: Counts
    let add_levels: [FeatureID]

    /// Nil for any other response.
    init?(_ response: Data) {
        guard let problem = try? WireJSON.value(Entanglement.self, from: response),
            problem.type == "/problems/levels-entangled"
        else { return nil }
        self = problem
    }

    private static let shown = 10

    /// The lists of the problem, and the next command to type.
    func report(on command: Rollback, _ message: String, _ levels: LevelDirectory) -> String {
        var lines = [message]
        func list(_ title: String, _ items: [String], of count: Int) {
            guard count > 0 else { return }
            lines.append("\(title):")
            lines += items.prefix(Self.shown).map { "  \($0)" }
            if count > Self.shown { lines.append("  … and \(count - min(items.count, Self.shown)) more") }
        }
        list(
            "Moved to or from these levels since revision \(command.to)",
            self.crossed.map {
                "\($0.feature_type) \($0.id): \(levels.name(of: $0.level_id)) now, \(levels.name(of: $0.level_id_then)) then"
            }, of: self.counts.crossed)
        list(
            "Would refer to a missing feature",
            self.dangling.map { "\($0.feature_type) \($0.id): \($0.missing)" }, of: self.counts.dangling)
        list(
            "Would move to another level",
            self.displaced.map {
                "\($0.feature_type) \($0.id): \(levels.name(of: $0.level_id)) instead of \(levels.name(of: $0.level_id_then))"
            }, of: self.counts.displaced)
        let names = command.level + self.add_levels.map { levels.argument(for: $0) }
        let rest = "\(command.venue) \(command.to)\(command.dryRun ? " --dry-run" : "")"
        if !self.add_levels.isEmpty {
            lines.append("Roll back these levels together:")
            let options = names.map { " --level \($0.contains(" ") ? "'\($0)'" : $0)" }.joined()
            lines.append("  venue rollback \(rest)\(options)")
        }
        lines.append(self.add_levels.isEmpty ? "Roll back the whole venue:" : "Or roll back the whole venue:")
        lines.append("  venue rollback \(rest)")
        return lines.joined(separator: "\n")
    }
}
