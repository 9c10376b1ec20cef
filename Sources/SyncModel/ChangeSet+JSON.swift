import Foundation
import IMDF

/// The JSON of a change set. Every body is a line of its own, byte for byte as stored, followed only by a comma. A client can hash the
/// lines and never has to serialize a feature.
extension ChangeSet {
    package func json() throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Self.size(of: self.blocks))
        text += try self.opening()
        try Self.append(self.blocks, to: &text)
        text += Self.closing
        return text
    }

    /// The approximate size of blocks in bytes.
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

    /// The text before the first block. A document that is written in parts consists of this text, of every block (its opening, its
    /// bodies with a separator after each, its closing), and of ``closing``.
    package func opening() throws -> [UInt8] {
        try JSONObjectWriter(ChangeSetHeader(.init(self), cursor: self.cursor)).openArray("levels")
    }

    package static let closing = "]}\n".utf8

    /// The text after a body.
    package static func separator(isLast: Bool) -> String.UTF8View { (isLast ? "\n" : ",\n").utf8 }
}

extension ChangeSet.Block {
    package func opening() throws -> [UInt8] {
        try JSONObjectWriter(BlockHeader(self)).openArray("features")
    }

    package func closing(isLast: Bool) throws -> [UInt8] {
        var text = Array("],\"removed\":".utf8)
        text += try WireJSON.data(self.removed)
        text += (isLast ? "}\n" : "},\n").utf8
        return text
    }
}

extension ChangeSet {
    /// Parses a document of ``json()``, or any other of the same form whose bodies are lines of their own.
    package init(json: [UInt8]) throws {
        let document = LineDocument(json)
        let skeleton = try WireJSON.value(ChangeSetSkeleton.self, from: document.skeleton)
        guard let cursor = skeleton.header.cursor else { throw LineDocument.error }
        self.init(try CatalogueChangeSet.VenueChanges(skeleton, document.bodies), cursor: cursor)
    }
}

extension CatalogueChangeSet.VenueChanges {
    init(_ skeleton: ChangeSetSkeleton, _ bodies: [[[UInt8]]]) throws {
        let header = skeleton.header
        guard header.protocol == ChangeSet.currentProtocol, skeleton.levels.count == bodies.count else {
            throw LineDocument.error
        }
        self.init(
            venue: header.venue, from: header.from, to: header.to, digest: header.digest,
            publishedAt: header.publishedAt?.date, about: header.about, isComplete: header.complete,
            blocks: zip(skeleton.levels, bodies).map { level, bodies in
                ChangeSet.Block(
                    level: level.header.level, ordinal: level.header.ordinal, kind: level.header.kind,
                    isContinued: level.header.continued ?? false, digest: level.header.digest, features: bodies,
                    removed: level.removed)
            })
    }
}

/// A document whose bodies are lines of their own, split into bodies and the rest.
struct LineDocument {
    /// The document without the bodies.
    private(set) var skeleton = Data()
    /// The bodies of each member `features`, in order.
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

    static let error = DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "not a change set of protocol \(ChangeSet.currentProtocol)"))
}

/// The members of a change set, without the levels.
struct ChangeSetHeader: Codable {
    var `protocol`: Int
    var venue: VenueKey
    @OrNull var from: Int64?
    var to: Int64
    var digest: Digest
    var publishedAt: OptionalTime?
    var about: ChangeSet.About
    var complete: Bool
    /// Nil within a ``CatalogueChangeSet``.
    var cursor: Cursor?

    enum CodingKeys: String, CodingKey {
        case `protocol`, venue, from, to, digest, about, complete, cursor
        case publishedAt = "published_at"
    }

    init(_ changes: CatalogueChangeSet.VenueChanges, cursor: Cursor? = nil) {
        self.protocol = ChangeSet.currentProtocol
        self.venue = changes.venue
        self.from = changes.from
        self.to = changes.to
        self.digest = changes.digest
        self.publishedAt = changes.publishedAt.map(OptionalTime.init(date:))
        self.about = changes.about
        self.complete = changes.isComplete
        self.cursor = cursor
    }
}

/// A time that no reader depends on: any value that is not a time is ignored.
struct OptionalTime: Codable {
    let date: Date?

    init(date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        self.date = (try? decoder.singleValueContainer().decode(String.self)).flatMap(Timestamp.date(of:))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.date.map(Timestamp.text(of:)))
    }
}

struct BlockHeader: Codable {
    @OrNull var level: FeatureID?
    @OrNull var ordinal: Int?
    var kind: ChangeSet.Kind
    /// Written only if true.
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

/// A change set without the bodies.
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
    package init(from decoder: any Decoder) throws {
        let token = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = Cursor(token) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a cursor"))
        }
        self = cursor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
