import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue
import TestSupport
import Testing

/// Archives that are made to keep the rules busy. The work budgets bound them on any machine; the limit only ends a run without them.
@Suite(.serialized, .timeLimit(.minutes(30))) struct HostileRulesTests {
    private static func report(on zip: [UInt8]) throws -> FindingReport {
        try RuleBook.report(
            on: ValidationContext(of: ArchiveReader().read(bytes: zip), now: Date(timeIntervalSince1970: 1_700_000_000))
        )
    }

    @Test func `work budget: rules over crossing combs end`() async throws {
        let report = try await onThread { try Self.report(on: HostileArchive.crossingCombs.zip()) }
        #expect(report.ruleCounts["TO-08"] == 1 || report.skipped.contains { $0.rule == "TO-08" })
        #expect(!report.skipped.contains { $0.reason == RuleBook.tookTooLong })
    }

    @Test func `work budget: texts of combining marks take no longer than others`() async throws {
        let report = try await onThread { try Self.report(on: HostileArchive.manyMarks.zip()) }
        // It has neither a manifest nor a revision before it.
        #expect(report.skipped.map(\.rule).filter { !$0.hasPrefix("MF-") && !$0.hasPrefix("RV-") } == [])
    }

    @Test func `work budget: an intersection is charged for the size of its result`() async throws {
        // The budget covers comparing the edges, and not the thousands of parts in which the combs intersect.
        let skipped = try await onThread {
            var plan = HostilePlan(seed: 1)
            for shape in [HostileShape.standingComb, .lyingComb] {
                plan.add(.unit, shape.geometry(160), #"{"category":"room","level_id":"\#(plan.level)"}"#)
            }
            let context = try ValidationContext(of: ArchiveReader().read(bytes: plan.zip()))
            return RuleBook.report(on: context, selection: RuleSelection(only: ["TO-08"])).skipped
        }
        #expect(skipped.map(\.rule) == ["TO-08"])
        #expect(skipped.first?.reason.hasPrefix("Too many geometries lie across each other") == true)
    }

    /// Every located type with the shape twice and with a comb across it, so that every rule of topology has work.
    private static func archive(of shape: HostileShape, _ count: Int) throws -> [UInt8] {
        var plan = HostilePlan(seed: 1)
        let building = plan.freshID()
        plan.add(.building, "null", #"{"name":{"en":"B"},"category":"unspecified"}"#, id: building)
        let shapes = [shape, shape, .lyingComb].map { $0.geometry(count) }
        for geometry in shapes {
            plan.add(
                .level, geometry,
                #"{"ordinal":0,"outdoor":false,"name":{"en":"L"},"building_ids":["\#(building)"]}"#)
            for category in ["ground", "aerial", "subterranean"] {
                plan.add(
                    .footprint, geometry,
                    #"{"category":"\#(category)","name":{"en":"F"},"building_ids":["\#(building)"]}"#)
            }
            for type in [FeatureType.unit, .section, .fixture, .kiosk] {
                plan.add(type, geometry, #"{"category":"room","level_id":"\#(plan.level)"}"#)
            }
            plan.add(
                .geofence, geometry,
                #"{"category":"geofence","level_ids":["\#(plan.level)"],"building_ids":["\#(building)"]}"#)
        }
        return try plan.zip()
    }

    @Test(arguments: HostileShape.allCases, [40, 110])
    func `work budget: rules over hostile shapes end, whatever the shape`(
        shape: HostileShape, count: Int
    ) async throws {
        let report = try await onThread { try Self.report(on: Self.archive(of: shape, count)) }
        #expect(!report.skipped.contains { $0.reason == RuleBook.tookTooLong }, "\(report.skipped)")
    }

    @Test func `work budget: a hostile archive has the same report every time`() async throws {
        let zip = try Self.archive(of: .needles, 100)
        let reports = try await onThread { try [Self.report(on: zip), Self.report(on: zip)] }
        #expect(reports[0].skipped.contains { $0.reason.hasPrefix("Too many geometries lie across each other") })
        #expect(reports[0].skipped == reports[1].skipped)
        #expect(reports[0].findings.map(\.message) == reports[1].findings.map(\.message))
    }

    /// A comb with so many teeth that crossing two of them takes many seconds.
    private static func comb(
        _ isStanding: Bool, teeth: Int = 400, on geos: GEOSContext
    ) throws -> PlanarGeometry {
        var ring = [PlanarPoint(x: 0, y: -2), PlanarPoint(x: Double(2 * teeth + 1), y: -2)]
        for tooth in stride(from: 2 * teeth - 1, to: 0, by: -2) {
            let (start, end) = (Double(tooth), Double(tooth + 1))
            ring += [(end, -1.0), (end, 1_000), (start, 1_000), (start, -1)].map { PlanarPoint(x: $0.0, y: $0.1) }
        }
        ring += [PlanarPoint(x: 0, y: -1), PlanarPoint(x: 0, y: -2)]
        return try geos.polygon([isStanding ? ring : ring.map { PlanarPoint(x: $0.y, y: $0.x) }])
    }

    @Test func `run clock: a long operation of GEOS is interrupted`() throws {
        let clock = RunClock(nil, runLimit: .milliseconds(50))
        let geos = GEOSContext(clock: clock)
        let (one, other) = (try Self.comb(true, on: geos), try Self.comb(false, on: geos))
        let failure = #expect(throws: ComputationFailure.self) {
            try clock.whileOnThread { _ = try one.intersection(other) }
        }
        #expect(failure?.kind == .stopped)
    }

    @Test func `run clock: an interrupted run ends without a report`() throws {
        let context = try ValidationContext(of: ArchiveReader().read(bytes: HostileArchive.crossingCombs.zip()))
        let interruption = Interruption()
        interruption.request()
        #expect(throws: CancellationError.self) {
            try RuleBook.report(on: context, interruption: interruption) { _ in
                if interruption.isRequested { throw CancellationError() }
            }
        }
    }
}
