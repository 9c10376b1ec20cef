import Foundation
import IMDF

/// A change set on the wire. Every body stands on a line of its own, as it is stored: a client may hash lines and never has to
/// serialise a feature again. Nothing else stands on such a line but the comma behind a body.
extension ChangeSet {
    public func json() throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(self.blocks.reduce(512) { $0 + $1.features.reduce(512) { $0 + $1.count + 2 } })
        text += try self.opening()
        for (index, block) in self.blocks.enumerated() {
            text += try block.opening()
            for (index, body) in block.features.enumerated() {
                text += body
                text += Self.separator(isLast: index + 1 == block.features.count)
            }
            text += try block.closing(isLast: index + 1 == self.blocks.count)
        }
        text += Self.closing
        return text
    }

    /// The text before the first block. This, what stands around the bodies of each block, the bodies with a separator behind
    /// each, and ``closing`` are the document, for those who write it piece by piece.
    public func opening() throws -> [UInt8] { try Self.opening(of: Header(self), member: "levels") }

    public static let closing = "]}\n".utf8

    /// What stands behind a body.
    public static func separator(isLast: Bool) -> String.UTF8View { (isLast ? "\n" : ",\n").utf8 }

    /// An object without its closing brace, up to the first element of one more member.
    fileprivate static func opening(of header: some Encodable, member: String) throws -> [UInt8] {
        Array(try WireJSON.data(header).dropLast()) + Array(",\"\(member)\":[\n".utf8)
    }
}

extension ChangeSet.Block {
    public func opening() throws -> [UInt8] {
        try ChangeSet.opening(of: BlockHeader(self), member: "features")
    }

    public func closing(isLast: Bool) throws -> [UInt8] {
        var text = Array("],\"removed\":".utf8)
        text += try WireJSON.data(self.removed)
        text += (isLast ? "}\n" : "},\n").utf8
        return text
    }
}

extension ChangeSet {
    /// Reads what ``json()`` writes, or any document of that shape whose bodies stand on lines of their own.
    public init(json: [UInt8]) throws {
        var skeleton: [UInt8] = []
        var bodies: [[[UInt8]]] = []
        var isInside = false
        for line in json.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            if isInside, line.first == UInt8(ascii: "{") {
                bodies[bodies.count - 1].append(Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line))
                continue
            }
            skeleton += line
            isInside = line.reversed().starts(with: "[:\"serutaef\"".utf8)
            if isInside { bodies.append([]) }
        }
        let reply = try WireJSON.value(Reply.self, from: Data(skeleton))
        guard reply.header.protocol == Self.currentProtocol, reply.levels.count == bodies.count else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "not a change set of protocol \(Self.currentProtocol)"))
        }
        self.init(
            venue: reply.header.venue, from: reply.header.from, to: reply.header.to, digest: reply.header.digest,
            about: reply.header.about, isComplete: reply.header.complete, cursor: reply.header.cursor,
            blocks: zip(reply.levels, bodies).map { level, bodies in
                Block(
                    level: level.header.level, ordinal: level.header.ordinal, kind: level.header.kind,
                    isContinued: level.header.continued ?? false, digest: level.header.digest, features: bodies,
                    removed: level.removed)
            })
    }
}

private struct Header: Codable {
    var `protocol`: Int
    var venue: VenueKey
    @OrNull var from: Int64?
    var to: Int64
    var digest: Digest
    var about: ChangeSet.About
    var complete: Bool
    var cursor: Cursor

    init(_ set: ChangeSet) {
        self.protocol = ChangeSet.currentProtocol
        self.venue = set.venue
        self.from = set.from
        self.to = set.to
        self.digest = set.digest
        self.about = set.about
        self.complete = set.isComplete
        self.cursor = set.cursor
    }
}

private struct BlockHeader: Codable {
    @OrNull var level: FeatureID?
    @OrNull var ordinal: Int?
    var kind: ChangeSet.Kind
    /// Stands there only when it is true.
    var continued: Bool?
    @OrNull var digest: Digest?

    enum CodingKeys: String, CodingKey {
        case ordinal, kind, continued, digest
        case level = "level_id"
    }

    init(_ block: ChangeSet.Block) {
        self.level = block.level
        self.ordinal = block.ordinal
        self.kind = block.kind
        self.continued = block.isContinued ? true : nil
        self.digest = block.digest
    }
}

/// The document without the bodies.
private struct Reply: Decodable {
    struct Level: Decodable {
        let header: BlockHeader
        let removed: [ChangeSet.Removal]

        enum CodingKeys: String, CodingKey { case removed }

        init(from decoder: any Decoder) throws {
            self.header = try BlockHeader(from: decoder)
            self.removed = try decoder.container(keyedBy: CodingKeys.self).decode(
                [ChangeSet.Removal].self, forKey: .removed)
        }
    }

    let header: Header
    let levels: [Level]

    enum CodingKeys: String, CodingKey { case levels }

    init(from decoder: any Decoder) throws {
        self.header = try Header(from: decoder)
        self.levels = try decoder.container(keyedBy: CodingKeys.self).decode([Level].self, forKey: .levels)
    }
}

extension Cursor: Codable {
    public init(from decoder: any Decoder) throws {
        let token = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = Cursor(token) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a cursor"))
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
