package import IMDF
package import SyncModel

/// The contents of a client of one venue, maintained only by the five steps of the protocol.
package struct Replica: Equatable, Sendable {
    package struct Held: Equatable, Sendable {
        package var level: FeatureID?
        package var body: [UInt8]

        package init(level: FeatureID?, body: [UInt8]) {
            self.level = level
            self.body = body
        }
    }

    package var features: [FeatureID: Held] = [:]
    package var cursor: Cursor?

    package init() {}

    package struct WrongDigest: Error {
        package let level: FeatureID?
    }

    /// Applies all pages of one change set.
    package mutating func apply(_ pages: [ChangeSet]) throws {
        guard let last = pages.last, last.isComplete else { return }
        try self.apply(pages.flatMap(\.blocks))
        // 5. Keep the cursor.
        self.cursor = last.cursor
    }

    /// Applies the first four steps.
    package mutating func apply(_ blocks: [ChangeSet.Block]) throws {
        // 1. Remove levels that are sent anew or are gone.
        for block in blocks where block.kind != .changes {
            self.features = self.features.filter { $0.value.level != block.level }
        }
        // 2. Put every feature under its block's level.
        for block in blocks {
            for body in block.features { self.features[try Self.id(of: body)] = Held(level: block.level, body: body) }
        }
        // 3. Delete what is removed, if it is still held under that level.
        for block in blocks {
            for removal in block.removed where self.features[removal.id]?.level == block.level {
                self.features[removal.id] = nil
            }
        }
        // 4. Verify.
        for block in blocks {
            guard let digest = block.digest else { continue }
            guard self.digest(of: block.level) == digest else { throw WrongDigest(level: block.level) }
        }
    }

    package func digest(of level: FeatureID?) -> Digest {
        var digest = LevelDigest()
        for (_, held) in self.features.filter({ $0.value.level == level }).sorted(by: { $0.key < $1.key }) {
            digest.add(body: held.body)
        }
        return digest.finalize()
    }

    /// The id of a canonical body.
    private static func id(of body: [UInt8]) throws -> FeatureID {
        struct Identified: Decodable { let id: FeatureID }
        return try WireJSON.value(Identified.self, from: .init(body)).id
    }
}
