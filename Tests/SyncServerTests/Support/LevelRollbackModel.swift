import IMDF
import SampleVenue

/// A slow and simple model of level rollbacks: two dictionaries, and the rule applied to every feature.
struct LevelRollbackModel {
    /// A feature of a state, with its placement.
    struct Entry {
        var type: FeatureType
        var body: JSONValue
        var references: [Reference]
        var placement = Placement(level: nil)

        /// The levels that the feature is on, touches, or is itself.
        func home(_ id: FeatureID) -> Set<FeatureID> {
            if self.type == .level { return [id] }
            return self.placement.level.map { [$0] } ?? Set(self.placement.touches)
        }
    }

    typealias State = [FeatureID: Entry]

    struct Pair: Hashable {
        let id: FeatureID
        let missing: FeatureID
    }

    enum Outcome {
        case state(State)
        case nothing
        case entangled(crossed: Set<FeatureID>, dangling: Set<Pair>, displaced: Set<FeatureID>)
    }

    let now: State
    let then: State

    func outcome(_ levels: Set<FeatureID>) -> Outcome {
        func belongs(_ id: FeatureID, _ entry: Entry) -> Bool {
            let home = entry.home(id)
            return !home.isEmpty && home.isSubset(of: levels)
        }
        let taken = self.then.filter { belongs($0.key, $0.value) }
        let staying = self.now.filter { !belongs($0.key, $0.value) }
        let crossed = Set(self.now.keys).intersection(self.then.keys).filter { id in
            (taken[id] != nil) == (staying[id] != nil)
        }
        var new = staying.merging(taken) { _, old in old }
        var dangling: Set<Pair> = []
        for (id, entry) in new {
            let source = taken[id] != nil ? self.then : self.now
            for target in entry.references.map(\.target) where source[target] != nil && new[target] == nil {
                dangling.insert(Pair(id: id, missing: target))
            }
        }
        guard crossed.isEmpty, dangling.isEmpty else {
            return .entangled(crossed: crossed, dangling: dangling, displaced: [])
        }
        Self.place(&new)
        let displaced = new.filter { id, entry in
            if let old = taken[id] {
                return old.placement.level != entry.placement.level || old.placement.touches != entry.placement.touches
            }
            return self.now[id]?.placement.level != entry.placement.level || belongs(id, entry)
        }
        guard displaced.isEmpty else { return .entangled(crossed: [], dangling: [], displaced: Set(displaced.keys)) }
        let isSame =
            new.count == self.now.count
            && new.allSatisfy { id, entry in
                self.now[id].map { $0.body == entry.body && $0.placement.level == entry.placement.level } ?? false
            }
        return isSame ? .nothing : .state(new)
    }

    /// The features by id, each with its placement.
    static func state(_ bodies: [JSONValue]) -> State {
        var state: State = [:]
        for body in bodies {
            guard let id = body["id"]?.string.flatMap({ FeatureID($0) }), let name = body["feature_type"]?.string
            else { continue }
            let type = FeatureType(rawValue: name)
            state[id] = Entry(type: type, body: body, references: Self.references(of: type, body["properties"]))
        }
        Self.place(&state)
        return state
    }

    static func state(_ venue: SampleVenue) -> State {
        self.state(venue.features.map { .object($0.body) })
    }

    private struct Node: ReferringFeature {
        let id: FeatureID
        let type: FeatureType
        let references: [Reference]
    }

    private static func place(_ state: inout State) {
        let nodes = state.map { Node(id: $0.key, type: $0.value.type, references: $0.value.references) }
        for (node, placement) in zip(nodes, LevelAssignment.placements(of: nodes)) {
            state[node.id]?.placement = placement
        }
    }

    private static let roles: [String: Reference.Role] = [
        "level_id": .level, "level_ids": .levels, "unit_id": .unit, "unit_ids": .units, "anchor_id": .anchor,
        "building_ids": .buildings, "address_id": .address, "parents": .parents, "origin": .origin,
        "intermediary": .intermediary, "destination": .destination,
    ]

    private static func references(of type: FeatureType, _ properties: JSONValue?) -> [Reference] {
        guard type != .address else { return [] }
        let texts: Set = ["name", "alt_name", "short_name", "address", "correlation_id"]
        var found: [Reference] = []
        func visit(_ value: JSONValue, _ role: Reference.Role) {
            switch value {
            case .string(let text): if let id = FeatureID(text) { found.append(Reference(role: role, target: id)) }
            case .array(let values): for value in values { visit(value, role) }
            case .object(let object): for member in object.members { visit(member.value, role) }
            default: return
            }
        }
        for member in properties?.object?.members ?? [] where !texts.contains(member.key) {
            visit(member.value, self.roles[member.key] ?? .undeclared)
        }
        return found
    }
}

extension LevelRollbackModel.State {
    var bodies: [FeatureID: [UInt8]] { self.mapValues { CanonicalJSON.data($0.body) } }

    var levels: Set<FeatureID> { Set(self.filter { $0.value.type == .level }.keys) }

    func digest(of level: FeatureID?) -> Digest {
        var digest = LevelDigest()
        for (_, entry) in self.filter({ $0.value.placement.level == level }).sorted(by: { $0.key < $1.key }) {
            digest.add(body: CanonicalJSON.data(entry.body))
        }
        return digest.finalize()
    }

    /// The state as a venue that can be edited.
    func venue(like other: SampleVenue) -> SampleVenue {
        let features = self.sorted { $0.key < $1.key }.map { id, entry in
            SampleFeature(id: id, type: entry.type, body: entry.body.object ?? [:])
        }
        return SampleVenue(features: features, manifest: other.manifest, fileNames: other.fileNames)
    }
}
