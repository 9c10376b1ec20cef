import Hummingbird
import IMDF
import NIOCore
import OGCFeatures
import RevisionStore
import SyncModel

/// The features of a page. Their bodies are read while the page is sent; between two batches neither a permit nor a database connection is
/// held, however slowly the client reads.
struct ItemsBody: Sendable {
    let readModel: ReadModel
    let venue: VenueRecord
    let revision: Int64
    let page: RevisionTables.Page
    let writer: FeatureWriter
    let links: [JSONValue]
    let permits: FairSemaphore<VenueKey>
    let connection: DisconnectHandler?

    private static let batchBytes = 256 << 10

    /// A FeatureCollection.
    var json: ResponseBody {
        .streamed { writer in
            var text = FeatureWriter.opening(of: self.page, links: self.links)
            for (index, batch) in self.batches().enumerated() {
                text += try await self.connection.cancelOnDisconnect {
                    try await self.text(of: batch, isFirst: index == 0)
                }
                let part = ByteBuffer(bytes: text)
                text = []
                try await writer.write(part)
            }
            try await writer.write(ByteBuffer(bytes: text + FeatureWriter.closing))
        }
    }

    private func text(of batch: ArraySlice<RevisionTables.Item>, isFirst: Bool) async throws -> [UInt8] {
        try await self.permits.withPermit(for: self.venue.key, mayBeRefused: false) {
            let features = try await self.bodies(of: batch)
            return try await offSharedThreads { _ in try self.writer.text(of: features, isFirst: isFirst) }
        }
    }

    /// A page for people, with a link for each feature. All of its features are in memory while it has its permit.
    func html(title: String, _ links: PageLinks) async throws -> ResponseBody {
        let bytes: [UInt8] = try await self.permits.withPermit(for: self.venue.key) {
            var features: [JSONValue] = []
            for batch in self.batches() {
                let bodies = try await self.bodies(of: batch)
                features += try await offSharedThreads { _ in
                    try bodies.map { item, body in
                        var feature = try self.writer.feature(item.id, on: item.level, body: body)
                        feature["href"] = .string(links.address(of: item.id, revision: self.revision))
                        return .object(feature)
                    }
                }
            }
            let value: JSONValue = [
                "features": .array(features), "links": .array(self.links),
                "numberMatched": .number(Double(self.page.matched)),
            ]
            return try await offSharedThreads { _ in HTMLDocument.page(title, value) }
        }
        return try .held(ByteBuffer(bytes: bytes))
    }

    private func batches() -> [ArraySlice<RevisionTables.Item>] {
        var (batches, start, size): ([ArraySlice<RevisionTables.Item>], Int, Int) = ([], 0, 0)
        for (index, item) in self.page.items.enumerated() {
            if index > start, size + item.bytes > Self.batchBytes {
                batches.append(self.page.items[start..<index])
                (start, size) = (index, 0)
            }
            size += item.bytes
        }
        if start < self.page.items.count { batches.append(self.page.items[start...]) }
        return batches
    }

    private func bodies(
        of batch: ArraySlice<RevisionTables.Item>
    ) async throws -> [(item: RevisionTables.Item, body: [UInt8])] {
        let bodies = try await self.readModel.read(self.venue, at: self.revision) { store in
            try await store.bodies(of: batch.map(\.id), in: self.venue, at: self.revision)
        }
        return Array(zip(batch, bodies))
    }
}
