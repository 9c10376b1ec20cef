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
    init(_ features: some Collection<some ReferringFeature>) {
        self.ids.reserveCapacity(features.count)
        self.kinds.reserveCapacity(features.count)
        self.types.reserveCapacity(features.count)
        self.references.reserveCapacity(features.count)
        self.numbersByID.reserveCapacity(features.count)
        var known: [FeatureType: (number: Int32, kind: Kind)] = [:]
        for feature in features {
            let (id, type) = (feature.id, feature.type)
            let entry = known[type] ?? (Int32(known.count), Kind(type))
            known[type] = entry
            self.numbersByID[id] = Int32(self.ids.count)
            self.ids.append(id)
            self.kinds.append(entry.kind)
            self.types.append(entry.number)
            self.references.append(feature.references)
        }
    }

    var count: Int { self.ids.count }
    var numbers: Range<Int32> { 0..<Int32(self.ids.count) }

    func id(of number: Int32) -> FeatureID { self.ids[Int(number)] }
    func kind(of number: Int32) -> Kind { self.kinds[Int(number)] }
    func references(of number: Int32) -> [Reference] { self.references[Int(number)] }
    func number(of id: FeatureID) -> Int32? { self.numbersByID[id] }
    func haveSameType(_ one: Int32, _ other: Int32) -> Bool { self.types[Int(one)] == self.types[Int(other)] }
}
