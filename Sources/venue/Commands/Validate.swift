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
            No server and no database is needed. Every finding names its rule, the feature, the file, the place in it as a
            JSON pointer, and where on the map that is. Rules that could not look at everything are listed with the reason.

            It ends with \(ExitStatus.invalid.rawValue) when there are errors, with \(ExitStatus.doubtful.rawValue) when \
            there are warnings and --strict is given, and with \(ExitStatus.rejected.rawValue) when the archive could not be \
            taken at all. “venue rules” lists the rules.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif
    }

    @Argument(help: "The archive.")
    var file: String

    @Flag(help: "Warnings make it fail, too.")
    var strict = false

    @Option(help: "text for people, json for programs, sarif (2.1.0) for tools of code review.")
    var format = Format.text

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(name: .customLong("rule"), help: "Only this rule or family, such as PV-03 or TO; may be repeated.")
    var rules: [String] = []

    @Option(help: "Not this rule or family; may be repeated.")
    var ignore: [String] = []

    @Option(help: "The time that rules take for now, such as 2031-04-01T09:00:00Z.")
    var now: String?

    @Option(help: "How many findings of a rule are told in text.")
    var show = 5

    func validate() throws {
        for name in self.rules + self.ignore where RuleBook.rules(named: name).isEmpty {
            throw ValidationError("“\(name)” is neither a rule nor a family of rules.")
        }
        if let now, Timestamp.date(of: now) == nil {
            throw ValidationError("--now takes a time such as 2031-04-01T09:00:00Z.")
        }
        guard self.show >= 0 else { throw ValidationError("--show takes a number.") }
    }

    private var selection: RuleSelection {
        RuleSelection(
            only: self.rules.isEmpty ? nil : Set(self.rules.flatMap(RuleBook.rules(named:)).map(\.id)),
            ignored: Set(self.ignore.flatMap(RuleBook.rules(named:)).map(\.id)))
    }

    func run() async throws {
        try await self.reporting {
            let (report, isRejected) = try await self.report()
            switch self.json ? .json : self.format {
            case .text: TextReport(report, of: self.file, show: self.show).say()
            case .json: try Terminal.say(json: JSONReport(report, of: self.file))
            case .sarif: try Terminal.say(json: SARIFLog(report, of: self.file))
            }
            if let status = self.status(of: report, isRejected: isRejected) { throw ExitCode(status.rawValue) }
        }
    }

    private func report() async throws -> (report: Report, isRejected: Bool) {
        guard let file = FileHandle(forReadingAtPath: self.file) else {
            throw Failure(.failure, "\(self.file) cannot be read")
        }
        let limits = try await VenueConfiguration.archiveLimits()
        do {
            let archive = try ArchiveReader(limits: limits).read(fileDescriptor: file.fileDescriptor)
            let now = self.now.flatMap { Timestamp.date(of: $0) } ?? Date()
            return (RuleBook.report(on: ValidationContext(of: archive, now: now), selection: self.selection), false)
        } catch let rejection as ArchiveRejection {
            return (Report(rejectedWith: rejection.findings, selection: self.selection), true)
        }
    }

    private func status(of report: Report, isRejected: Bool) -> ExitStatus? {
        if isRejected { return .rejected }
        if report.count(of: .error) > 0 { return .invalid }
        return self.strict && report.count(of: .warning) > 0 ? .doubtful : nil
    }
}
