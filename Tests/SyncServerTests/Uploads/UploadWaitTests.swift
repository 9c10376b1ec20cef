import HTTPTypes
import IMDF
import Ingestion
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct UploadWaitTests {
    @Test func `waiting for an upload: the request is answered when the worker is done`() async throws {
        try await Harness.withChangeNotifier { harness in
            try await harness.push(SampleVenue.tiny.archive(), to: "unchanged")
            let unchanged = try await harness.sync(of: "unchanged").cursor
            async let earlier = harness.sync("since=\(unchanged)&wait=55", of: "unchanged")
            try await harness.untilWaiting(1)
            let response = try await harness.send(
                .post, "/venues/mall/uploads", type: "application/zip", body: SampleVenue.tiny.archive())
            let upload = try WireJSON.value(Upload.self, from: response.data)
            async let finished = harness.get(Upload.self, "/uploads/\(upload.id)?wait=60")
            try await harness.untilWaiting(2)
            while try await harness.worker.workOnce() {}
            #expect(try await finished.state == .published)
            // The earlier long poll still waits, so the time of this request was not over.
            #expect(harness.server.longPolls.count == 1)
            harness.server.longPolls.close()
            #expect(try await earlier.blocks.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `upload notifications: one comes for every upload that is finished or staged, and none for the queue`()
        async throws
    {
        try await Harness.run { harness in
            var notifications = harness.store.notifications.makeAsyncIterator()
            #expect(await notifications.next() == .connected)
            var expected: [UploadID] = []
            for query in ["", "?publish=hold"] {
                let edit = SampleVenue.tiny.edited(Edit(.rename, expected.count))
                let upload = try await harness.push(edit.archive(), query: query)
                expected.append(try #require(UploadID(upload.id)))
            }
            var received: [UploadID] = []
            while received.count < expected.count, let notification = await notifications.next() {
                if case .upload(let id) = notification { received.append(id) }
            }
            #expect(received == expected)
        }
    }
}
