import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import SampleVenue
import Testing

/// Geometries that are made to hurt: each makes a finding, in a time that does not depend on how bad it is.
@Suite struct HostileGeometryTests {
    private static func report(_ edit: RulePair.Edit) throws -> FindingReport {
        var archive = TestArchive.clean
        try edit(&archive)
        return try archive.report()
    }

    private static func messages(_ rule: String, _ edit: RulePair.Edit) throws -> [String] {
        try self.report(edit).findings.filter { $0.rule == rule }.map(\.message)
    }

    private static let outsideGlobe = "The longitude is outside of ±180 or the latitude outside of ±90."

    @Test(arguments: [1e308, -1e308, 1e154, 180.0000001])
    func `hostile geometry: numbers outside the globe are reported`(number: Double) throws {
        let messages = try Self.messages("GE-06") {
            try $0.edit(.unit) { $0.geometry = ["type": "Point", "coordinates": [.number(number), 0]] }
            try $0.edit(.detail) {
                $0.geometry = ["type": "LineString", "coordinates": [[.number(number), .number(number)], [0, 0]]]
            }
        }
        #expect(messages.filter { $0.hasPrefix(Self.outsideGlobe) }.count == 2)
    }

    /// Everything that JSON can be, where a geometry should be.
    @Test(
        arguments: [
            "1", "\"Polygon\"", "[]", "{}", #"{"type":"Polygon"}"#, #"{"type":"Polygon","coordinates":[]}"#,
            #"{"type":"Polygon","coordinates":[[]]}"#, #"{"type":"Polygon","coordinates":[[[]]]}"#,
            #"{"type":"Polygon","coordinates":[[[[]]]]}"#, #"{"type":"Polygon","coordinates":{}}"#,
            #"{"type":"Polygon","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[[[null,1],[2,3]]]}"#,
            #"{"type":"Polygon","coordinates":[[["1","2"],["3","4"]]]}"#,
            #"{"type":"MultiPolygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]}"#,
            #"{"type":"GeometryCollection","geometries":[]}"#, #"{"type":"Sphere","coordinates":[1,2,3]}"#,
            #"{"type":"Polygon","coordinates":[[[0,0],[0,0],[0,0],[0,0]]]}"#,
            #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0],[1,1],[0,0]]]}"#,
        ])
    func `hostile geometry: malformed values are reported and do not stop the run`(text: String) throws {
        let geometry = try JSONReader.value(of: Array(text.utf8))
        let report = try Self.report { archive in
            for type in FeatureType.standard where archive.venue.features.contains(where: { $0.type == type }) {
                try archive.edit(type) { $0.geometry = geometry }
            }
        }
        let reportedCount = Set(report.findings.filter { $0.rule.hasPrefix("GE-") }.compactMap(\.featureID))
        let edited = FeatureType.standard.compactMap { type in
            TestArchive.clean.venue.features.first { $0.type == type && type != .relationship }?.id
        }
        #expect(edited.filter { !reportedCount.contains($0) } == [])
    }

    @Test func `hostile geometry: rings that touch themselves are reported and excluded from topology`() throws {
        let report = try Self.report { archive in
            try archive.edit(.kiosk) {
                let (box, middle) = ($0.box, $0.box.centre)
                $0.geometry = .polygon([
                    box.low, Spot(box.right, box.bottom), middle, box.high, Spot(box.left, box.top), middle, box.low,
                ])
            }
        }
        #expect(report.findings.filter { $0.rule == "GE-09" }.map(\.message) == ["The outline touches itself."])
        #expect(report.skipped.contains { $0.rule == "TO-02" && $0.features == 1 })
    }

    /// A comb whose teeth have overlapping bounding boxes, so that no index separates them.
    private static func comb(_ teeth: Int, around spot: Spot) -> [Spot] {
        var ring = (0..<teeth).flatMap { tooth in
            [
                spot.moved(tooth * 2, tooth),
                Spot(spot.moved(tooth * 2 + 1, tooth).x + 900_000, spot.y + 900_000 + tooth),
            ]
        }
        ring.append(ring[0])
        return ring
    }

    @Test(.timeLimit(.minutes(30)))
    func `hostile geometry: outlines with a hundred thousand corners are checked`() throws {
        let report = try Self.report { archive in
            let box = try archive.plaza().box
            try archive.editOnPlaza(.section) { section in
                // Around the box at full length, with a corner at every ten-millionth of a degree or so.
                var ring: [Spot] = []
                for x in stride(from: box.left, to: box.right, by: 1) { ring.append(Spot(x, box.bottom + x % 2)) }
                for x in stride(from: box.right, to: box.left, by: -1) { ring.append(Spot(x, box.top - x % 2)) }
                ring.append(ring[0])
                section.geometry = .polygon(ring)
            }
            try archive.editOnPlaza(.fixture) { $0.geometry = .polygon(Self.comb(5_000, around: box.low)) }
        }
        #expect(report.findings.contains { $0.rule == "GE-09" && $0.featureType == .fixture })
    }

    @Test func `hostile geometry: a thousand copies have a bounded number of findings`() throws {
        let copies = 1_000
        let report = try Self.report { archive in
            let unit = try archive.onPlaza(.unit) { $0["category"] == "vegetation" }
            for _ in 0..<copies { archive.add(like: unit) { $0["display_point"] = .null } }
        }
        let count = report.ruleCounts["TO-08"] ?? 0
        #expect(count >= copies)
        #expect(count <= 16 * copies)
        #expect(report.isTruncated)
    }
}
