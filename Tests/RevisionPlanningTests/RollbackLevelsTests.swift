import IMDF
import RevisionPlanning
import Testing

@Suite struct RollbackLevelsTests {
    @Test func `rollback levels: ids and ordinals are accepted`() throws {
        _ = try RollbackLevels([FeatureID(high: 0, low: 1).description, "ordinal:-1", "ordinal:0"])
    }

    @Test(
        arguments: [
            ([], .empty), (["ordinal:0", "venue"], .venueWide), (["ordinal:1.5"], .malformed("ordinal:1.5")),
            (["ordinal:0", ""], .malformed("")),
        ] as [([String], RollbackLevels.Refusal)])
    func `rollback levels: what names no level is refused`(names: [String], refusal: RollbackLevels.Refusal) {
        #expect(throws: refusal) { try RollbackLevels(names) }
    }
}
