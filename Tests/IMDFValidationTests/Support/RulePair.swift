import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue
import Testing

/// Two archives that differ in what one rule is about: the first breaks just that rule, the second just does not.
struct RulePair: Sendable, CustomTestStringConvertible {
    typealias Edit = @Sendable (inout TestArchive) throws -> Void

    let rule: String
    /// Told apart in the test's name, where a rule has several pairs.
    let title: String
    /// How grave the finding is, where that is not the rule's own severity.
    let severity: Finding.Severity?
    /// Rules, or families of rules such as `TO`, that cannot but be broken with it.
    let consequences: Set<String>
    /// What is true of both archives and makes the clean one comparable with them; nil: nothing.
    let start: Edit?
    let breaks: Edit
    let keeps: Edit

    init(
        _ rule: String, _ title: String, _ severity: Finding.Severity? = nil, along consequences: Set<String> = [],
        after start: Edit? = nil, breaks: @escaping Edit, keeps: @escaping Edit
    ) {
        self.rule = rule
        self.title = title
        self.severity = severity
        self.consequences = consequences
        self.start = start
        self.breaks = breaks
        self.keeps = keeps
    }

    /// Whether a rule may be broken along with this one.
    func expects(_ rule: String) -> Bool {
        rule != self.rule && (self.consequences.contains(rule) || self.consequences.contains(String(rule.prefix(2))))
    }

    var testDescription: String { "\(self.rule): \(self.title)" }

    /// Every pair, one file per family.
    static let all: [RulePair] =
        structure + manifest + values + content + geometry + topology + semantics + routing + advice + revisions
}

/// An archive in the making, and the circumstances in which it is examined.
struct TestArchive: Sendable {
    var venue: SampleVenue
    /// Changes the files once they are written.
    var editFiles: (@Sendable (inout [ArchiveFile]) -> Void)?
    /// The bytes, if they are not those of the files.
    var bytes: [UInt8]?
    var now = TestArchive.noon
    var previous: PreviousRevision?

    /// A day after the sample was created.
    static let noon = Date(timeIntervalSince1970: 1_743_552_000)

    /// The clean sample that every pair starts from.
    static let clean = TestArchive(venue: SampleVenue(.small))

    func archive() throws -> [UInt8] {
        if let bytes = self.bytes { return bytes }
        var files = self.venue.files()
        self.editFiles?(&files)
        return try ArchiveWriter.zip(files)
    }

    func report(_ selection: RuleSelection = .all) throws -> FindingReport {
        do {
            let archive = try ArchiveReader().read(bytes: self.archive())
            let context = ValidationContext(of: archive, now: self.now, previous: self.previous)
            return RuleBook.report(on: context, selection: selection)
        } catch let rejection as ArchiveRejection {
            let context = ValidationContext(of: rejection, now: self.now)
            return context.map { RuleBook.report(on: $0, selection: selection) }
                ?? FindingReport(rejectedWith: rejection.findings, selection: selection)
        }
    }
}

extension TestArchive {
    /// Changes the first features of a type, or the one that a condition picks.
    mutating func edit(
        _ type: FeatureType, count: Int = 1, where condition: (SampleFeature) -> Bool = { _ in true },
        _ body: (inout SampleFeature) -> Void
    ) throws {
        let indices = self.venue.features.indices
            .filter { self.venue.features[$0].type == type && condition(self.venue.features[$0]) }
        guard indices.count >= count else { throw Missing(type: type) }
        for index in indices.prefix(count) { body(&self.venue.features[index]) }
    }

    /// The first feature of a type that a condition picks.
    func first(_ type: FeatureType, where condition: (SampleFeature) -> Bool = { _ in true }) throws -> SampleFeature {
        guard let feature = self.venue.features.first(where: { $0.type == type && condition($0) })
        else { throw Missing(type: type) }
        return feature
    }

    struct Missing: Error {
        let type: FeatureType
    }
}
