package import IMDF
import IMDFArchive

/// Archives within all limits that are made to cost as much time or memory as possible.
package enum HostileArchive: String, CaseIterable, Sendable {
    /// Two comb-shaped units that cross each other: their intersection has as many parts as the square of the number of teeth.
    case crossingCombs
    /// One unit with a million members.
    case manyMembers
    /// Thousands of similar units in one area; with another seed all have new ids.
    case denseUnits
    /// A few levels with names of 30 MB.
    case longLevelNames
    /// A venue with a hundred thousand levels.
    case manyLevels
    /// Sections that are each other's parents.
    case referenceCycles
    /// Nested arrays, as deep as allowed.
    case deepNesting
    /// Units whose texts and keys consist of combining marks, as many in a row as allowed, which take long to normalize.
    case manyMarks

    /// The archive's bytes. Equal seeds make equal archives.
    ///
    /// - Parameters:
    ///   - units: The number of dense units.
    ///   - combs: The number of crossing combs.
    package func zip(seed: UInt64 = 0, units: Int = 12_000, combs: Int = 2) throws -> [UInt8] {
        var plan = HostilePlan(seed: seed)
        switch self {
        case .crossingCombs:
            for _ in 0..<combs / 2 {
                plan.add(.unit, HostileShape.standingComb.geometry(300), Self.room(on: plan))
                plan.add(.unit, HostileShape.lyingComb.geometry(300), Self.room(on: plan))
            }
        case .manyMembers: self.addMembers(to: &plan, count: 1_000_000)
        case .denseUnits: self.addDenseUnits(to: &plan, count: units)
        case .longLevelNames:
            let name = String(repeating: "long ", count: 6_000_000)
            for ordinal in 1...14 {
                plan.add(
                    .level, HostilePlan.square(0, 0, 200), #"{"ordinal":\#(ordinal),"name":{"en":"\#(name)"}}"#)
            }
        case .manyLevels:
            for ordinal in 1...100_000 {
                plan.add(.level, HostilePlan.square(0, 0, 200), #"{"ordinal":\#(ordinal),"name":{"en":"L"}}"#)
            }
        case .referenceCycles: self.addCycle(to: &plan, length: 20_000)
        case .deepNesting:
            let deep = String(repeating: "[", count: 48) + String(repeating: "]", count: 48)
            for _ in 0..<20_000 {
                plan.add(
                    .unit, HostilePlan.square(0, 0, 1),
                    #"{"category":"room","level_id":"\#(plan.level)","deep":\#(deep)}"#)
            }
        case .manyMarks: self.addMarks(to: &plan, count: 40)
        }
        return try plan.zip()
    }

    private static func room(on plan: HostilePlan) -> String { #"{"category":"room","level_id":"\#(plan.level)"}"# }

    private func addMembers(to plan: inout HostilePlan, count: Int) {
        // Unordered, so that they have to be sorted.
        let members = (0..<count).map { #""m\#($0 &* 7_919 % 1_000_003)":\#($0)"# }.joined(separator: ",")
        plan.add(
            .unit, HostilePlan.square(0, 0, 10), #"{"category":"room","level_id":"\#(plan.level)",\#(members)}"#)
    }

    private func addMarks(to plan: inout HostilePlan, count: Int) {
        // In random order, because the archive must not be compressed too well.
        let kinds = Array("\u{301}\u{316}\u{327}\u{345}".unicodeScalars)
        for number in 0..<count {
            var marks = String.UnicodeScalarView()
            for _ in 0..<700 {
                marks.append("a")
                for _ in 0..<30 { marks.append(kinds[Int(plan.random.next() % 4)]) }
            }
            let text = #""\#(number)\#(String(marks))""#
            let label = #"{"en":\#(text),\#(text):"Room"}"#
            let members = [
                #""category":\#(text)"#, #""name":\#(label)"#, #""alt_name":\#(label)"#, #""website":\#(text)"#,
                #""phone":\#(text)"#, #""hours":\#(text)"#, #""correlation_id":\#(text)"#, #""note":[\#(text)]"#,
                #"\#(text):0"#, #""level_id":"\#(plan.level)""#,
            ]
            let square = HostilePlan.square(Double(number % 10) * 6, Double(number / 10) * 6, 5)
            plan.add(.unit, square, "{" + members.joined(separator: ",") + "}")
        }
    }

    private func addDenseUnits(to plan: inout HostilePlan, count: Int) {
        for number in 0..<count {
            let shift = Double(plan.random.next() % 1_000) / 100_000
            let square = HostilePlan.square(
                5 + Double(number % 110) * 0.05 + shift, 5 + Double(number / 110) * 0.05, 0.5 + shift)
            plan.add(.unit, square, Self.room(on: plan))
        }
    }

    private func addCycle(to plan: inout HostilePlan, length: Int) {
        let ids = (0..<length).map { _ in plan.freshID() }
        for (number, id) in ids.enumerated() {
            let next = ids[(number + 1) % length]
            plan.add(
                .section, HostilePlan.square(0, 0, 10),
                #"{"category":"retail","level_id":"\#(plan.level)","parents":["\#(next)"]}"#, id: id)
        }
    }
}

/// Builds an archive: a venue, a level, and the features that are added.
package struct HostilePlan {
    package var random: SplitMix64
    package let level: FeatureID
    private var files: [FeatureType: [String]] = [:]

    /// The venue and its level have the same ids whatever the seed, so that one archive can follow another.
    package init(seed: UInt64) {
        self.random = SplitMix64(seed: seed)
        self.level = FeatureID(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0002)
        let venue = FeatureID(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0001)
        self.add(.venue, Self.square(-10, -10, 220), #"{"name":{"en":"Venue"},"category":"shoppingcenter"}"#, id: venue)
        self.add(
            .level, Self.square(-10, -10, 220), #"{"ordinal":0,"name":{"en":"Ground"},"category":"unspecified"}"#,
            id: self.level)
    }

    package mutating func freshID() -> FeatureID {
        FeatureID(
            high: self.random.next() & ~0xF000 | 0x4000, low: self.random.next() & ~(3 << 62) | 2 << 62)
    }

    /// - Parameters:
    ///   - geometry: as JSON text.
    ///   - properties: as JSON text.
    package mutating func add(_ type: FeatureType, _ geometry: String, _ properties: String, id: FeatureID? = nil) {
        let id = id ?? self.freshID()
        self.files[type, default: []].append(
            #"{"id":"\#(id)","type":"Feature","feature_type":"\#(type.rawValue)","geometry":\#(geometry),"properties":\#(properties)}"#
        )
    }

    package func zip() throws -> [UInt8] {
        let files = self.files.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, features in
            let text = #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
            return ArchiveFile(name: "\(type.rawValue).geojson", content: Array(text.utf8))
        }
        return try ArchiveWriter.zip(files)
    }

    /// A square as JSON text, in meters from the venue's corner.
    package static func square(_ x: Double, _ y: Double, _ side: Double) -> String {
        self.polygon([[(x, y), (x + side, y), (x + side, y + side), (x, y + side)]])
    }

    /// A polygon as JSON text: rings without their last position, in meters.
    package static func polygon(_ rings: [[(x: Double, y: Double)]]) -> String {
        let rings = rings.map { ring in
            "[" + (ring + ring.prefix(1)).map { self.position($0.x, $0.y) }.joined(separator: ",") + "]"
        }
        return #"{"type":"Polygon","coordinates":["# + rings.joined(separator: ",") + "]}"
    }

    package static func position(_ x: Double, _ y: Double) -> String { "[\(139.7 + x * 1e-5),\(35.6 + y * 1e-5)]" }
}
