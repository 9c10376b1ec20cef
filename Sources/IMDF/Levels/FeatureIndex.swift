/// The parts of features that level assignment needs, by the features' numbers: their indices in the given order.
struct FeatureIndex {
    /// The kinds of types that level assignment distinguishes.
    enum Kind: UInt8 {
        case level
        /// Venue, address, building and footprint.
        case withoutLevel
        case anchor, amenity, occupant, geofence, relationship
        case other

        fileprivate init(_ type: FeatureType) {
            self =
                switch type {
                case .level: .level
                case .venue, .address, .building, .footprint: .withoutLevel
                case .anchor: .anchor
                case .amenity: .amenity
                case .occupant: .occupant
                case .geofence: .geofence
                case .relationship: .relationship
                default: .other
                }
        }
    }

    private var ids: [FeatureID] = []
    private var kinds: [Kind] = []
    /// Equal types have equal numbers.
    private var types: [Int32] = []
    private var references: [[Reference]] = []
    private var numbersByID: [FeatureID: Int32] = [:]

    /// Copies the features into arrays, because generic code across modules is many times slower.
    ///
    /// - Parameter placed: Features whose references are not needed.
    init(_ features: some Collection<some ReferringFeature>, _ placed: [PlacedFeature]) {
        let count = features.count + placed.count
        self.ids.reserveCapacity(count)
        self.kinds.reserveCapacity(count)
        self.types.reserveCapacity(count)
        self.references.reserveCapacity(count)
        self.numbersByID.reserveCapacity(count)
        var types: [FeatureType: (number: Int32, kind: Kind)] = [:]
        for feature in features { self.append(feature.id, feature.type, feature.references, &types) }
        for feature in placed { self.append(feature.id, feature.type, [], &types) }
    }

    private mutating func append(
        _ id: FeatureID, _ type: FeatureType, _ references: [Reference],
        _ types: inout [FeatureType: (number: Int32, kind: Kind)]
    ) {
        let entry = types[type] ?? (Int32(types.count), Kind(type))
        types[type] = entry
        self.numbersByID[id] = Int32(self.ids.count)
        self.ids.append(id)
        self.kinds.append(entry.kind)
        self.types.append(entry.number)
        self.references.append(references)
    }

    var count: Int { self.ids.count }
    var numbers: Range<Int32> { 0..<Int32(self.ids.count) }

    func id(of number: Int32) -> FeatureID { self.ids[Int(number)] }
    func kind(of number: Int32) -> Kind { self.kinds[Int(number)] }
    func references(of number: Int32) -> [Reference] { self.references[Int(number)] }
    func number(of id: FeatureID) -> Int32? { self.numbersByID[id] }
    func haveSameType(_ one: Int32, _ other: Int32) -> Bool { self.types[Int(one)] == self.types[Int(other)] }
}
