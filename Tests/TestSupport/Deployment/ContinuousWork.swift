package import Foundation
import IMDF
import SyncModel
import Synchronization
import Testing
import VenueMap

/// Requests of every kind, each repeated for as long as a test needs.
package final class ContinuousWork: Sendable {
    package enum Kind: CaseIterable {
        case edit, tile, export, tileArchive
    }

    private let feature: String
    /// The column and row of the tile in the middle.
    private let tile: (x: Int, y: Int)
    private let counts = Mutex<[Kind: Int]>([:])
    private let edits = Mutex<[String: [UInt8]]>([:])
    private let failed = Mutex<Set<Int?>>([])

    /// - Parameter service: Has the first revision of the venue `mall`.
    package init(on service: RemoteService) async throws {
        let features = try await service.request(
            "GET", "/venues/mall/revisions/1/features?type=occupant&limit=1")
        self.feature = try #require(features.text.firstMatch(of: /"id":"([0-9a-f-]{36})"/)).output.1.description
        let json = try JSONDecoder().decode(
            TileJSON.self, from: Data(await service.request("GET", "/venues/mall/tiles/0.json?format=png").body))
        let tile = WebMercator.tile(of: Position(longitude: json.center[0], latitude: json.center[1]), zoom: 20)
        self.tile = (tile.x, tile.y)
    }

    private struct TileJSON: Decodable {
        let center: [Double]
    }

    package var isEveryKindDone: Bool {
        self.counts.withLock { counts in Kind.allCases.allSatisfy { counts[$0] ?? 0 >= 2 } }
    }

    /// The statuses of refused requests; nil for those without a complete response.
    package var failures: Set<Int?> { self.failed.withLock { $0 } }

    package func `repeat`(_ kind: Kind, on service: RemoteService, until isOver: Flag) async throws {
        var round = 0
        while !isOver.isSet {
            round += 1
            let id = FeatureID.random()
            let response: RemoteService.Response
            do {
                response =
                    switch kind {
                    case .edit: try await self.edit(id, on: service)
                    case .tile: try await service.send("GET", "/venues/mall/tiles/0/\(self.tileName(round))")
                    case .export: try await service.send("GET", Self.export)
                    case .tileArchive: try await service.send("GET", Self.tileArchive)
                    }
            } catch {
                self.failed.withLock { _ = $0.insert(nil) }
                return
            }
            guard [200, 201].contains(response.status) else {
                self.failed.withLock { _ = $0.insert(response.status) }
                continue
            }
            self.counts.withLock { $0[kind, default: 0] += 1 }
            if kind == .edit { self.edits.withLock { $0["\(id)"] = response.body } }
        }
    }

    private static let export = "/venues/mall/revisions/1/archive.zip"
    private static let tileArchive = "/venues/mall/revisions/1/tiles/0.pmtiles"

    /// Another tile around the middle in every round.
    private func tileName(_ round: Int) -> String {
        "20/\(self.tile.x + round % 7 - 3)/\(self.tile.y + round / 7 % 7 - 3).png"
    }

    private func edit(_ id: some CustomStringConvertible, on service: RemoteService) async throws
        -> RemoteService.Response
    {
        let patch: JSONValue = ["properties": ["website": .string("https://\(id).example")]]
        let body: JSONValue = [
            "id": .string("\(id)"), "edits": [["feature": .string(self.feature), "patch": patch]],
        ]
        return try await service.send(
            "POST", "/venues/mall/edits", type: "application/json", body: CanonicalJSON.data(body))
    }

    /// What the first revision looks like, which no later change may alter.
    package func stableResponses(of service: RemoteService) async throws -> [Data] {
        var responses: [Data] = []
        for path in [Self.export, Self.tileArchive, "/venues/mall/revisions/1/tiles/0/\(self.tileName(3 + 3 * 7))"] {
            try await responses.append(Data(service.request("GET", path).body))
        }
        return responses
    }

    /// Every acknowledged edit was made, once: it has the same outcome when it is sent again.
    package func checkEdits(on service: RemoteService) async throws {
        let edits = self.edits.withLock { $0 }
        #expect(edits.count >= 2)
        let head = try await service.get(Venue.self, "/venues/mall").head
        for (id, outcome) in edits {
            #expect(try await self.edit(id, on: service).body == outcome)
        }
        #expect(try await service.get(Venue.self, "/venues/mall").head == head)
        #expect(head >= 1 + Int64(edits.count))
    }
}
