import Hummingbird
import IMDF
import NIOCore
import OGCFeatures
import RevisionStore

/// The features of a page. Their bodies are read while the page is sent; between two batches no database connection is held, however
/// slowly the client reads.
struct ItemsBody: Sendable {
    let readModel: ReadModel
    let venue: VenueRecord
    let revision: Int64
    let page: RevisionTables.Page
    let writer: FeatureWriter
    let links: [JSONValue]

    private static let batchBytes = 512 << 10

    /// A FeatureCollection.
    var json: ResponseBody {
        .streamed { writer in
            var text = FeatureWriter.opening(of: self.page, links: self.links)
            var isFirst = true
            for batch in self.batches() {
                let features = try await self.bodies(of: batch)
                let opening = (text, isFirst)
                text = try await offSharedThreads { _ in
                    try opening.0 + self.writer.text(of: features, isFirst: opening.1)
                }
                isFirst = false
                try await writer.write(ByteBuffer(bytes: text))
                text = []
            }
            try await writer.write(ByteBuffer(bytes: text + FeatureWriter.closing))
        }
    }

    /// A page for people, with a link for each feature.
    func html(title: String, _ links: PageLinks) async throws -> ResponseBody {
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
        let bytes = try await offSharedThreads { _ in HTMLDocument.page(title, value) }
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
