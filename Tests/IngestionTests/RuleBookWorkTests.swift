import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct RuleBookWorkTests {
    /// A venue with errors of rules that do not block.
    private static func faulty() throws -> [UInt8] {
        var venue = SampleVenue(.small)
        for index in venue.features.indices where venue.features[index].type == .occupant {
            venue.features[index]["phone"] = "by letter only"
        }
        return try venue.archive()
    }

    private func complete(_ upload: Upload, in harness: Harness) async throws {
        #expect(upload.findings.complete && upload.findings.error > 0)
        let page = try await harness.get(FindingPage.self, "/uploads/\(upload.id)/findings?rule=PV-08&limit=2")
        #expect(page.complete && page.edition != nil && page.findings.count == 2 && page.next != nil)
        #expect(page.findings.allSatisfy { $0.rule == "PV-08" && $0.severity == .error && $0.at != nil })
        #expect(page.counts["PV-08"] ?? 0 > 2)
        #expect(page.skipped.contains { $0.rule == "RV-01" })
    }

    private struct FindingPage: Decodable {
        struct Skipped: Decodable {
            let rule: String
        }

        let findings: [Finding]
        let counts: [String: Int]
        let complete: Bool
        let edition: String?
        let skipped: [Skipped]
        let next: String?

        enum CodingKeys: String, CodingKey {
            case findings, counts, complete, skipped, next
            case edition = "rule_set"
        }
    }

    @Test func `validation: errors are reported and do not prevent publishing`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Self.faulty())
            #expect(upload.state == .published && upload.revision == 1)
            try await self.complete(upload, in: harness)
            let again = try await harness.push(Self.faulty())
            #expect(again.state == .unchanged && again.findings.complete && again.findings.error > 0)
        }
    }

    @Test(arguments: ["?strict=true", "?strict=true&publish=hold"])
    func `validation: a strict upload with errors is rejected`(query: String) async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Self.faulty(), query: query)
            #expect(upload.state == .rejected && upload.revision == nil)
            try await self.complete(upload, in: harness)
            let clean = try await harness.push(SampleVenue(.small).archive(), query: query)
            #expect(clean.state == (query.contains("hold") ? .staged : .published) && clean.findings.complete)
        }
    }

    @Test func `validation: a strict venue rejects every upload with errors`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.small).archive())
            let body = Array(#"{"validation":"strict"}"#.utf8)
            _ = try await harness.send(.patch, "/venues/mall", type: "application/json", body: body)
            let upload = try await harness.push(Self.faulty())
            #expect(upload.state == .rejected && upload.findings.complete && upload.findings.error > 0)
            #expect(try await harness.get(Venue.self, "/venues/mall").head == 1)
        }
    }

    @Test func `validation: a held upload has its findings before and after it is published`() async throws {
        try await Harness.run { harness in
            let staged = try await harness.push(Self.faulty(), query: "?publish=hold")
            #expect(staged.state == .staged)
            try await self.complete(staged, in: harness)
            _ = try await harness.send(
                .post, "/uploads/\(staged.id)/publish?wait=0", type: "application/json", body: Array("{}".utf8))
            while try await harness.worker.workOnce() {}
            let published = try await harness.get(Upload.self, "/uploads/\(staged.id)")
            #expect(published.state == .published && published.revision == 1)
            try await self.complete(published, in: harness)
        }
    }

    @Test func `validation: another worker continues after a killed one, and nothing is published twice`()
        async throws
    {
        try await Harness.run { harness in
            let upload = try await harness.push(Self.faulty())
            let findings = try await harness.findings(of: upload)
            // The state when a worker is killed right after publishing.
            try await Self.forgetValidation(of: upload, in: harness.store)
            let begun = try await harness.get(Upload.self, "/uploads/\(upload.id)")
            #expect(begun.state == .published && !begun.findings.complete)
            #expect(try await !harness.worker.workOnce(), "the lease has not expired")
            try await Self.loseLease(of: upload, in: harness.store)
            #expect(try await harness.worker.workOnce())
            #expect(try await !harness.worker.workOnce())
            let ended = try await harness.get(Upload.self, "/uploads/\(upload.id)")
            #expect(ended.state == .published && ended.revision == 1 && ended.findings.complete)
            #expect(try await harness.findings(of: ended) == findings)
            #expect(try await harness.get(Venue.self, "/venues/mall").head == 1)
        }
    }

    @Test func `validation: findings about revisions are the same when another worker continues`()
        async throws
    {
        try await Harness.run { harness in
            var venue = SampleVenue(.small)
            try await harness.push(venue.archive())
            try await harness.setUnguarded()
            _ = venue.apply(try Edit.parse(list: "remint,noise,move=2,relevel=1"), seed: 3)
            let upload = try await harness.push(venue.archive())
            #expect(upload.state == .published && upload.revision == 2)
            let findings = try await harness.findings(of: upload)
            #expect(findings.contains { $0.rule == "RV-02" })
            try await Self.forgetValidation(of: upload, in: harness.store)
            try await Self.loseLease(of: upload, in: harness.store)
            #expect(try await harness.worker.workOnce())
            #expect(try await harness.findings(of: upload) == findings)
        }
    }

    @Test func `validation: a level that changed its building is reported`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.small)
            try await harness.push(venue.archive())
            try await harness.setUnguarded()
            let level = try #require(venue.features.firstIndex { $0.type == .level && $0["outdoor"] == false })
            let other = try #require(
                venue.features.first {
                    $0.type == .building && [.string($0.id.description)] != venue.features[level]["building_ids"]
                })
            venue.features[level]["building_ids"] = [.string(other.id.description)]
            let findings = try await harness.findings(of: try await harness.push(venue.archive()))
            let moved = findings.filter { $0.rule == "RV-04" }
            #expect(moved.map(\.featureID) == [venue.features[level].id])
            #expect(moved.first?.message.contains("\(other.id)") == true)
        }
    }

    @Test func `validation: an archive that crashes workers is given up after some attempts`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Self.faulty())
            try await Self.forgetValidation(of: upload, in: harness.store)
            for _ in 1..<RevisionStore.attempts {
                try await Self.loseLease(of: upload, in: harness.store)
                #expect(try await harness.store.claimValidation(leaseFor: 3_600) != nil)
            }
            try await Self.loseLease(of: upload, in: harness.store)
            #expect(try await harness.store.claimValidation(leaseFor: 3_600) == nil)
            let page = try await harness.get(FindingPage.self, "/uploads/\(upload.id)/findings")
            #expect(page.complete && page.skipped.map(\.rule) == ["*"])
        }
    }

    @Test func `validation: the next upload does not wait for the validation of the one before`() async throws {
        try await Harness.run { harness in
            let first = try await harness.push(Self.faulty())
            try await Self.forgetValidation(of: first, in: harness.store)  // another worker holds the lease
            let second = try await harness.push(SampleVenue(.small).archive())
            #expect(second.state == .published && second.revision == 2 && second.findings.complete)
            #expect(try await !harness.get(Upload.self, "/uploads/\(first.id)").findings.complete)
            try await Self.loseLease(of: first, in: harness.store)
            #expect(try await harness.worker.workOnce())
            try await self.complete(harness.get(Upload.self, "/uploads/\(first.id)"), in: harness)
        }
    }

    @Test func `validation: one of two workers runs the rules, and a lost lease prevents storing`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Self.faulty())
            try await Self.forgetValidation(of: upload, in: harness.store)
            try await Self.loseLease(of: upload, in: harness.store)
            let first = try #require(try await harness.store.claimValidation(leaseFor: 3_600))
            #expect(try await harness.store.claimValidation(leaseFor: 3_600) == nil)
            try await Self.loseLease(of: upload, in: harness.store)
            let second = try #require(try await harness.store.claimValidation(leaseFor: 3_600))
            await #expect(throws: StoreError.leaseLost) {
                try await harness.store.finishValidation(first, findings: [])
            }
            try await harness.store.finishValidation(second, findings: [])
            #expect(try await harness.get(Upload.self, "/uploads/\(upload.id)").findings.complete)
        }
    }

    /// Sets an upload back to the moment at which it was published.
    private static func forgetValidation(of upload: Upload, in store: RevisionStore) async throws {
        _ = try await store.pool.query(
            """
            UPDATE upload SET findings_complete = false, rule_set = NULL, skipped = '[]', validations = 1,
                finding_counts = '{}', severity_counts = '{}', phase = 'validating', lease = gen_random_uuid(),
                lease_until = now() + interval '1 hour'
            WHERE id = \(UploadID(upload.id))
            """)
        _ = try await store.pool.query("DELETE FROM finding WHERE upload_id = \(UploadID(upload.id))")
    }

    private static func loseLease(of upload: Upload, in store: RevisionStore) async throws {
        _ = try await store.pool.query(
            "UPDATE upload SET lease_until = now() - interval '1 second' WHERE id = \(UploadID(upload.id))")
    }
}
