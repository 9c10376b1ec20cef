/// The same on the wire: bodies stand on lines of their own here too.
extension CatalogueChangeSet {
    public func json() throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(self.venues.reduce(512) { $0 + ChangeSet.size(of: $1.blocks) })
        text += try self.opening()
        for (index, reply) in self.venues.enumerated() {
            text += try reply.opening()
            try ChangeSet.append(reply.blocks, to: &text)
            text += reply.closing(isLast: index + 1 == self.venues.count)
        }
        text += ChangeSet.closing
        return text
    }

    /// The text before the first venue. This, what stands around the blocks of each, the blocks, and ``ChangeSet/closing`` are the
    /// document, for those who write it piece by piece.
    public func opening() throws -> [UInt8] { try ChangeSet.opening(of: CatalogueHeader(self), member: "venues") }

    /// Reads what ``json()`` writes, or any document of that shape whose bodies stand on lines of their own.
    public init(json: [UInt8]) throws {
        let document = LineDocument(json)
        let parts = try WireJSON.value(CatalogueParts.self, from: document.skeleton)
        var bodies = document.bodies[...]
        guard parts.header.protocol == ChangeSet.currentProtocol,
            parts.venues.reduce(0, { $0 + $1.levels.count }) == bodies.count
        else { throw LineDocument.refusal }
        self.init(
            from: parts.header.from, to: parts.header.to, isComplete: parts.header.complete,
            cursor: parts.header.cursor,
            venues: try parts.venues.map { part in
                defer { bodies = bodies.dropFirst(part.levels.count) }
                return try Reply(part, Array(bodies.prefix(part.levels.count)))
            },
            gone: parts.header.gone)
    }
}

extension CatalogueChangeSet.Reply {
    /// The text before the first block.
    public func opening() throws -> [UInt8] { try ChangeSet.opening(of: ChangeSetHeader(self), member: "levels") }

    /// The text behind the last block.
    public func closing(isLast: Bool) -> [UInt8] { "]}".utf8 + Array(ChangeSet.separator(isLast: isLast)) }
}

private struct CatalogueHeader: Codable {
    var `protocol`: Int
    @OrNull var from: Int64?
    var to: Int64
    var complete: Bool
    var cursor: CatalogueCursor
    var gone: [VenueKey]

    init(_ set: CatalogueChangeSet) {
        self.protocol = ChangeSet.currentProtocol
        self.from = set.from
        self.to = set.to
        self.complete = set.isComplete
        self.cursor = set.cursor
        self.gone = set.gone
    }
}

/// The document without the bodies.
private struct CatalogueParts: Decodable {
    let header: CatalogueHeader
    let venues: [ChangeSetSkeleton]

    enum CodingKeys: String, CodingKey { case venues }

    init(from decoder: any Decoder) throws {
        self.header = try CatalogueHeader(from: decoder)
        self.venues = try decoder.container(keyedBy: CodingKeys.self).decode([ChangeSetSkeleton].self, forKey: .venues)
    }
}
