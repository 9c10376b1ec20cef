import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import SampleVenue

/// Small limits, so that inputs cost little and often exceed them.
private let limits: ArchiveLimits = {
    var limits = ArchiveLimits()
    limits.archiveBytes = 1 << 20
    limits.entryBytes = 1 << 20
    limits.uncompressedBytes = 4 << 20
    limits.featureBytes = 1 << 18
    return limits
}()

/// The archive reader: accepted archives have canonical bodies in the order of their ids.
let archiveFuzzer = Fuzzer { bytes in
    var archive = try ArchiveReader(limits: limits).read(bytes: bytes)
    archive.resolveReferences(base: [])
    let reader = JSONReader()
    for (one, next) in zip(archive.features, archive.features.dropFirst()) { precondition(one.id < next.id) }
    for feature in archive.features {
        let again = try reader.canonicalText(of: feature.body)
        precondition(again == feature.body, "a body is not canonical")
        precondition(archive.location(of: feature.id) != nil)
    }
}

/// The canonical writer: rewriting changes nothing, and both writers agree.
let writerFuzzer = Fuzzer { bytes in
    let reader = JSONReader()
    let text = try reader.canonicalText(of: bytes)
    let again = try reader.canonicalText(of: text)
    precondition(again == text, "the canonical text is not canonical")
    let value = try reader.value(of: bytes)
    precondition(CanonicalJSON.data(value) == text, "the two writers differ")
}

/// A venue, and its features as read from its archive, in the same order.
private let smallVenue: (venue: SampleVenue, features: [Feature]) = {
    do {
        let bytes = try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive()
        var archive = try ArchiveReader().read(bytes: bytes)
        archive.resolveReferences(base: [])
        return (try SampleVenue(reading: bytes), archive.features)
    } catch {
        fatalError("the sample cannot be read: \(error)")
    }
}()

/// The rule book: over the text of a FeatureCollection, or over a venue with mutated geometries.
let validatorFuzzer = Fuzzer { bytes in
    guard let mode = bytes.first else { return }
    let context: ValidationContext
    if mode == UInt8(ascii: "{") {
        let files = [
            ArchiveFile(name: "unit.geojson", content: bytes),
            ArchiveFile(name: "manifest.json", content: Seeds.manifest),
        ]
        let archive = try ArchiveReader().read(bytes: ArchiveWriter.zip(files))
        context = ValidationContext(of: archive, now: Date(timeIntervalSince1970: 1_743_552_000))
    } else {
        // Without zip and JSON, which cost more than the rules.
        var venue = smallVenue.venue
        var edits = GeometryEdits(bytes)
        edits.apply(to: &venue)
        let features = zip(smallVenue.features, venue.features).map { feature, edited in
            ValidationFeature(feature, body: .object(edited.body), file: "unit.geojson", pointer: "/features/0")
        }
        context = ValidationContext(features: features, manifest: venue.manifest, now: 1_743_552_000)
    }
    let report = RuleBook.report(on: context)
    for finding in report.findings {
        precondition(finding.at?.allSatisfy(\.isFinite) != false)
        precondition(!finding.message.isEmpty)
    }
}
