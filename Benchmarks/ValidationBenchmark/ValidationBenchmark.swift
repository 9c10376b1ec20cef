import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue

/// How long the rule book takes over a large archive, beside what it takes to read it, and where the time goes.
@main
struct ValidationBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "validation-benchmark")

    @Option(help: "Levels of the generated venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "How often everything is measured; the medians are printed.")
    var rounds = 3

    @Option(help: "An archive to measure instead of a generated one.")
    var archive: String?

    @Flag(help: "Measure geometries that are made to be slow, too.")
    var hostile = false

    func run() throws {
        let bytes =
            try self.archive.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
            ?? SampleVenue(.init(levels: self.levels, unitsPerLevel: 250, seed: 7)).archive()
        let archive = try ArchiveReader().read(bytes: bytes)
        print(#"{"name":"archive","features":\#(archive.features.count),"bytes":\#(bytes.count)}"#)
        let now = Date(timeIntervalSince1970: 1_743_552_000)
        let examination = ValidationContext(of: archive, now: now)

        let reading = try self.seconds {
            var archive = try ArchiveReader().read(bytes: bytes)
            archive.resolveReferences(base: [])
        }
        self.report("reading the archive", reading, against: reading)
        self.report(
            "laying it out", try self.seconds { _ = ValidationContext(of: archive, now: now) }, against: reading)
        self.report("all rules", try self.seconds { _ = RuleBook.report(on: examination) }, against: reading)
        print(#"{"name":"most memory resident","mebibytes":\#(Self.peakMebibytes)}"#)

        let families = RuleBook.all.map(\.family).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        for family in families {
            let rules = RuleBook.all.filter { $0.family == family }
            let time = try self.seconds(of: rules, on: examination)
            self.report("family \(family), \(rules.count) rules", time, against: reading)
        }
        for rule in RuleBook.all {
            self.report("rule \(rule.id) alone", try self.seconds(of: [rule], on: examination), against: reading)
        }
        if self.hostile { try self.measureHostile(now: now) }
    }

    private func seconds(of rules: [Rule], on examination: ValidationContext) throws -> Double {
        let selection = RuleSelection(only: Set(rules.map(\.id)))
        return try self.seconds { _ = RuleBook.report(on: examination, selection: selection) }
    }

    private func seconds(_ work: () throws -> Void) throws -> Double {
        var times: [Double] = []
        for _ in 0..<self.rounds { times.append(try ContinuousClock().measure(work) / .seconds(1)) }
        return times.sorted()[times.count / 2]
    }

    private func report(_ name: String, _ seconds: Double, against base: Double) {
        let ratio = (seconds / base * 100).rounded() / 100
        print(#"{"name":"\#(name)","seconds":\#((seconds * 10_000).rounded() / 10_000),"ratio":\#(ratio)}"#)
    }

    private static var peakMebibytes: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
}

// MARK: - What is made to be slow

extension ValidationBenchmark {
    private func measureHostile(now: Date) throws {
        for (name, ring) in [
            ("an outline of a million corners", Self.frill(1_000_000)),
            ("a million edges across each other", Self.comb(500_000)),
        ] {
            var venue = SampleVenue(.small)
            guard let index = venue.features.firstIndex(where: { $0.type == .section }) else { continue }
            venue.features[index].geometry = ["type": "Polygon", "coordinates": [.array(ring)]]
            let archive = try ArchiveReader().read(bytes: venue.archive())
            let examination = ValidationContext(of: archive, now: now)
            let time = try self.seconds { _ = RuleBook.report(on: examination) }
            print(#"{"name":"\#(name)","seconds":\#(time),"peak_mebibytes":\#(Self.peakMebibytes)}"#)
        }
        var venue = SampleVenue(.small)
        if let unit = venue.features.first(where: { $0.type == .unit }) {
            for number in 0..<20_000 as Range<UInt64> {
                let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 + number)
                venue.features.append(SampleFeature(id: id, type: .unit, body: unit.body))
            }
        }
        let examination = ValidationContext(of: try ArchiveReader().read(bytes: venue.archive()), now: now)
        let time = try self.seconds { _ = RuleBook.report(on: examination) }
        print(#"{"name":"20 000 units in one place","seconds":\#(time),"peak_mebibytes":\#(Self.peakMebibytes)}"#)
    }

    private static func position(_ x: Double, _ y: Double) -> JSONValue { [.number(139.63 + x), .number(35.45 + y)] }

    /// Runs to and fro at every step along its lower side.
    private static func frill(_ corners: Int) -> [JSONValue] {
        let steps = (0..<corners).map { step in
            self.position(Double(step) * 1e-8, step.isMultiple(of: 2) ? 0 : 1e-6)
        }
        return steps + [self.position(Double(corners) * 1e-8, 0.01), self.position(0, 0.01), steps[0]]
    }

    /// Slanting teeth, each of whose boxes meets those of all others.
    private static func comb(_ teeth: Int) -> [JSONValue] {
        let steps = (0..<teeth).flatMap { tooth in
            let offset = Double(tooth) * 1e-8
            return [self.position(offset, 0), self.position(offset + 0.02, 0.02)]
        }
        return steps + [steps[0]]
    }
}
