/// The JSON of a catalogue change set. As in a ``ChangeSet``, every body is a line of its own.
extension CatalogueChangeSet {
    package func json() throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(self.venues.reduce(512) { $0 + ChangeSet.size(of: $1.blocks) })
        text += try self.opening()
        for (index, part) in self.venues.enumerated() {
            text += try part.opening()
            try ChangeSet.append(part.blocks, to: &text)
            text += part.closing(isLast: index + 1 == self.venues.count)
        }
        text += ChangeSet.closing
        return text
    }

    /// The text before the first venue. A document that is written in parts consists of this text, of every venue (its opening, its
    /// blocks, its closing), and of ``ChangeSet/closing``.
    package func opening() throws -> [UInt8] { try JSONObjectWriter(CatalogueHeader(self)).openArray("venues") }

    /// Parses a document of ``json()``, or any other of the same form whose bodies are lines of their own.
    package init(json: [UInt8]) throws {
        let document = LineDocument(json)
        let parts = try WireJSON.value(CatalogueParts.self, from: document.skeleton)
        var bodies = document.bodies[...]
        guard parts.header.protocol == ChangeSet.currentProtocol,
            parts.venues.reduce(0, { $0 + $1.levels.count }) == bodies.count
        else { throw LineDocument.error }
        self.init(
            from: parts.header.from, to: parts.header.to, isComplete: parts.header.complete,
            cursor: parts.header.cursor,
            venues: try parts.venues.map { part in
                defer { bodies = bodies.dropFirst(part.levels.count) }
                return try VenueChanges(part, Array(bodies.prefix(part.levels.count)))
            },
            gone: parts.header.gone)
    }
}

extension CatalogueChangeSet.VenueChanges {
    /// The text before the first block.
    package func opening() throws -> [UInt8] { try JSONObjectWriter(ChangeSetHeader(self)).openArray("levels") }

    /// The text after the last block.
    package func closing(isLast: Bool) -> [UInt8] { "]}".utf8 + Array(ChangeSet.separator(isLast: isLast)) }
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
