/// The parts of features that level assignment needs, by the features' numbers: their indices in the given order.
struct AssignmentIndex {
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

    private var numbersByID = FeatureNumbers([])
    private var kinds: [Kind] = []
    /// Equal types have equal numbers.
    private var types: [Int32] = []
    private var references: [[Reference]] = []

    /// Copies the features into arrays, because generic code across modules is many times slower.
    ///
    /// - Parameter placed: Features whose references are not needed.
    init(_ features: some Collection<some ReferringFeature>, _ placed: [FeaturePlacement]) {
        let count = features.count + placed.count
        var ids: [FeatureID] = []
        ids.reserveCapacity(count)
        self.kinds.reserveCapacity(count)
        self.types.reserveCapacity(count)
        self.references.reserveCapacity(count)
        var types: [FeatureType: (number: Int32, kind: Kind)] = [:]
        for feature in features {
            ids.append(feature.id)
            self.append(feature.type, feature.references, &types)
        }
        for feature in placed {
            ids.append(feature.id)
            self.append(feature.type, [], &types)
        }
        self.numbersByID = FeatureNumbers(ids)
    }

    private mutating func append(
        _ type: FeatureType, _ references: [Reference],
        _ types: inout [FeatureType: (number: Int32, kind: Kind)]
    ) {
        let known = types[type]
        let entry = known ?? (Int32(types.count), Kind(type))
        if known == nil { types[type] = entry }
        self.kinds.append(entry.kind)
        self.types.append(entry.number)
        self.references.append(references)
    }

    var count: Int { self.kinds.count }
    var numbers: Range<Int32> { 0..<Int32(self.kinds.count) }

    func id(of number: Int32) -> FeatureID { self.numbersByID.ids[Int(number)] }
    func kind(of number: Int32) -> Kind { self.kinds[Int(number)] }
    func references(of number: Int32) -> [Reference] { self.references[Int(number)] }
    func number(of id: FeatureID) -> Int32? { self.numbersByID.number(of: id) }
    func haveSameType(_ one: Int32, _ other: Int32) -> Bool { self.types[Int(one)] == self.types[Int(other)] }
}
