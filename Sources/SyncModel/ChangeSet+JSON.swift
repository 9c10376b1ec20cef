import Foundation
import IMDF

/// A change set on the wire. Every body stands on a line of its own, as it is stored: a client may hash lines and never has to
/// serialise a feature again. Nothing else stands on such a line but the comma behind a body.
extension ChangeSet {
    public func json() throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Self.size(of: self.blocks))
        text += try self.opening()
        try Self.append(self.blocks, to: &text)
        text += Self.closing
        return text
    }

    /// About how much room blocks take.
    static func size(of blocks: [Block]) -> Int {
        blocks.reduce(512) { $0 + $1.features.reduce(512) { $0 + $1.count + 2 } }
    }

    static func append(_ blocks: [Block], to text: inout [UInt8]) throws {
        for (index, block) in blocks.enumerated() {
            text += try block.opening()
            for (index, body) in block.features.enumerated() {
                text += body
                text += Self.separator(isLast: index + 1 == block.features.count)
            }
            text += try block.closing(isLast: index + 1 == blocks.count)
        }
    }

    /// The text before the first block. This, what stands around the bodies of each block, the bodies with a separator behind
    /// each, and ``closing`` are the document, for those who write it piece by piece.
    public func opening() throws -> [UInt8] {
        try Self.opening(of: ChangeSetHeader(.init(self), cursor: self.cursor), member: "levels")
    }

    public static let closing = "]}\n".utf8

    /// What stands behind a body.
    public static func separator(isLast: Bool) -> String.UTF8View { (isLast ? "\n" : ",\n").utf8 }

    /// An object without its closing brace, up to the first element of one more member.
    static func opening(of header: some Encodable, member: String) throws -> [UInt8] {
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
        let document = LineDocument(json)
        let skeleton = try WireJSON.value(ChangeSetSkeleton.self, from: document.skeleton)
        guard let cursor = skeleton.header.cursor else { throw LineDocument.refusal }
        self.init(try CatalogueChangeSet.Reply(skeleton, document.bodies), cursor: cursor)
    }
}

extension CatalogueChangeSet.Reply {
    init(_ skeleton: ChangeSetSkeleton, _ bodies: [[[UInt8]]]) throws {
        let header = skeleton.header
        guard header.protocol == ChangeSet.currentProtocol, skeleton.levels.count == bodies.count else {
            throw LineDocument.refusal
        }
        self.init(
            venue: header.venue, from: header.from, to: header.to, digest: header.digest, about: header.about,
            isComplete: header.complete,
            blocks: zip(skeleton.levels, bodies).map { level, bodies in
                ChangeSet.Block(
                    level: level.header.level, ordinal: level.header.ordinal, kind: level.header.kind,
                    isContinued: level.header.continued ?? false, digest: level.header.digest, features: bodies,
                    removed: level.removed)
            })
    }
}

/// A document whose bodies stand on lines of their own.
struct LineDocument {
    /// All but the bodies.
    private(set) var skeleton = Data()
    /// The bodies of every `features`, in order.
    private(set) var bodies: [[[UInt8]]] = []

    init(_ json: [UInt8]) {
        var isInside = false
        for line in json.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            if isInside, line.first == UInt8(ascii: "{") {
                self.bodies[self.bodies.count - 1].append(
                    Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line))
                continue
            }
            self.skeleton += line
            isInside = line.reversed().starts(with: "[:\"serutaef\"".utf8)
            if isInside { self.bodies.append([]) }
        }
    }

    static let refusal = DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "not a change set of protocol \(ChangeSet.currentProtocol)"))
}

/// What is said of one venue, but for its levels.
struct ChangeSetHeader: Codable {
    var `protocol`: Int
    var venue: VenueKey
    @OrNull var from: Int64?
    var to: Int64
    var digest: Digest
    var about: ChangeSet.About
    var complete: Bool
    /// Of a change set that stands alone.
    var cursor: Cursor?

    init(_ reply: CatalogueChangeSet.Reply, cursor: Cursor? = nil) {
        self.protocol = ChangeSet.currentProtocol
        self.venue = reply.venue
        self.from = reply.from
        self.to = reply.to
        self.digest = reply.digest
        self.about = reply.about
        self.complete = reply.isComplete
        self.cursor = cursor
    }
}

struct BlockHeader: Codable {
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

/// What is said of one venue, without the bodies.
struct ChangeSetSkeleton: Decodable {
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

    let header: ChangeSetHeader
    let levels: [Level]

    enum CodingKeys: String, CodingKey { case levels }

    init(from decoder: any Decoder) throws {
        self.header = try ChangeSetHeader(from: decoder)
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
