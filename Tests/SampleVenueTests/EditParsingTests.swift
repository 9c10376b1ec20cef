import SampleVenue
import Testing

struct EditParsingTests {
    @Test(arguments: Edit.Kind.allCases)
    func `edit parsing reads every kind in the form that it prints`(kind: Edit.Kind) throws {
        let edit = try Edit.parse(kind.form.replacing("[=N]", with: "").replacing("=N", with: "=3"))
        #expect(edit.kind == kind)
        #expect(try Edit.parse(edit.description) == edit)
        #expect(!kind.meaning.isEmpty)
    }

    @Test func `edit parsing keeps the order of a list`() throws {
        let edits = try Edit.parse(list: "rename=10,move=5, remint,remove-floor,remint=3")
        #expect(
            edits == [
                Edit(.rename, 10), Edit(.move, 5), Edit(.remint), Edit(.removeFloor), Edit(.remint, 3),
            ])
    }

    @Test(arguments: [
        "", "renam=1", "rename", "rename=", "rename=0", "rename=-1", "rename=1.5", "floor=2", "noise=1", "=",
    ])
    func `edit parsing refuses invalid edits`(text: String) {
        #expect(throws: EditParsingError.self) { try Edit.parse(text) }
    }

    @Test func `edit parsing: an error names the expected form`() {
        #expect {
            try Edit.parse("rename=many")
        } throws: { error in
            (error as? EditParsingError)?.description.contains("rename=N") == true
        }
    }
}
