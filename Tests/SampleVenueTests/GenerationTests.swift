import IMDF
import IMDFArchive
import SampleVenue
import Testing

struct GenerationTests {
    static let options: [SampleVenue.Options] = [
        .small, .init(levels: 2, unitsPerLevel: 100), .init(levels: 1, unitsPerLevel: 4, seed: 1),
        .init(levels: 3, unitsPerLevel: 9, seed: 2),
        .init(levels: 62, unitsPerLevel: 5, seed: 3),
        .init(levels: 5, unitsPerLevel: 40, seed: 4, customExtension: true),
    ]

    @Test(arguments: options)
    func `generated venue is consistent`(options: SampleVenue.Options) {
        #expect(SampleVenue(options).problems == [])
    }

    @Test(arguments: options)
    func `generated venue passes strict decoding`(options: SampleVenue.Options) {
        var profile = StrictProfile()
        for feature in SampleVenue(options).features {
            profile.add(id: feature.id, type: feature.type, body: .object(feature.body))
        }
        #expect(profile.outcome().leftOut == [:])
    }

    @Test func `generation depends only on the options`() {
        let (one, other) = (SampleVenue(.init(levels: 2, seed: 11)), SampleVenue(.init(levels: 2, seed: 11)))
        #expect(one.files().map(\.content) == other.files().map(\.content))
    }

    /// Breaks when a change to the generator changes what a seed makes: measurements made with it then cannot be compared.
    @Test func `generation never changes its output for a seed`() {
        let venue = SampleVenue(.small)
        let bytes = venue.files().reduce(0) { $0 + $1.content.count }
        #expect(venue.features.count == 160)
        #expect(bytes == 73_836)
        #expect(venue.features(.venue)[0].id.description == "538c6a0c-da73-46c7-9e7e-b00e4c9c9e35")
    }

    @Test func `generation gives different venues for different seeds`() {
        let ids = [7, 8].map { seed in Set(SampleVenue(.init(seed: seed)).features.map(\.id)) }
        #expect(ids[0].isDisjoint(with: ids[1]))
    }

    @Test(arguments: options)
    func `generated venue has every standard type`(options: SampleVenue.Options) {
        let types = Set(SampleVenue(options).features.map(\.type))
        #expect(types.isSuperset(of: FeatureType.standard))
        #expect(types.count == FeatureType.standard.count + (options.customExtension ? 1 : 0))
    }

    @Test(arguments: options)
    func `ids are unique version 4 UUIDs`(options: SampleVenue.Options) {
        let features = SampleVenue(options).features
        #expect(Set(features.map(\.id)).count == features.count)
        #expect(features.allSatisfy { $0.id.high >> 12 & 15 == 4 && $0.id.low >> 62 == 2 })
    }

    @Test(arguments: options)
    func `names are in English and Japanese`(options: SampleVenue.Options) {
        for feature in SampleVenue(options).features {
            for member in ["name", "alt_name", "short_name"] {
                guard let name = feature[member], !name.isNull else { continue }
                #expect(name.object?.members.map(\.key) == ["en", "ja"])
                #expect(name.object?.members.allSatisfy { !($0.value.string ?? "").isEmpty } == true)
            }
        }
    }

    @Test func `ordinal 0 is on the main building, the annex and the plaza`() {
        let levels = SampleVenue(.init(levels: 5)).features(.level)
        let byBuilding = Dictionary(grouping: levels) { $0["building_ids"] ?? .null }
        let ordinals = byBuilding.values.map { $0.compactMap { $0["ordinal"]?.number }.sorted() }
        #expect(Set(ordinals) == [[-1, 0, 1, 2, 3], [0, 1], [0]])
        #expect(levels.filter { $0["outdoor"] == true }.map { $0["ordinal"] } == [0])
    }

    @Test(arguments: [1, 2, 3, 4, 60, 61])
    func `option levels counts the levels of the main buildings`(levels: Int) {
        let venue = SampleVenue(.init(levels: levels, unitsPerLevel: 4))
        let annex = venue.features(.building).first { $0["name"]?["en"] == "Annex" }
        let main = venue.features(.level).filter { level in
            level["outdoor"] == false && level["building_ids"]?.array?.first?.string != annex?.id.description
        }
        #expect(main.count == levels)
        #expect(main.allSatisfy { -12...163 ~= $0["ordinal"]?.number ?? 1_000 })
    }

    @Test(arguments: [4, 5, 8, 12, 20, 50, 250])
    func `option unitsPerLevel is exact for every level of a main building`(units: Int) {
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: units))
        let counts = Dictionary(grouping: venue.features(.unit)) { $0["level_id"] ?? .null }.mapValues(\.count)
        #expect(counts.values.filter { $0 == units }.count >= 3)
        #expect(venue.problems == [])
    }

    @Test func `generation: a tenth of the large venue has a tenth of 115 000 features and 54 MB`() {
        var options = SampleVenue.Options.large
        options.levels /= 10
        let venue = SampleVenue(options)
        #expect(10_900...12_100 ~= venue.features.count)
        #expect(5_130_000...5_670_000 ~= venue.files().reduce(0) { $0 + $1.content.count })
    }

    @Test func `generated venue: a geofence and the stairs span floors, and lift stops are correlated`() {
        let venue = SampleVenue()
        #expect(venue.features(.geofence).contains { $0["level_ids"]?.array?.count == 2 })
        let amenities = venue.features(.amenity)
        #expect(amenities.contains { $0["category"] == "stairs" && ($0["unit_ids"]?.array?.count ?? 0) > 1 })
        let lifts = amenities.filter { $0["category"] == "elevator" }
        let groups = Dictionary(grouping: lifts) { $0["correlation_id"] ?? .null }
        #expect(groups.values.map(\.count).sorted() == [2, 4])
        #expect(!groups.keys.contains(.null))
    }

    @Test func `option customExtension adds a type, unknown members and manifest entries`() throws {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 20, customExtension: true))
        let file = try #require(venue.files().first { $0.name == "attractions.geojson" })
        let features = try #require(try decode(file.content)["features"]?.array)
        #expect(features.allSatisfy { $0["feature_type"] == "attraction" && $0["properties"]?["nearest_unit"] != nil })
        #expect(venue.features(.unit).contains { $0["meta"] != nil })
        #expect(venue.manifest["extensions"]?.array?.count == 1)
        #expect(venue.manifest["origin"]?.string.flatMap(FeatureID.init) != nil)
    }
}
