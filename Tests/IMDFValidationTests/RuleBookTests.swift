import IMDF
import IMDFValidation
import Testing

@Suite struct RuleBookTests {
    @Test func `rule book: ids are unique`() {
        #expect(Set(RuleBook.all.map(\.id)).count == RuleBook.all.count)
    }
}
