import IMDF
import IMDFValidation
import Testing

@Suite struct RuleBookTests {
    @Test func `every rule has an id of its own`() {
        #expect(Set(RuleBook.all.map(\.id)).count == RuleBook.all.count)
    }
}
