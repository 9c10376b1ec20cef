import Foundation
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite struct TimeZoneTableTests {
    /// Lines as they are in the file.
    private static let text = """
        # tzdb timezone descriptions
        JP,AU\t+353916+1394441\tAsia/Tokyo\tEyre Bird Observatory
        DE,DK,NO,SE,SJ\t+5230+01322\tEurope/Berlin\tmost of Germany
        CH,DE,LI\t+4723+00832\tEurope/Zurich\tBüsingen
        US\t+404251-0740023\tAmerica/New_York\tEastern (most areas)
        US\t+394421-1045903\tAmerica/Denver\tMountain (most areas)
        US\t+340308-1181434\tAmerica/Los_Angeles\tPacific
        FJ\t-1808+17825\tPacific/Fiji
        WS\t-1350-17144\tPacific/Apia
        XX\tnowhere\tNo/Position
        YY\t+9100+00000\tNo/Latitude
        ZZ
        """

    private static func proposal(_ country: String?, _ longitude: Double?, _ latitude: Double = 0) throws -> String? {
        let table = try #require(TimeZoneTable(Self.text))
        let position = longitude.map { GeoJSONGeometry.Position(longitude: $0, latitude: latitude) }
        return table.proposal(country: country, position: position).map { "\($0.name) by \($0.source.rawValue)" }
    }

    @Test func `time zone: the only one of a country is certain, wherever the venue is`() throws {
        #expect(try Self.proposal("JP", nil) == "Asia/Tokyo by country")
        #expect(try Self.proposal("jp", 0, 0) == "Asia/Tokyo by country")
        #expect(try Self.proposal("CH", 8.5, 47.4) == "Europe/Zurich by country")
        #expect(try Self.proposal("NO", 10.7, 59.9) == "Europe/Berlin by country")
    }

    @Test func `time zone: of several zones the nearest place in the country is proposed`() throws {
        #expect(try Self.proposal("US", -71, 42.3) == "America/New_York by position")
        #expect(try Self.proposal("US", -111.6, 40.2) == "America/Denver by position")
        #expect(try Self.proposal("US", -122.3, 47.6) == "America/Los_Angeles by position")
        // Zurich is nearer to Munich than Berlin.
        #expect(try Self.proposal("DE", 11.57, 48.14) == "Europe/Berlin by position")
    }

    @Test func `time zone: without a country only a near place is proposed, across the antimeridian too`() throws {
        for country in [nil, "", "Japan", "QQ"] {
            #expect(try Self.proposal(country, 139.7, 35.6) == "Asia/Tokyo by position")
            #expect(try Self.proposal(country, 0, 0) == nil)
            #expect(try Self.proposal(country, nil) == nil)
        }
        #expect(try Self.proposal(nil, -179.9, -17.9) == "Pacific/Fiji by position")
    }

    @Test func `time zone: nothing is proposed for a country with several zones without a position`() throws {
        #expect(try Self.proposal("US", nil) == nil)
        #expect(try Self.proposal("XX", nil) == nil)
    }

    @Test func `time zone: a table without a valid line, or without a file, is none`() throws {
        #expect(TimeZoneTable("# nothing\n") == nil)
        #expect(TimeZoneTable("XX\tnowhere\tNo/Position\n") == nil)
        #expect(TimeZoneTable(file: URL(filePath: "/nowhere/zone1970.tab")) == nil)
        #expect(TimeZoneTable(file: URL(filePath: "/")) == nil)
    }

    @Test func `time zone: TZDIR names the folder of the table`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let line = Data("JP\t+353916+1394441\tMars/Tokyo\n".utf8)
        try line.write(to: folder.appending(path: "zone1970.tab"))
        let table = try #require(TimeZoneTable.system(environment: ["TZDIR": folder.path]))
        #expect(table.proposal(country: "JP", position: nil)?.name == "Mars/Tokyo")
    }
}
