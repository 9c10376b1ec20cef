import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// `venue pull --trust` from a server that does not send what was signed.
@Suite(.database, .serialized)
struct ForgedPullTests {
    enum Attack: CaseIterable, Sendable {
        case otherBodies, cutOff, replayedFirstSync, unknownRevision
    }

    private static let venue = SampleVenue(.small)

    private struct Answers: Sendable {
        let harness: Harness
        /// The response to the first synchronization, when the venue had one revision.
        let firstSync: [UInt8]

        func answer(_ path: String, _ attack: Attack) async throws -> (HTTPResponse.Status, [UInt8]) {
            let isSync = path.contains("/sync") || path.contains("/features")
            let unknown = "/venues/mall/sync?to=99"
            let response = try await self.harness.send(
                .get, isSync && attack == .unknownRevision ? unknown : path.replacing("&form=delta", with: ""))
            let body = Array(response.data)
            guard isSync else { return (response.status, body) }
            switch attack {
            case .otherBodies:
                return (response.status, Array(response.text.replacing("\"en\":\"", with: "\"en\":\"A ").utf8))
            case .cutOff: return (response.status, Array(body.prefix(body.count / 2)))
            case .replayedFirstSync: return (response.status, self.firstSync)
            case .unknownRevision: return (response.status, body)
            }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: Attack.allCases, [false, true])
    func `pull with trusted keys ends with 9 when a response is not what was signed`(attack: Attack, isUpdate: Bool)
        async throws
    {
        let keys = try SigningKeys.random()
        let workplace = try Workplace()
        let file = workplace.path("mall.sqlite")
        try await Harness.run(store: TestDatabase.current.store(signing: keys)) { harness in
            try await harness.push(Self.venue.archive())
            let key = try #require(keys.trusted.first)
            let arguments = ["pull", "mall", "--into", file, "--trust", "\(key)"]
            let first = try await harness.send(.get, "/venues/mall/sync")
            let answers = Answers(harness: harness, firstSync: Array(first.data))
            if isUpdate {
                let honest = try await withAnsweringServer { path in
                    let response = try await harness.send(.get, path)
                    return (response.status, Array(response.data))
                } _: { address in
                    try await VenueProgram.run(arguments, server: address, key: Harness.adminKey)
                }
                #expect(honest.status == 0, "\(honest.complaint)")
            }
            var renamed = Self.venue
            _ = renamed.apply([Edit(.rename, 2)], seed: 1)
            try await harness.push(renamed.archive())
            let outcome = try await withAnsweringServer { path in
                try await answers.answer(path, attack)
            } _: { address in
                try await VenueProgram.run(arguments, server: address, key: Harness.adminKey)
            }
            #expect(outcome.status == 9, "\(outcome.complaint)")
            // A file that was made for this pull is removed, and another one stays as it is.
            #expect(FileManager.default.fileExists(atPath: file) == isUpdate)
            if isUpdate {
                let state = try await ReplicaStore.open(URL(filePath: file)).state()
                #expect(state.revision == 1)
            }
            let untrusting = try await withAnsweringServer { path in
                try await answers.answer(path, attack)
            } _: { address in
                try await VenueProgram.run(
                    ["pull", "mall", "--into", workplace.path("other.sqlite")], server: address,
                    key: Harness.adminKey)
            }
            #expect(untrusting.status == (attack == .replayedFirstSync ? 0 : 1), "\(untrusting.complaint)")
        }
    }
}
