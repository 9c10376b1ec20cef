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

    private static func proposal(
        _ country: String?, _ longitude: Double?, _ latitude: Double = 0, province: String? = nil
    ) throws -> String? {
        let table = try #require(TimeZoneTable(Self.text))
        let position = longitude.map { GeoJSONGeometry.Position(longitude: $0, latitude: latitude) }
        let proposal = table.proposal(country: country, province: province, position: position)
        return proposal.map { "\($0.name) by \($0.source.rawValue)" }
    }

    @Test func `time zone: the only one of a country is certain, wherever the venue is`() throws {
        #expect(try Self.proposal("JP", nil) == "Asia/Tokyo by country")
        #expect(try Self.proposal("jp", 0, 0) == "Asia/Tokyo by country")
        #expect(try Self.proposal("CH", 8.5, 47.4) == "Europe/Zurich by country")
        #expect(try Self.proposal("NO", 10.7, 59.9) == "Europe/Berlin by country")
    }

    @Test func `time zone: of several zones that of the province is proposed`() throws {
        #expect(try Self.proposal("US", -122.3, 47.6, province: "US-WA") == "America/Los_Angeles by position")
        #expect(try Self.proposal("us", nil, province: "us-wa") == "America/Los_Angeles by position")
        // It is not in the table, another country's, or has a boundary in it.
        #expect(try Self.proposal("US", -97, 32.8, province: "US-TX") == nil)
        #expect(try Self.proposal("US", -122.3, 47.6, province: "CA-BC") == nil)
        #expect(try Self.proposal("US", nil, province: "US-OR") == nil)
        #expect(try Self.proposal("US", -122.7, 45.5, province: "US-OR") == "America/Los_Angeles by position")
        #expect(try Self.proposal("US", -117, 44, province: "US-OR") == nil)
    }

    @Test func `time zone: without a province the zones around have to agree`() throws {
        #expect(try Self.proposal("US", -74, 40.7) == "America/New_York by position")
        #expect(try Self.proposal("US", -122.3, 47.6) == nil)
        #expect(try Self.proposal("US", -96.8, 32.8) == nil)
        // Zurich is nearer to Munich than Berlin.
        #expect(try Self.proposal("DE", 11.57, 48.14) == "Europe/Berlin by position")
    }

    /// Cities with their province and the right time zone; nil: none may be proposed, or the right one.
    static let cities: [(name: String, province: String?, longitude: Double, latitude: Double, zone: String)] = [
        ("Seattle", "US-WA", -122.33, 47.61, "America/Los_Angeles"),
        ("Portland", "US-OR", -122.68, 45.52, "America/Los_Angeles"),
        ("Las Vegas", "US-NV", -115.14, 36.17, "America/Los_Angeles"),
        ("San Diego", "US-CA", -117.16, 32.72, "America/Los_Angeles"),
        ("Phoenix", "US-AZ", -112.07, 33.45, "America/Phoenix"),
        ("Salt Lake City", "US-UT", -111.89, 40.76, "America/Denver"),
        ("Dallas", "US-TX", -96.8, 32.78, "America/Chicago"), ("El Paso", "US-TX", -106.49, 31.76, "America/Denver"),
        ("Houston", "US-TX", -95.37, 29.76, "America/Chicago"),
        ("Minneapolis", "US-MN", -93.27, 44.98, "America/Chicago"),
        ("New Orleans", "US-LA", -90.07, 29.95, "America/Chicago"),
        ("Nashville", "US-TN", -86.78, 36.16, "America/Chicago"),
        ("Atlanta", "US-GA", -84.39, 33.75, "America/New_York"), ("Miami", "US-FL", -80.19, 25.76, "America/New_York"),
        ("Pensacola", "US-FL", -87.22, 30.42, "America/Chicago"),
        ("Indianapolis", "US-IN", -86.16, 39.77, "America/New_York"),
        ("Boise", "US-ID", -116.2, 43.62, "America/Denver"), ("Detroit", "US-MI", -83.05, 42.33, "America/New_York"),
        ("Honolulu", "US-HI", -157.86, 21.31, "Pacific/Honolulu"),
        ("Anchorage", "US-AK", -149.9, 61.22, "America/Anchorage"),
        ("Calgary", "CA-AB", -114.07, 51.05, "America/Edmonton"),
        ("Vancouver", "CA-BC", -123.12, 49.28, "America/Vancouver"),
        ("Montréal", "CA-QC", -73.57, 45.5, "America/Toronto"),
        ("Thunder Bay", "CA-ON", -89.25, 48.38, "America/Toronto"),
        ("Kenora", "CA-ON", -94.49, 49.77, "America/Winnipeg"), ("Regina", "CA-SK", -104.62, 50.45, "America/Regina"),
        ("Gold Coast", "AU-QLD", 153.43, -28, "Australia/Brisbane"),
        ("Tweed Heads", "AU-NSW", 153.54, -28.18, "Australia/Sydney"),
        ("Broken Hill", "AU-NSW", 141.47, -31.95, "Australia/Adelaide"),
        ("Perth", "AU-WA", 115.86, -31.95, "Australia/Perth"),
        ("Canberra", "AU-ACT", 149.13, -35.28, "Australia/Sydney"),
        ("Brasília", "BR-DF", -47.88, -15.79, "America/Sao_Paulo"),
        ("Manaus", "BR-AM", -60.02, -3.12, "America/Manaus"), ("Recife", "BR-PE", -34.88, -8.05, "America/Recife"),
        ("Cancún", "MX-ROO", -86.85, 21.16, "America/Cancun"), ("Tijuana", "MX-BCN", -117.04, 32.51, "America/Tijuana"),
        ("Ciudad Juárez", "MX-CHH", -106.49, 31.69, "America/Denver"),
        ("Denpasar", "ID-BA", 115.22, -8.65, "Asia/Makassar"),
        ("Pontianak", "ID-KB", 109.33, -0.03, "Asia/Jakarta"), ("Beijing", "CN-BJ", 116.4, 39.9, "Asia/Shanghai"),
        ("Kazan", "RU-TA", 49.11, 55.8, "Europe/Moscow"),
        ("Yekaterinburg", "RU-SVE", 60.6, 56.84, "Asia/Yekaterinburg"),
        ("Christchurch", "NZ-CAN", 172.64, -43.53, "Pacific/Auckland"),
        ("Barcelona", "ES-B", 2.17, 41.39, "Europe/Madrid"),
        ("Las Palmas", "ES-GC", -15.43, 28.12, "Atlantic/Canary"), ("Porto", "PT-13", -8.61, 41.15, "Europe/Lisbon"),
        ("Ponta Delgada", "PT-20", -25.67, 37.74, "Atlantic/Azores"), ("Almaty", "KZ-75", 76.95, 43.24, "Asia/Almaty"),
    ]

    @Test(arguments: Self.cities.indices)
    func `time zone: clocks of a city are right, or none is proposed, with its province and without`(index: Int) throws
    {
        let table = try #require(TimeZoneTable.system(), "zone1970.tab of tzdata")
        let city = Self.cities[index]
        let right = try #require(TimeZone(identifier: city.zone))
        let country = city.province.map { String($0.prefix(2)) }
        for (country, province) in [(country, city.province), (country, nil), (nil, nil)] {
            let position = GeoJSONGeometry.Position(longitude: city.longitude, latitude: city.latitude)
            guard let proposal = table.proposal(country: country, province: province, position: position) else {
                continue
            }
            let zone = try #require(TimeZone(identifier: proposal.name))
            for day in stride(from: 0.0, to: 730, by: 7) {
                let date = Date(timeIntervalSince1970: 1_767_225_600 + day * 86_400)
                #expect(
                    zone.secondsFromGMT(for: date) == right.secondsFromGMT(for: date),
                    "\(city.name) \(proposal.name) \(country ?? "-") \(province ?? "-") \(date)")
            }
        }
    }

    @Test func `time zone: clocks of cities around the world are right, or none is proposed`() throws {
        let table = try #require(TimeZoneTable.system(), "zone1970.tab of tzdata")
        #expect(WorldCities.all.count > 100)
        for city in WorldCities.all {
            let right = try #require(TimeZone(identifier: city.zone), "\(city.name)")
            let position = GeoJSONGeometry.Position(longitude: city.longitude, latitude: city.latitude)
            let known: [(String?, String?)] = [(city.country, city.province), (city.country, nil), (nil, nil)]
            for (country, province) in known {
                let proposal = table.proposal(country: country, province: province, position: position)
                guard let proposal else { continue }
                let zone = try #require(TimeZone(identifier: proposal.name))
                let wrong = stride(from: 0.0, to: 730, by: 7).contains { day in
                    let date = Date(timeIntervalSince1970: 1_767_225_600 + day * 86_400)
                    return zone.secondsFromGMT(for: date) != right.secondsFromGMT(for: date)
                }
                #expect(!wrong, "\(city.name) \(proposal.name) \(country ?? "-") \(province ?? "-")")
            }
        }
        // A country with one zone, or a province that is known, is enough.
        for name in [
            "London", "Nairobi", "Kathmandu", "Hanoi", "Shenzhen", "Boston", "Kelowna", "Prince George", "Birmingham",
        ] {
            let city = try #require(WorldCities.all.first { $0.name == name })
            let position = GeoJSONGeometry.Position(longitude: city.longitude, latitude: city.latitude)
            #expect(
                table.proposal(country: city.country, province: city.province, position: position) != nil, "\(name)")
        }
    }

    @Test func `time zone: most cities of countries with several zones get one`() throws {
        let table = try #require(TimeZoneTable.system(), "zone1970.tab of tzdata")
        let known = Self.cities.filter { city in
            table.proposal(
                country: city.province.map { String($0.prefix(2)) }, province: city.province,
                position: .init(longitude: city.longitude, latitude: city.latitude)) != nil
        }
        #expect(
            known.count >= 38,
            "none for \(Self.cities.map(\.name).filter { name in !known.contains { $0.name == name } })")
    }

    @Test func `time zone: without a country only a near place is proposed, across the antimeridian too`() throws {
        for country in [nil, "", "Japan", "QQ"] {
            #expect(try Self.proposal(country, 139.7, 35.6) == "Asia/Tokyo by position")
            #expect(try Self.proposal(country, 0, 0) == nil)
            #expect(try Self.proposal(country, nil) == nil)
        }
        // Samoa has other clocks.
        #expect(try Self.proposal(nil, -179.9, -17.9) == nil)
        let table = try #require(TimeZoneTable("FJ\t-1808+17825\tPacific/Fiji"))
        let position = GeoJSONGeometry.Position(longitude: -179.9, latitude: -17.9)
        #expect(table.proposal(country: nil, province: nil, position: position)?.name == "Pacific/Fiji")
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
        #expect(table.proposal(country: "JP", province: nil, position: nil)?.name == "Mars/Tokyo")
    }
}
