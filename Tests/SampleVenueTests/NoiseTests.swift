import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

struct NoiseTests {
    private static let options = SampleVenue.Options(levels: 2, unitsPerLevel: 20, seed: 8, customExtension: true)

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `noise changes the bytes of every file and no content`(seed: UInt64) throws {
        let before = SampleVenue(Self.options)
        var after = before
        let report = after.apply([Edit(.noise)], seed: seed)[0]
        #expect(report.changed == [] && report.added == [] && report.removed == [] && report.carried == [])
        #expect(!report.reformatted.isEmpty)
        let (old, new) = (before.files(), after.files())
        #expect(Set(old.map(\.name)) == Set(new.map(\.name)))
        for file in old {
            let other = try #require(new.first { $0.name == file.name })
            #expect(file.content != other.content)
        }
        #expect(try self.meaning(of: before) == self.meaning(of: after))
    }

    @Test func `noise does not accumulate when it is repeated`() throws {
        let before = SampleVenue(Self.options)
        var after = before
        _ = after.apply([Edit](repeating: Edit(.noise), count: 12), seed: 3)
        #expect(try self.meaning(of: before) == self.meaning(of: after))
        let (old, new) = (before.byID, after.byID)
        for (id, feature) in old where feature.geometry["type"] == "Point" {
            let reformatted = new[id]?.geometry
            let one = feature.geometry["coordinates"]
            let other =
                reformatted?["type"] == "Point"
                ? reformatted?["coordinates"] : reformatted?["coordinates"]?.array?.first
            for axis in 0..<2 {
                let pair = (one?.array?[axis].number ?? 0, other?.array?[axis].number ?? 1)
                #expect(abs(pair.0 - pair.1) < 2e-8)
            }
        }
    }

    @Test func `noise includes every kind of formatting`() {
        let before = SampleVenue(Self.options)
        var after = before
        _ = after.apply([Edit(.noise)], seed: 1)
        let (old, new) = (before.byID, after.byID)
        let pairs = old.values.compactMap { feature in new[feature.id].map { (feature, $0) } }
        #expect(pairs.contains { $0.geometry["type"] == "Polygon" && $1.geometry["type"] == "MultiPolygon" })
        #expect(pairs.contains { $0.geometry["type"] == "LineString" && $1.geometry["type"] == "MultiLineString" })
        #expect(pairs.contains { $0["alt_name"] == .null && $1["alt_name"] == nil })
        #expect(pairs.contains { $0["validity"] != nil && $1.geometry == $0.geometry })
        #expect(pairs.contains { $0["display_point"] != $1["display_point"] })
        #expect(pairs.contains { $0.rings.first?.first != $1.rings.first?.first })
        #expect(before.features.map(\.id) != after.features.map(\.id))
    }

    @Test func `noise: the style determines the formatting of the text`() throws {
        var venue = SampleVenue(.small)
        let plain = venue.files()
        venue.style.layout = .indented
        venue.style.carriageReturns = true
        venue.style.minimumDecimals = 9
        venue.style.escapesNonASCII = true
        venue.style.memberOrder = .shuffled(seed: 4)
        let files = venue.files()
        let text = String(decoding: files.first { $0.name == "unit.geojson" }?.content ?? [], as: UTF8.self)
        #expect(text.contains("\r\n"))
        #expect(text.contains(/139\.[0-9]{7}00[^0-9]/))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains("\\u"))
        for (one, other) in zip(plain, files) {
            #expect(one.content != other.content)
            #expect(try decode(one.content) == decode(other.content))
        }
    }

    // MARK: - Normal form

    /// The features in a normal form without everything that noise may change.
    private func meaning(of venue: SampleVenue) throws -> [FeatureID: JSONValue] {
        var meaning: [FeatureID: JSONValue] = [:]
        for file in venue.files() where file.name != "manifest.json" {
            for feature in try decode(file.content)["features"]?.array ?? [] {
                guard var object = feature.object, let id = feature["id"]?.string.flatMap(FeatureID.init) else {
                    continue
                }
                object["geometry"] = self.normal(geometry: feature["geometry"] ?? .null)
                let properties = feature["properties"]?.object?.members ?? []
                object["properties"] = .object(
                    JSONObject(
                        properties.filter { !$0.value.isNull }.map { member in
                            var member = member
                            if member.key == "display_point" { member.value = self.normal(geometry: member.value) }
                            if let elements = member.value.array, elements.allSatisfy({ $0.string != nil }) {
                                member.value = .array(elements.sorted { ($0.string ?? "") < ($1.string ?? "") })
                            }
                            return member
                        }))
                meaning[id] = .object(object)
            }
        }
        return meaning
    }

    private func normal(geometry: JSONValue) -> JSONValue {
        guard let type = geometry["type"]?.string, let coordinates = geometry["coordinates"]?.array
        else { return geometry }
        let parts = type.hasPrefix("Multi") ? coordinates : [.array(coordinates)]
        let name = type.hasPrefix("Multi") ? String(type.dropFirst(5)) : type
        let normal = parts.map { part -> JSONValue in
            guard name == "Polygon", let rings = part.array else { return self.rounded(part) }
            let normalised = rings.map { self.normal(ring: ($0.array ?? []).map(self.rounded)) }
            return .array(normalised.prefix(1) + self.sorted(Array(normalised.dropFirst())))
        }
        return ["coordinates": .array(self.sorted(normal)), "type": .string(name)]
    }

    /// A ring that starts at the smallest vertex, in the direction that gives the smaller text.
    private func normal(ring: [JSONValue]) -> JSONValue {
        let smallest = self.sorted(ring).first
        let ways = [ring.dropLast(), ring.dropLast().reversed()].map { way in
            let start = way.firstIndex { $0 == smallest } ?? way.startIndex
            return JSONValue.array(Array(way[start...] + way[..<start]))
        }
        return self.sorted(ways)[0]
    }

    private func sorted(_ values: [JSONValue]) -> [JSONValue] {
        values.map { (CanonicalJSON.data($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    private func rounded(_ value: JSONValue) -> JSONValue {
        if let number = value.number { return .number((number * 1e7).rounded() / 1e7) }
        return value.array.map { .array($0.map(self.rounded)) } ?? value
    }
}
