import IMDF
import SampleVenue
import Testing

struct EditTests {
    private static let options = SampleVenue.Options(levels: 3, unitsPerLevel: 30, seed: 5, customExtension: true)

    /// What really differs between two states, found without the report's help.
    private func difference(
        _ before: SampleVenue, _ after: SampleVenue
    ) -> (added: Set<FeatureID>, changed: Set<FeatureID>, removed: Set<FeatureID>) {
        let (old, new) = (before.byID, after.byID)
        let changed = old.filter { id, feature in new[id].map { $0.body != feature.body } ?? false }.keys
        return (Set(new.keys).subtracting(old.keys), Set(changed), Set(old.keys).subtracting(new.keys))
    }

    private func apply(_ edit: Edit, seed: UInt64) -> (before: SampleVenue, after: SampleVenue, report: EditEffect) {
        let before = SampleVenue(Self.options)
        var after = before
        let report = after.apply([edit], seed: seed)[0]
        return (before, after, report)
    }

    /// The members of `properties`, and `geometry`, in which two features differ.
    private func members(_ one: SampleFeature?, _ other: SampleFeature?) -> Set<String> {
        guard let one, let other else { return [] }
        let keys = Set((one.properties.members + other.properties.members).map(\.key))
        let different = keys.filter { one[$0] != other[$0] }
        return one.geometry == other.geometry ? different : different.union(["geometry"])
    }

    @Test(arguments: Edit.Kind.allCases, [1, 2] as [UInt64])
    func `edits: each reports exactly its effect and leaves a consistent venue`(kind: Edit.Kind, seed: UInt64) {
        let (before, after, report) = self.apply(Edit(kind, kind == .remint ? nil : 4), seed: seed)
        let real = self.difference(before, after)
        let reminted = report.reminted
        #expect(Set(report.added) == real.added.subtracting(reminted.values))
        #expect(Set(report.removed) == real.removed.subtracting(reminted.keys))
        #expect(Set(report.changed + report.reformatted) == real.changed)
        #expect(after.problems == [])
    }

