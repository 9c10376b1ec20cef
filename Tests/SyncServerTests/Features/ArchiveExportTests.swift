import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

@Suite(.server)
struct ArchiveExportTests {
    /// The names in the central directory of a zip without a comment (APPNOTE.TXT §4.3.12 and §4.3.16).
    private static func names(in zip: [UInt8]) throws -> [String] {
        func number(_ offset: Int, bytes: Int) -> Int {
            zip[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let end = zip.count - 22
        try #require(end >= 0 && number(end, bytes: 4) == 0x0605_4B50)
        var offset = number(end + 16, bytes: 4)
        var names: [String] = []
        for _ in 0..<number(end + 10, bytes: 2) {
            try #require(number(offset, bytes: 4) == 0x0201_4B50)
            let length = number(offset + 28, bytes: 2)
            names.append(String(decoding: zip[offset + 46..<offset + 46 + length], as: UTF8.self))
            offset += 46 + length + number(offset + 30, bytes: 2) + number(offset + 32, bytes: 2)
        }
        return names
    }

    @Test func `exported archive has a file for every standard type, including empty ones`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(Handmade.zip([Handmade.feature(1, .venue, geometry: Handmade.square())]))
        let response = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip")
        #expect(response.status == .ok && response.headers[.contentType] == "application/zip")
        let names = try Self.names(in: Array(response.data))
        #expect(Set(names) == Set(FeatureType.standard.map { "\($0.rawValue).geojson" } + ["manifest.json"]))
        #expect(names.count == FeatureType.standard.count + 1)
        let archive = try ArchiveReader().read(bytes: Array(response.data))
        #expect(archive.features.map(\.id) == [Handmade.id(1)])
        #expect(archive.findings.filter { $0.severity == .error }.isEmpty)
    }

    @Test func `exported archive has the features, manifest and custom files of its revision`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let zip = Array(try await harness.send(.get, "/venues/mall/revisions/1/archive.zip").data)
        let names = try Self.names(in: zip)
        #expect(names.contains("attractions.geojson") && !names.contains("attraction.geojson"))
        let archive = try ArchiveReader().read(bytes: zip)
        let bodies = Dictionary(uniqueKeysWithValues: archive.features.map { ($0.id, $0.body) })
        #expect(bodies == venue.bodies)
        let manifest = try #require(archive.manifest)
        for member in ["version", "language", "extensions", "origin"] {
            #expect(manifest[member] != .none && manifest[member] == venue.manifest[member], "\(member)")
        }
        #expect(ArchiveManifest.content(of: manifest) == ArchiveManifest.content(of: venue.manifest))
    }

    @Test func `exported archive has the bytes of one that is made in memory`() async throws {
        let harness = Harness.current
        // More than is read in one statement.
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 400, customExtension: true))
        try await harness.push(venue.archive())
        let zip = Array(try await harness.send(.get, "/venues/mall/revisions/1/archive.zip").data)
        let features = try await harness.send(.get, "/venues/mall/revisions/1/features").json["features"]?.array ?? []
        #expect(features.count == venue.features.count)
        let files = ArchiveWriter.files(
            of: features.map { feature in
                (type: FeatureType(rawValue: feature["feature_type"]?.string ?? ""), body: CanonicalJSON.data(feature))
            },
            manifest: try ArchiveReader().read(bytes: zip).manifest,
            fileNames: [FeatureType(rawValue: "attraction"): "attractions.geojson"])
        #expect(try ArchiveWriter.zip(files) == zip)
    }

    /// So an export of any size takes little memory, also a strict one, whose bodies are read twice.
    @Test(arguments: [false, true])
    func `exported archive is written as it is read: bodies are in the file before the next ones are read`(
        isStrict: Bool
    ) async throws {
        let (harness, store) = (Harness.current, Harness.current.store)
        // More than is read in one statement.
        try await harness.push(SampleVenue(.init(levels: 2, unitsPerLevel: 400)).archive())
        let venue = try await store.venue(#require(VenueKey("mall")))
        let export = ArchiveExport(
            venue: venue, revision: try await store.logEntry(1, of: venue).revision, isStrict: isStrict,
            readModel: harness.server.readModel)
        var index = try await store.featureIndex(of: venue, at: 1)
        if isStrict { try await StrictSelection(index, of: venue, in: store).apply(to: &index) }
        let file = try TemporaryFile()
        var (statements, bytes) = (0, 0)
        try await export.write(index.types, of: index, nil, to: file) { versions in
            #expect(file.count >= bytes, "\(statements)")
            let bodies = try await export.bodies(of: versions)
            let length = bodies.reduce(0) { $0 + $1.count }
            #expect(length <= ArchiveExport.batchBytes)
            statements += 1
            bytes += length
            return bodies
        }
        #expect(statements > 1 && bytes > ArchiveExport.batchBytes && file.count > bytes)
    }

    @Test func `exported archive: uploading it again changes nothing`() async throws {
        let harness = Harness.current
        let odd: [JSONValue] = [
            Handmade.feature(
                1, .venue, ["name": nil, "x": [1, 2.5, "ü"], "~": false], geometry: Handmade.square()),
            Handmade.feature(
                2, FeatureType(rawValue: "parking-lot"), [:], geometry: ["type": "Point", "coordinates": []]),
            Handmade.feature(3, .occupant, ["anchor_id": Handmade.reference(9), "website": 7]),
        ]
        for (name, zip) in [("sample", try SampleVenue.extended.archive()), ("odd", try Handmade.zip(odd))] {
            #expect(try await harness.push(zip, to: name).state == .published)
            let export = try await harness.send(.get, "/venues/\(name)/revisions/1/archive.zip")
            #expect(try await harness.push(Array(export.data), to: name).state == .unchanged, "\(name)")
        }
    }

    @Test func `exported archive of an earlier revision does not change when later ones are published`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let before = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip").data
        try await harness.push(venue.edited(Edit(.rename, 2), Edit(.add, 2)).archive())
        let after = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip").data
        #expect(after == before)
        try await harness.send(.get, "/venues/mall/revisions/3/archive.zip").problem(404)
        try await harness.send(.get, "/venues/mall/revisions/1/archive.zip?strict=perhaps").problem(400)
    }

    @Test func `manifest: a change of it alone makes a revision, and a rollback reverts it`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.extended
        try await harness.push(venue.archive())
        venue.manifest["created"] = "2026-05-05T00:00:00Z"
        #expect(try await harness.push(venue.archive()).state == .unchanged)
        let origin = venue.manifest["origin"]
        venue.manifest["version"] = "1.0.1"
        #expect(try await harness.push(venue.archive()).state == .published)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        for (number, version) in [(1, "1.0.0"), (2, "1.0.1"), (3, "1.0.0")] {
            let zip = try await harness.send(.get, "/venues/mall/revisions/\(number)/archive.zip").data
            let manifest = try #require(ArchiveReader().read(bytes: Array(zip)).manifest)
            #expect(manifest["version"]?.string == version && manifest["origin"] == origin)
        }
        let digests = try await harness.send(.get, "/venues/mall/revisions").json["revisions"]?.array?.map {
            $0["digest"]
        }
        #expect(digests?.count == 3 && digests?[0] == digests?[2] && digests?[0] != digests?[1])
    }
}
