import Foundation
import IMDF
import SyncModel
import TestSupport
import Testing

/// `venue edit VENUE ID name=…`: the language of a text for which an operator gives none.
@Suite(.serialized)
struct LabelEditTests {
    @Test(.timeLimit(.minutes(30)))
    func `edit of a label without a language takes the venue's, also from en_US`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let (archive, folder) = (workplace.path("v1.zip"), workplace.path("unpacked"))
        #expect(try await service.venue("generate", "-o", archive, "--levels", "1", "--units", "8").status == 0)
        let unzipped = Process()
        unzipped.executableURL = URL(filePath: "/usr/bin/env")
        unzipped.arguments = ["python3", "-m", "zipfile", "-e", archive, folder]
        try unzipped.run()
        unzipped.waitUntilExit()
        let manifest = URL(filePath: "\(folder)/manifest.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try #require(text.contains("ja-JP"))
        try text.replacing("ja-JP", with: "en_US").write(to: manifest, atomically: true, encoding: .utf8)
        #expect(try await service.venue("push", folder, "--to", "mall", "--new").status == 0)

        // The label has a text in English and one in Japanese.
        let shop = try await self.first("occupant", at: service)
        let renamed = try await service.venue("edit", "mall", shop, "name=Shoes")
        #expect(renamed.status == 0 && renamed.output.contains("“en”, and keeps ja"), "\(renamed.complaint)")
        // There is no label yet.
        let opening = try await self.first("opening", at: service)
        let added = try await service.venue("edit", "mall", opening, "alt_name=Gate")
        #expect(added.status == 0 && added.output.contains("“en-US”"), "\(added.output) \(added.complaint)")
        #expect(await service.stop() == 0)
    }

    private func first(_ type: String, at service: RunningService) async throws -> String {
        struct Features: Decodable {
            struct Feature: Decodable { let id: String }
            let features: [Feature]
        }
        let data = try await service.get("/venues/mall/revisions/1/features?type=\(type)")
        return try #require(try WireJSON.value(Features.self, from: data).features.first?.id)
    }
}
