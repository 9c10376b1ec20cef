import Compression
import Hummingbird
import NIOCore
import RevisionStore
import SyncModel

/// A page of a change set that is read as it is sent, in batches: between two of them no connection to the database is held, and
/// the server holds no more of the page than one batch, however many read at once and however slowly.
struct ChangeSetBody: Sendable {
    let page: ChangeSetPage
    let venue: VenueRecord
    let store: RevisionStore
    let coding: ContentCoding?

    private static let batch = 256 << 10

    var responseBody: ResponseBody {
        .streamed { writer in
            let sink = Sink(compressor: try self.coding.map { try Compressor($0, effort: .streamed) })
            try await self.write(to: sink, &writer)
            try await sink.finish(&writer)
        }
    }

    private func write(to sink: Sink, _ writer: inout StreamWriter) async throws {
        var piece = try self.page.frame.opening()
        for (index, block) in self.page.frame.blocks.enumerated() {
            piece += try block.opening()
            let puts = self.page.puts[index]
            var left = puts.count
            for batch in Array(puts).batches(of: Self.batch) {
                for body in try await self.store.bodies(of: batch, in: self.venue) {
                    left -= 1
                    piece += body
                    piece += ChangeSet.separator(isLast: left == 0)
                }
                try await sink.write(piece, to: &writer)
                piece = []
            }
            piece += try block.closing(isLast: index + 1 == self.page.frame.blocks.count)
        }
        piece += ChangeSet.closing
        try await sink.write(piece, to: &writer)
    }

    /// Compresses on the way, if anything does.
    private struct Sink {
        let compressor: Compressor?

        func write(_ piece: [UInt8], to writer: inout StreamWriter) async throws {
            let bytes = try self.compressor?.append(piece) ?? piece
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        }

        func finish(_ writer: inout StreamWriter) async throws {
            if let rest = try self.compressor?.finish(), !rest.isEmpty {
                try await writer.write(ByteBuffer(bytes: rest))
            }
        }
    }
}
