import IMDF
import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SyncModel
import Testing

/// Features that resemble each other: a wrong match is worse than none.
@Suite struct LookalikeTests {
    /// A floor with rooms in a row and other features. Ids are derived from a name and the number of an export.
    private struct Floor {
        var features: [JSONValue] = []
        let export: UInt64

        init(export: UInt64) {
            self.export = export
            self.add(.venue, "venue", geometry: Self.square(0, 0, 100), ["name": ["en": "Venue"]])
            self.add(.level, "level", geometry: Self.square(0, 0, 100), ["ordinal": 0, "name": ["en": "Ground"]])
            for room in 0..<4 {
                self.add(
                    .unit, "room \(room)", geometry: Self.square(Double(room) * 10, 0, 10),
                    ["category": "room", "level_id": self.id("level")])
            }
        }

        func id(_ name: String) -> JSONValue {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return .string(FeatureID(high: hash ^ self.export &* 0x9E37_79B9_7F4A_7C15, low: hash).description)
        }

        func featureID(_ name: String) -> FeatureID? { self.id(name).string.flatMap(FeatureID.init) }

        mutating func add(_ type: FeatureType, _ name: String, geometry: JSONValue = .null, _ properties: JSONValue) {
            self.features.append([
                "id": self.id(name), "type": "Feature", "feature_type": .string(type.rawValue), "geometry": geometry,
                "properties": properties,
            ])
        }

        mutating func addMachine(_ name: String, at x: Double, _ y: Double, in room: Int = 0) {
            self.add(
                .amenity, name, geometry: Self.point(x, y),
                ["category": "vendingmachine", "unit_ids": [self.id("room \(room)")]])
        }

        mutating func addShop(_ name: String, id: String? = nil, in room: Int, anchor: String) {
            self.add(
                .anchor, anchor, geometry: Self.point(Double(room) * 10 + 5, 5), ["unit_id": self.id("room \(room)")])
            self.add(
                .occupant, id ?? name,
                ["name": ["en": .string(name)], "category": "shop", "hours": "24/7", "anchor_id": self.id(anchor)])
        }

        /// Approximately in metres.
        private static func point(_ x: Double, _ y: Double) -> JSONValue {
            ["type": "Point", "coordinates": [.number(139.7 + x * 1e-5), .number(35.6 + y * 1e-5)]]
        }

        private static func square(_ x: Double, _ y: Double, _ side: Double) -> JSONValue {
            let corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
            let ring = corners.map { JSONValue.array([.number(139.7 + $0.0 * 1e-5), .number(35.6 + $0.1 * 1e-5)]) }
            return ["type": "Polygon", "coordinates": [.array(ring)]]
        }

        func diff(from old: Floor) async throws -> ArchiveDiff {
            try await ArchiveDiff(old: old.archive(), new: self.archive())
        }

        private func archive() throws -> Archive {
            let text = CanonicalJSON.data(["type": "FeatureCollection", "features": .array(self.features)])
            return try ArchiveReader().read(bytes: ArchiveWriter.zip([ArchiveFile(name: "all.geojson", content: text)]))
        }
    }

    private func matched(_ diff: ArchiveDiff, _ name: String, _ old: Floor, _ new: Floor) -> Bool {
        diff.matches.contains { $0.id == old.featureID(name) && $0.archiveID == new.featureID(name) }
    }

    @Test(arguments: [0.0, 0.3, 3])
    func `matcher: two equal vending machines side by side do not swap`(step: Double) async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        for (machine, x) in [("left", 2.0), ("right", 3.0)] {
            old.addMachine(machine, at: x, 5)
            new.addMachine(machine, at: x, 5 + step)
        }
        let diff = try await new.diff(from: old)
        let crossed = diff.matches.filter {
            $0.type == .amenity && ($0.id == old.featureID("left")) != ($0.archiveID == new.featureID("left"))
        }
        #expect(crossed.isEmpty)
        #expect(step > 0 || diff.difference.changes.isEmpty)
    }

    @Test func `matcher: of two equal machines the remaining one keeps its id`() async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        old.addMachine("left", at: 2, 5)
        old.addMachine("right", at: 3, 5)
        new.addMachine("right", at: 3, 5)
        let diff = try await new.diff(from: old)
        #expect(self.matched(diff, "right", old, new))
        #expect(diff.difference.changes.map(\.id) == [old.featureID("left")])
        #expect(diff.difference.changes.map(\.kind) == [.removed])
    }

    @Test func `matcher: a shop that moved into another shop's unit keeps its own id`() async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        old.addShop("Bakery", in: 0, anchor: "first")
        old.addShop("Florist", in: 1, anchor: "second")
        new.addShop("Bakery", in: 1, anchor: "second")
        let diff = try await new.diff(from: old)
        #expect(self.matched(diff, "Bakery", old, new))
        let changes = diff.difference.changes
        #expect(changes.first { $0.id == old.featureID("Bakery") }?.classes == .reference)
        #expect(changes.first { $0.id == old.featureID("Florist") }?.kind == .removed)
        #expect(!diff.matches.contains { $0.id == old.featureID("Florist") })
    }

    @Test func `matcher: another shop in the same unit with the same hours gets a new id`() async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        old.addShop("Bakery", in: 0, anchor: "first")
        new.addShop("Florist", in: 0, anchor: "first")
        let diff = try await new.diff(from: old)
        #expect(self.matched(diff, "first", old, new))
        #expect(diff.summary.types.map(\.type) == [.occupant])
        #expect(diff.summary.counts == [1, 0, 1])
    }

    @Test func `matcher: two shops that swap their units both keep their ids`() async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        old.addShop("Bakery", in: 0, anchor: "first")
        old.addShop("Florist", in: 1, anchor: "second")
        new.addShop("Florist", in: 0, anchor: "first")
        new.addShop("Bakery", in: 1, anchor: "second")
        let diff = try await new.diff(from: old)
        #expect(self.matched(diff, "Bakery", old, new) && self.matched(diff, "Florist", old, new))
        #expect(diff.difference.changes.map(\.classes) == [.reference, .reference])
    }

    @Test func `matcher: branches of a chain are distinguished by their position`() async throws {
        var (old, new) = (Floor(export: 1), Floor(export: 2))
        for room in 0..<4 {
            old.addShop("Coffee", id: "coffee \(room)", in: room, anchor: "anchor \(room)")
            if room != 2 { new.addShop("Coffee", id: "coffee \(room)", in: room, anchor: "anchor \(room)") }
        }
        let diff = try await new.diff(from: old)
        for room in [0, 1, 3] { #expect(self.matched(diff, "coffee \(room)", old, new)) }
        let removed = Set([old.featureID("coffee 2"), old.featureID("anchor 2")])
        #expect(Set(diff.difference.changes.map { Optional($0.id) }) == removed)
    }
}
