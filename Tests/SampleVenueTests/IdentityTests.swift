import IMDF
import IMDFArchive
import SampleVenue
import Testing

struct IdentityTests {
    private static let options = SampleVenue.Options(levels: 3, unitsPerLevel: 20, seed: 6, customExtension: true)

    private func text(_ venue: SampleVenue) -> String {
        venue.files().map { String(decoding: $0.content, as: UTF8.self) }.joined()
    }

    @Test func `remint replaces every occurrence of the old ids`() {
        let before = SampleVenue(Self.options)
        var after = before
        let report = after.apply([Edit(.remint)], seed: 1)[0]
        #expect(report.reminted.count == before.features.count)
        #expect(report.added == [] && report.removed == [] && report.changed == [])
        let text = self.text(after)
        #expect(before.features.allSatisfy { !text.contains($0.id.description) })
    }

    @Test func `remint keeps the structure: with the old ids restored it is the same venue`() {
        let before = SampleVenue(Self.options)
        var after = before
        let report = after.apply([Edit(.remint)], seed: 1)[0]
        #expect(after.problems == [])
        var text = self.text(after)
        for (old, new) in report.reminted { text = text.replacing(new.description, with: old.description) }
        #expect(text == self.text(before))
    }

    @Test func `remint with a count changes only these features and those that refer to them`() {
        let before = SampleVenue(Self.options)
        var after = before
        let report = after.apply([Edit(.remint, 12)], seed: 1)[0]
        #expect(report.reminted.count == 12)
        #expect(after.problems == [])
        let old = Set(report.reminted.keys.map(\.description))
        for feature in before.features where report.reminted[feature.id] == nil {
            let text = String(decoding: CanonicalJSON.data(.object(feature.body)), as: UTF8.self)
            let mentions = old.contains { text.contains($0) }
            #expect(report.changed.contains(feature.id) == mentions)
        }
    }

    @Test func `remint keeps correlation ids`() {
        let before = SampleVenue(Self.options)
        var after = before
        _ = after.apply([Edit(.remint)], seed: 1)
        let correlations = [before, after].map { venue in venue.features.map { $0["correlation_id"] ?? .null } }
        #expect(correlations[0] == correlations[1])
    }
}
