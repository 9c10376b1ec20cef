import IMDF
import Testing

/// What an unknown name was probably meant to be.
@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("levels", "level"), ("dryrun", "dry_run"), ("dry-run", "dry_run"), ("LIMIT", "limit"), ("sicne", "since"),
            ("x", nil), ("", nil), ("colour", nil), (String(repeating: "level", count: 1_000), nil),
        ] as [(String, String?)])
    func `misspelled names lead to the likely one`(name: String, meant: String?) {
        #expect(name.nearest(of: ["level", "dry_run", "limit", "since"]) == meant)
    }
}
