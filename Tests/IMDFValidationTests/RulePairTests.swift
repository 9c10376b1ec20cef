import IMDF
import IMDFValidation
import SampleVenue
import Testing

@Suite struct RulePairTests {
    @Test func `rule pairs: every rule has one`() {
        let paired = Set(RulePair.all.map(\.rule))
        #expect(RuleBook.all.map(\.id).filter { !paired.contains($0) } == [])
        #expect(paired.filter { RuleBook.rule($0) == nil } == [])
    }

    @Test func `rule pairs: the clean sample has no errors`() throws {
        let report = try TestArchive.clean.report()
        #expect(report.findings.filter { $0.severity == .error }.map { "\($0.rule) \($0.message)" } == [])
    }

    @Test(arguments: 1..<6 as Range<UInt64>)
    func `rule pairs: other samples have no errors`(seed: UInt64) throws {
        let options = SampleVenue.Options(
            levels: Int(seed) * 2, unitsPerLevel: 8 * Int(seed), seed: seed, customExtension: seed.isMultiple(of: 2))
        let report = try TestArchive(venue: SampleVenue(options)).report()
        #expect(report.findings.filter { $0.severity == .error }.map { "\($0.rule) \($0.message)" } == [])
    }

    @Test(arguments: RulePair.all)
    func `rule pairs: one archive violates only the rule, the other barely satisfies it`(pair: RulePair) throws {
        let before = try pair.start.map { try Self.report($0) } ?? Self.clean.get()
        let broken = try Self.report(pair.breaks)
        let kept = try Self.report(pair.keeps)
        let severity = pair.severity ?? RuleBook.rule(pair.rule)?.severity ?? .error
        let gained = Self.gained(broken, over: before)
        #expect(
            broken.counts[pair.rule]?[severity] ?? 0 > before.counts[pair.rule]?[severity] ?? 0,
            "it is not broken: \(gained)")
        #expect(gained.filter { !pair.expects($0) } == [pair.rule], "others are broken too")
        #expect(
            kept.counts[pair.rule]?[severity] ?? 0 <= before.counts[pair.rule]?[severity] ?? 0,
            "it is broken: \(kept.findings.filter { $0.rule == pair.rule }.map(\.message))")
        #expect(
            Self.gained(kept, over: before).filter { !pair.expects($0) && $0 != pair.rule } == [],
            "the kept one breaks others")
    }

    /// What the clean sample makes, worked out once.
    private static let clean = Result { try TestArchive.clean.report() }

    private static func report(_ edit: RulePair.Edit) throws -> FindingReport {
        var archive = TestArchive.clean
        try edit(&archive)
        return try archive.report()
    }

    /// Rules with more findings than before, of any severity.
    private static func gained(_ report: FindingReport, over before: FindingReport) -> Set<String> {
        let now = report.ruleCounts
        let then = before.ruleCounts
        return Set(now.keys.filter { now[$0] ?? 0 > then[$0] ?? 0 })
    }
}
