import Foundation
import IMDFArchive
import SampleVenue

/// A large generated venue and its next revisions.
struct Archives {
    let first: [UInt8]
    let edited: [UInt8]
    let noise: [UInt8]
    /// `edited` with new ids for all features.
    let reminted: [UInt8]
    let features: Int
    let inflatedBytes: Int
    private let file: URL

    init(levels: Int, in folder: URL) throws {
        var venue = SampleVenue(.init(levels: levels, unitsPerLevel: 250, seed: 7))
        self.features = venue.features.count
        self.inflatedBytes = venue.files().reduce(0) { $0 + $1.content.count }
        self.first = try venue.archive()
        var next = venue
        _ = next.apply(try Edit.parse(list: "rename=10,move=5,hours=5"), seed: 11)
        self.edited = try next.archive()
        // Based on the edited venue, which is the newest revision by then.
        venue = next
        _ = venue.apply(try Edit.parse(list: "noise"), seed: 12)
        self.noise = try venue.archive()
        _ = next.apply(try Edit.parse(list: "remint"), seed: 13)
        self.reminted = try next.archive()
        self.file = folder.appending(path: "first.zip")
        try Data(self.first).write(to: self.file)
    }

    /// The control: the minimum work to read the archive.
    func unzipAndHash() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "unzip -p \"$1\" | sha256sum > /dev/null", "sh", self.file.path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ToolMissing(name: "unzip and sha256sum") }
    }

    struct ToolMissing: Error {
        let name: String
    }
}
