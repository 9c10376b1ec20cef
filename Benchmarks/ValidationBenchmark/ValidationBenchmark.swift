import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue

/// Measures how long the rule book takes for a large archive, in total and by rule, compared with reading the archive.
@main
struct ValidationBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "validation-benchmark")

    @Option(help: "Levels of the generated venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "The number of measurements; the medians are printed.")
    var rounds = 3

    @Option(help: "An archive to measure instead of a generated one.")
    var archive: String?

    @Flag(help: "Also measure geometries that are made to be slow.")
    var hostile = false

    func run() throws {
        let bytes =
            try self.archive.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
            ?? SampleVenue(.init(levels: self.levels, unitsPerLevel: 250, seed: 7)).archive()
        let archive = try ArchiveReader().read(bytes: bytes)
        print(#"{"name":"archive","features":\#(archive.features.count),"bytes":\#(bytes.count)}"#)
        let now = Date(timeIntervalSince1970: 1_743_552_000)
        let context = ValidationContext(of: archive, now: now)

        let reading = try self.seconds {
            var archive = try ArchiveReader().read(bytes: bytes)
            archive.resolveReferences(base: [])
        }
        self.report("reading the archive", reading, against: reading)
        self.report(
            "validation context", try self.seconds { _ = ValidationContext(of: archive, now: now) }, against: reading)
        self.report("all rules", try self.seconds { _ = RuleBook.report(on: context) }, against: reading)
        print(#"{"name":"peak resident memory","mebibytes":\#(Self.peakMebibytes)}"#)

        let families = RuleBook.all.map(\.family).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        for family in families {
            let rules = RuleBook.all.filter { $0.family == family }
            let time = try self.seconds(of: rules, on: context)
            self.report("family \(family), \(rules.count) rules", time, against: reading)
        }
        for rule in RuleBook.all {
            self.report("rule \(rule.id) alone", try self.seconds(of: [rule], on: context), against: reading)
        }
        if self.hostile { try self.measureHostile(now: now) }
    }

    private func seconds(of rules: [Rule], on context: ValidationContext) throws -> Double {
        let selection = RuleSelection(only: Set(rules.map(\.id)))
        return try self.seconds { _ = RuleBook.report(on: context, selection: selection) }
    }

    private func seconds(_ work: () throws -> Void) throws -> Double {
        var times: [Double] = []
        for _ in 0..<self.rounds { times.append(try ContinuousClock().measure(work) / .seconds(1)) }
        return times.median
    }

    private func report(_ name: String, _ seconds: Double, against base: Double) {
        let ratio = (seconds / base * 100).rounded() / 100
        print(#"{"name":"\#(name)","seconds":\#((seconds * 10_000).rounded() / 10_000),"ratio":\#(ratio)}"#)
    }

    private static var peakMebibytes: Int { MemoryReading(of: getpid()).peak / 1_024 }
}

// MARK: - Geometries that are made to be slow

extension ValidationBenchmark {
    private func measureHostile(now: Date) throws {
        for (name, ring) in [
            ("a polygon with a million vertices", Self.zigzag(1_000_000)),
            ("a million crossing edges", Self.comb(500_000)),
        ] {
            var venue = SampleVenue(.small)
            guard let index = venue.features.firstIndex(where: { $0.type == .section }) else { continue }
            venue.features[index].geometry = ["type": "Polygon", "coordinates": [.array(ring)]]
            let archive = try ArchiveReader().read(bytes: venue.archive())
            let context = ValidationContext(of: archive, now: now)
            let time = try self.seconds { _ = RuleBook.report(on: context) }
            print(#"{"name":"\#(name)","seconds":\#(time),"peak_mebibytes":\#(Self.peakMebibytes)}"#)
        }
        var venue = SampleVenue(.small)
        if let unit = venue.features.first(where: { $0.type == .unit }) {
            for number in 0..<20_000 as Range<UInt64> {
                let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 + number)
                venue.features.append(SampleFeature(id: id, type: .unit, body: unit.body))
            }
        }
        let context = ValidationContext(of: try ArchiveReader().read(bytes: venue.archive()), now: now)
        let time = try self.seconds { _ = RuleBook.report(on: context) }
        print(#"{"name":"20 000 units at one position","seconds":\#(time),"peak_mebibytes":\#(Self.peakMebibytes)}"#)
    }

    private static func position(_ x: Double, _ y: Double) -> JSONValue { [.number(139.63 + x), .number(35.45 + y)] }

    /// A polygon whose lower side is a zigzag line.
    private static func zigzag(_ vertices: Int) -> [JSONValue] {
        let steps = (0..<vertices).map { step in
            self.position(Double(step) * 1e-8, step.isMultiple(of: 2) ? 0 : 1e-6)
        }
        return steps + [self.position(Double(vertices) * 1e-8, 0.01), self.position(0, 0.01), steps[0]]
    }

    /// Slanted teeth whose bounding boxes all intersect.
    private static func comb(_ teeth: Int) -> [JSONValue] {
        let steps = (0..<teeth).flatMap { tooth in
            let offset = Double(tooth) * 1e-8
            return [self.position(offset, 0), self.position(offset + 0.02, 0.02)]
        }
        return steps + [steps[0]]
    }
}
