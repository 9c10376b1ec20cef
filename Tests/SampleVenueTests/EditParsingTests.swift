import SampleVenue
import Testing

struct EditParsingTests {
    @Test(arguments: Edit.Kind.allCases)
    func `every kind is read the way it is written`(kind: Edit.Kind) throws {
        let edit = try Edit.parse(kind.form.replacing("[=N]", with: "").replacing("=N", with: "=3"))
        #expect(edit.kind == kind)
        #expect(try Edit.parse(edit.description) == edit)
        #expect(!kind.meaning.isEmpty)
    }

    @Test func `a list is read in its order`() throws {
        let edits = try Edit.parse(list: "rename=10,move=5, remint,remove-floor,remint=3")
        #expect(
            edits == [
                Edit(.rename, 10), Edit(.move, 5), Edit(.remint), Edit(.removeFloor), Edit(.remint, 3),
            ])
    }

    @Test(arguments: [
        "", "renam=1", "rename", "rename=", "rename=0", "rename=-1", "rename=1.5", "floor=2", "noise=1", "=",
    ])
    func `what is no edit is refused`(text: String) {
        #expect(throws: EditParsingError.self) { try Edit.parse(text) }
    }

    @Test func `the refusal says what would be right`() {
        #expect {
            try Edit.parse("rename=many")
        } throws: { error in
            (error as? EditParsingError)?.description.contains("rename=N") == true
        }
    }
}