    @Test(
        arguments: [
            (.rename, ["name"]), (.move, ["geometry", "display_point"]), (.recategorise, ["category"]),
            (.hours, ["hours"]), (.relevel, ["level_id"]),
        ] as [(Edit.Kind, Set<String>)], [1, 2, 3] as [UInt64])
    func `edits with a count change that many features, and only the intended members`(
        expected: (Edit.Kind, Set<String>), seed: UInt64
    ) {
        let (before, after, report) = self.apply(Edit(expected.0, 7), seed: seed)
        let (old, new) = (before.byID, after.byID)
        #expect(report.changed.count == 7)
        #expect(report.added == [] && report.removed == [])
        for id in report.changed {
            let members = self.members(old[id], new[id])
            #expect(!members.isEmpty && members.isSubset(of: expected.1))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `move shifts features by a few metres within their unit`(seed: UInt64) throws {
        let (before, after, report) = self.apply(Edit(.move, 30), seed: seed)
        let (old, new) = (before.byID, after.byID)
        for id in report.changed {
            let (from, to) = (try #require(old[id]), try #require(new[id]))
            guard let start = from.geometry["coordinates"], from.geometry["type"] == "Point" else { continue }
            let (one, other) = (GridPosition(start), GridPosition(try #require(to.geometry["coordinates"])))
            #expect(100...600 ~= max(abs(one.x - other.x), abs(one.y - other.y)))
            let unit = (to["unit_id"] ?? to["unit_ids"]?.array?.first)?.string.flatMap(FeatureID.init)
            #expect(try #require(unit.flatMap { new[$0] }).covers(other))
        }
    }

    @Test func `relevel moves the anchors and occupants of a unit with it`() throws {
        let (_, after, report) = self.apply(Edit(.relevel, 5), seed: 4)
        let moved = Set(report.changed.map(\.description))
        let anchors = after.features(.anchor).filter { moved.contains($0["unit_id"]?.string ?? "") }
        let names = Set(anchors.map(\.id.description))
        let occupants = after.features(.occupant).filter { names.contains($0["anchor_id"]?.string ?? "") }
        #expect(!occupants.isEmpty)
        #expect(Set(report.carried).isSuperset(of: (anchors + occupants).map(\.id)))
        let carried = Set(report.carried)
        let other = after.features.filter { carried.contains($0.id) }.map(\.type)
        #expect(Set(other).isSubset(of: [.anchor, .occupant, .amenity, .relationship, .attraction]))
    }

    @Test func `add opens shops with an anchor in a unit`() throws {
        let (_, after, report) = self.apply(Edit(.add, 6), seed: 1)
        let added = report.added.compactMap { after.byID[$0] }
        #expect(report.changed == [] && report.removed == [])
        #expect(added.filter { $0.type == .occupant }.count == 6)
        #expect(added.filter { $0.type == .anchor }.count == 6)
        for anchor in added where anchor.type == .anchor {
            let unit = anchor["unit_id"]?.string.flatMap(FeatureID.init).flatMap { after.byID[$0] }
            #expect(try #require(unit).covers(GridPosition(try #require(anchor.geometry["coordinates"]))))
        }
    }

    @Test func `remove closes shops with their anchors, except for shared ones`() {
        let (before, after, report) = self.apply(Edit(.remove, 6), seed: 2)
        let removed = report.removed.compactMap { before.byID[$0] }
        #expect(removed.filter { $0.type == .occupant }.count == 6)
        #expect(Set(removed.map(\.type)).isSubset(of: [.occupant, .anchor, .address]))
        let used = Set(after.features.compactMap { $0["anchor_id"]?.string })
        #expect(after.features(.anchor).allSatisfy { used.contains($0.id.description) })
    }

    @Test func `retype makes an occupant an amenity with the same id, at the position of its anchor`() throws {
        let (before, after, report) = self.apply(Edit(.retype, 3), seed: 3)
        #expect(report.changed.count == 3)
        for id in report.changed {
            let (occupant, amenity) = (try #require(before.byID[id]), try #require(after.byID[id]))
            #expect(occupant.type == .occupant && amenity.type == .amenity)
            #expect(amenity.body["feature_type"] == "amenity")
            #expect(amenity["name"] == occupant["name"])
            let anchor = occupant["anchor_id"]?.string.flatMap(FeatureID.init).flatMap { before.byID[$0] }
            #expect(amenity.geometry == anchor?.geometry)
        }
    }

    @Test func `floor adds a level on top, and remove-floor removes it`() throws {
        var venue = SampleVenue(Self.options)
        let levels = venue.features(.level).count
        let top = venue.features(.level).compactMap { $0["ordinal"]?.number }.max() ?? 0
        let added = venue.apply([Edit(.floor)], seed: 1)[0]
        let level = try #require(added.added.compactMap { venue.byID[$0] }.first { $0.type == .level })
        #expect(level["ordinal"]?.number == top + 1)
        #expect(level["short_name"]?["ja"] == .string("\(Int(top) + 2)F"))
        #expect(venue.features(.unit).filter { $0["level_id"] == .string(level.id.description) }.count == 30)
        let gone = venue.apply([Edit(.removeFloor)], seed: 2)[0]
        #expect(Set(gone.removed) == Set(added.added))
        #expect(venue.features(.level).count == levels)
        #expect(venue.problems == [])
    }

    @Test func `remove-floor keeps the last level of a building`() {
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 12))
        let reports = venue.apply([Edit](repeating: Edit(.removeFloor), count: 6), seed: 1)
        #expect(reports.map { $0.removed.isEmpty } == [false, false, false, true, true, true])
        #expect(Set(venue.features(.level).map { $0["building_ids"] ?? .null }).count == 3)
        #expect(venue.problems == [])
    }

    @Test(arguments: Edit.Kind.allCases)
    func `edits: each depends on the seed and not on the order of features`(kind: Edit.Kind) {
        var one = SampleVenue(Self.options)
        var other = one
        other.features.sort { $1.id < $0.id }
        let reports = (one.apply([Edit(kind, 5)], seed: 9), other.apply([Edit(kind, 5)], seed: 9))
        #expect(reports.0 == reports.1)
        #expect(one.byID == other.byID)
    }

    @Test func `edits with the seed of the venue create new ids`() {
        var venue = SampleVenue(Self.options)
        let edits = [Edit(.add, 3), Edit(.floor), Edit(.remint, 20), Edit(.add, 3)]
        for edit in edits + edits {
            var random = SplitMix64(seed: Self.options.seed)
            _ = venue.apply(edit, using: &random)
            #expect(venue.problems == [])
        }
    }

    @Test func `edits: a count larger than the number of features edits all of them`() {
        let (before, after, report) = self.apply(Edit(.remove, 10_000), seed: 1)
        #expect(report.removed.count >= before.features(.occupant).count)
        #expect(after.features(.occupant) == [])
        #expect(after.problems == [])
    }

    @Test func `edits: each works on an empty venue`() {
        for kind in Edit.Kind.allCases {
            var venue = SampleVenue(features: [], manifest: [:])
            let report = venue.apply([Edit(kind, 3)], seed: 1)[0]
            #expect(report.added == [] && report.changed == [] && report.removed == [])
        }
    }

    @Test func `edits work on malformed features`() {
        let id = FeatureID(high: 1, low: 2)
        for type in FeatureType.standard {
            for value in [
                JSONValue.null, "x", 1e300, [], [[]], [:], .string(id.description), [.string(id.description)],
            ] {
                var properties = JSONObject()
                for member in [
                    "name", "level_id", "unit_id", "unit_ids", "anchor_id", "building_ids", "ordinal", "origin",
                ] {
                    properties[member] = value
                }
                let geometry: JSONValue = ["type": "Polygon", "coordinates": value]
                let feature = SampleFeature(id: id, type: type, geometry: geometry, properties: properties)
                var venue = SampleVenue(features: [feature], manifest: [:])
                _ = venue.apply(Edit.Kind.allCases.map { Edit($0, 2) }, seed: 1)
                #expect(venue.features.count <= 6)
            }
        }
    }
}
