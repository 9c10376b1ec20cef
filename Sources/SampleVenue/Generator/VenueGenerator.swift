import IMDF

/// Generates one venue top down: grounds, buildings, floors with their shops, then the connections between floors.
struct VenueGenerator {
    /// A building and its floors.
    struct Building {
        var id: FeatureID
        var addressLine: String
        var name: Label
        var plan: BuildingPlan
        var ordinals: ClosedRange<Int>
        var floors: [Floor] = []
    }

    /// The features of a floor that connections refer to.
    struct Floor {
        var id: FeatureID
        var ordinal: Int
        var core: [String: (unit: FeatureID, spot: PlanPoint)] = [:]
    }

    let options: SampleVenue.Options
    var random: SplitMix64
    var features: [SampleFeature] = []
    var manifest = JSONObject()
    var fileNames: [FeatureType: String] = [:]
    let site: SitePlan
    let name: (label: Label, slug: String, town: String)
    /// A business with a shop on two floors.
    var chain: (shop: Shop, correlation: FeatureID)?
    var plaza = PlanRectangle(left: 0, bottom: 0, right: 0, top: 0)
    var addressCount = 0

    static let highestBuilding = 60

    init(_ options: SampleVenue.Options) {
        self.options = options
        self.random = SplitMix64(seed: options.seed)
        self.name = self.random.element(of: Self.names)
        self.site = SitePlan(
            longitude: 1_396_400_000 + self.random.number(in: -20_000...20_000),
            latitude: 354_500_000 + self.random.number(in: -20_000...20_000))
        if options.levels > 1 {
            self.chain = (self.random.shop(), FeatureID.random(using: &self.random))
        }
    }

    private static let names = [
        (label: Label("Shiokaze Terrace", "潮風テラス"), slug: "shiokaze-terrace", town: "横浜市中区汐風町"),
        (label: Label("Minato Arcadia", "みなとアルカディア"), slug: "minato-arcadia", town: "横浜市西区湊見台"),
        (label: Label("Kamome Garden Walk", "かもめガーデンウォーク"), slug: "kamome-garden-walk", town: "横浜市神奈川区鴎浜"),
        (label: Label("Lumina Yokohama East", "ルミナ横浜イースト"), slug: "lumina-yokohama-east", town: "横浜市中区灯台通"),
    ]

    mutating func generate() {
        var buildings = self.layOut()
        self.addGrounds(&buildings)
        for index in buildings.indices {
            for ordinal in buildings[index].ordinals {
                buildings[index].floors.append(self.floor(ordinal, of: buildings[index], first: index == 0))
            }
        }
        self.addPlaza()
        for building in buildings {
            self.addConnections(of: building)
            self.addGeofences(of: building)
        }
        self.setManifest()
        if self.options.customExtension { self.addExtension() }
    }

    private mutating func setManifest() {
        self.manifest = [
            "created": "2025-04-01T09:00:00+09:00", "extensions": .null, "generated_by": "VenueSync sample 1.0",
            "language": "ja-JP", "version": "1.0.0",
        ]
    }

    @discardableResult
    mutating func add(
        _ type: FeatureType, _ geometry: JSONValue, _ properties: JSONObject, id: FeatureID? = nil
    ) -> FeatureID {
        let id = id ?? FeatureID.random(using: &self.random)
        self.features.append(SampleFeature(id: id, type: type, geometry: geometry, properties: properties))
        return id
    }

    /// Every address has a line of its own, or a unit of its own in the same line.
    mutating func addAddress(line: String, unit: String? = nil) -> FeatureID {
        self.add(
            .address, .null,
            [
                "address": .string(line), "country": "JP", "locality": "横浜市", "postal_code": "231-0999",
                "postal_code_ext": .null, "postal_code_vanity": .null, "province": "JP-14",
                "unit": unit.map(JSONValue.string) ?? .null,
            ])
    }

    mutating func nextAddressLine() -> String {
        self.addressCount += 1
        return "\(self.name.town)1-2-\(self.addressCount)"
    }
}

extension FeatureID {
    var value: JSONValue { .string(self.description) }
}
