import Compression
import Hummingbird
import NIOCore
import RevisionStore
import SyncModel

/// A page of a change set that is read as it is sent, in batches: between two of them no connection to the database is held, and
/// the server holds no more of the page than one batch, however many read at once and however slowly.
struct ChangeSetBody: Sendable {
    enum Page: Sendable {
        case ofOne(VenueRecord, ChangeSetPage)
        case ofAll(CatalogueChangeSetPage)
    }

    let page: Page
    let node: Node
    let coding: ContentCoding?

    private static let batch = 256 << 10

    var responseBody: ResponseBody {
        .streamed { writer in
            var text = Text(compressor: try self.coding.map { try Compressor($0, effort: .streamed) }, writer: writer)
            defer { writer = text.writer }
            switch self.page {
            case .ofOne(let venue, let page):
                text.append(try page.frame.opening())
                try await self.write(page, of: venue, to: &text)
            case .ofAll(let page):
                text.append(try page.frame.opening())
                for (index, share) in page.shares.enumerated() {
                    let reply = page.frame.venues[index]
                    text.append(try reply.opening())
                    try await self.write(share.page, of: share.venue, to: &text)
                    text.append(reply.closing(isLast: index + 1 == page.shares.count))
                }
            }
            text.append(Array(ChangeSet.closing))
            try await text.finish()
        }
    }

    /// The blocks of one venue.
    private func write(_ page: ChangeSetPage, of venue: VenueRecord, to text: inout Text) async throws {
        for (index, block) in page.frame.blocks.enumerated() {
            text.append(try block.opening())
            let puts = page.puts[index]
            var left = puts.count
            for batch in Array(puts).batches(of: Self.batch) {
                let bodies = try await self.node.read(venue) { try await $0.bodies(of: batch, in: venue) }
                for body in bodies {
                    left -= 1
                    text.append(body)
                    text.append(Array(ChangeSet.separator(isLast: left == 0)))
                }
                try await text.send()
            }
            text.append(try block.closing(isLast: index + 1 == page.frame.blocks.count))
        }
    }

    /// What is sent, gathered into pieces and compressed on the way, if it is.
    private struct Text {
        let compressor: Compressor?
        var writer: StreamWriter
        private var piece: [UInt8] = []

        init(compressor: Compressor?, writer: StreamWriter) {
            self.compressor = compressor
            self.writer = writer
        }

        mutating func append(_ bytes: [UInt8]) { self.piece += bytes }

        mutating func send() async throws {
            let bytes = try self.compressor?.append(self.piece) ?? self.piece
            self.piece = []
            if !bytes.isEmpty { try await self.writer.write(ByteBuffer(bytes: bytes)) }
        }

        mutating func finish() async throws {
            try await self.send()
            if let rest = try self.compressor?.finish(), !rest.isEmpty {
                try await self.writer.write(ByteBuffer(bytes: rest))
            }
        }
    }
}
