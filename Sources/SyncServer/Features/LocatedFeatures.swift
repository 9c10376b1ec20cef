import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionStore
import SyncModel

/// A FeatureCollection of the features with a geometry, which only their bodies reveal. It is read while it is sent; between two
/// batches neither a permit nor a database connection is held, however slowly the client reads.
struct LocatedFeatures: Sendable {
    let readModel: ReadModel
    let source: ResponseChunk.Source
    let versions: [VersionSummary]
    let permits: FairSemaphore<VenueKey>
    let connection: DisconnectHandler?

    private static let batchBytes = 256 << 10

    var responseBody: ResponseBody {
        .streamed { writer in
            try await writer.write(ByteBuffer(string: "{\"type\":\"FeatureCollection\",\"features\":["))
            var isFirst = true
            for batch in self.versions.batches(of: Self.batchBytes) {
                let text = try await self.connection.cancelOnDisconnect { try await self.text(of: batch) }
                // Each feature follows a comma, which the first one does not need.
                let part = ByteBuffer(bytes: isFirst ? text.dropFirst() : text[...])
                isFirst = isFirst && text.isEmpty
                try await writer.write(part)
            }
            try await writer.write(ByteBuffer(string: "\n]}\n"))
        }
    }

    /// Those of a batch that have a geometry, each after a comma and a line break.
    private func text(of batch: ArraySlice<VersionSummary>) async throws -> [UInt8] {
        try await self.permits.withPermit(for: self.source.venue.key, mayBeRefused: false) {
            let bodies = try await self.readModel.read(self.source.venue, at: self.source.revision) { store in
                try await store.bodies(of: batch, in: self.source.venue)
            }
            return try await offSharedThreads { _ in
                var text: [UInt8] = []
                for (version, stored) in zip(batch, bodies) {
                    let body = self.source.isStrict ? try version.strictBody(stored) : stored
                    guard try JSONReader.value(of: body)["geometry"] != .null else { continue }
                    text += ",\n".utf8
                    text += body
                }
                return text
            }
        }
    }
}
