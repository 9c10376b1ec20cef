import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SyncModel

/// `venue validate FILE.zip [--strict] [--format text|json|sarif] [--rule ID]... [--ignore ID]...`
struct Validate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check an IMDF archive against the open rule book, on this machine.",
        usage: "venue validate FILE.zip [--strict] [--format text|json|sarif] [--rule ID ...] [--ignore ID ...]",
        discussion: """
            The command needs no server and no database. Every finding has its rule, the feature, the file, a JSON pointer into the
            file and a position on the map. The report also lists the rules that could not check all features, and why.

            The exit code is \(ExitStatus.invalid.rawValue) if there are errors, \(ExitStatus.doubtful.rawValue) if \
            there are warnings and --strict is given, and \(ExitStatus.rejected.rawValue) if the archive cannot be \
            versioned. “venue rules” lists the rules.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif
    }

    @Argument(help: "The archive, or a folder with its files.")
    var file: String

    @Flag(help: "If there are warnings and no errors, fail with exit code 8.")
    var strict = false

    @Option(help: "The format of the report: text for people, json for programs, sarif (2.1.0) for code review tools.")
    var format = Format.text

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(name: .customLong("rule"), help: "Check only this rule or family, such as PV-03 or TO; repeatable.")
    var rules: [String] = []

    @Option(help: "Skip this rule or family; repeatable.")
    var ignore: [String] = []

    @Option(
        help: "Repair ids that cannot be used as they are (repair), or reject an archive that has such ids (strict).")
    var ids = ArchiveIDs.repair

    @Option(help: "The time that rules use as the current time, such as 2031-04-01T09:00:00Z.")
    var now: String?

    @Option(help: "The maximum number of findings to print of each rule.")
    var show = 5

    func validate() throws {
        for name in self.rules + self.ignore where RuleBook.rules(named: name).isEmpty {
            throw ValidationError("“\(name)” is neither a rule nor a family of rules.")
        }
        if let now, Timestamp.date(of: now) == nil {
            throw ValidationError("--now must be a time such as 2031-04-01T09:00:00Z.")
        }
        guard self.show >= 0 else { throw ValidationError("--show must not be negative.") }
    }

    private var selection: RuleSelection {
        RuleSelection(
            only: self.rules.isEmpty ? nil : Set(self.rules.flatMap(RuleBook.rules(named:)).map(\.id)),
            ignored: Set(self.ignore.flatMap(RuleBook.rules(named:)).map(\.id)))
    }

    func run() async throws {
        try await self.reportingErrors {
            let (report, isRejected) = try await self.report()
            switch self.json ? .json : self.format {
            case .text: TextReport(report, of: self.file, show: self.show).print()
            case .json: try Terminal.print(json: JSONReport(report, of: self.file))
            case .sarif: try Terminal.print(json: SARIFLog(report, of: self.file))
            }
            if let status = self.status(of: report, isRejected: isRejected) { throw ExitCode(status.rawValue) }
        }
    }

    private func report() async throws -> (report: FindingReport, isRejected: Bool) {
        let limits = try await VenueConfiguration.archiveLimits()
        let now = self.now.flatMap { Timestamp.date(of: $0) } ?? Date()
        let input = try ArchiveInput(self.file, limits: limits)
        let file = try FileHandle(forReadingFrom: input.file)
        do {
            let archive = try ArchiveReader(limits: limits, repairsIDs: self.ids != .strict)
                .read(fileDescriptor: file.fileDescriptor)
            return (RuleBook.report(on: ValidationContext(of: archive, now: now), selection: self.selection), false)
        } catch let rejection as ArchiveRejection {
            let report = ValidationContext(of: rejection, now: now).map {
                RuleBook.report(on: $0, selection: self.selection)
            }
            return (report ?? FindingReport(rejectedWith: rejection.findings, selection: self.selection), true)
        }
    }

    private func status(of report: FindingReport, isRejected: Bool) -> ExitStatus? {
        if isRejected { return .rejected }
        if report.count(of: .error) > 0 { return .invalid }
        return self.strict && report.count(of: .warning) > 0 ? .doubtful : nil
    }
}
