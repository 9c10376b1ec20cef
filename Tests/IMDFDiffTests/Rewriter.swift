import IMDF
import SampleVenue

/// Writes a feature as another exporter might: with every difference in notation that does not matter.
struct Rewriter {
    var random: SplitMix64
    /// How far coordinates stray, in degrees.
    var jitter: Double
    let isReference: (FeatureID) -> Bool

    mutating func rewritten(_ feature: JSONValue) -> JSONValue {
        guard let object = feature.object else { return feature }
        var members: [JSONObject.Member] = []
        for member in object.members {
            let value: JSONValue =
                switch member.key {
                case "geometry": self.geometry(member.value)
                case "properties": self.properties(member.value, type: object["feature_type"]?.string)
                default: member.value
                }
            members.append(.init(key: member.key, value: value))
        }
        return self.object(members)
    }

    private mutating func properties(_ value: JSONValue, type: String?) -> JSONValue {
        guard let object = value.object else { return value }
        let sets: Set = ["unit_ids", "building_ids", "level_ids", "parents", "accessibility", "access_control"]
        var members: [JSONObject.Member] = []
        for member in object.members {
            if sets.contains(member.key), let items = member.value.array, items.allSatisfy({ $0.string != nil }) {
                let items = items.shuffled(using: &self.random).map { self.shouted($0) }
                members.append(.init(key: member.key, value: .array(items)))
            } else if member.key == "name" || member.key == "correlation_id" {
                members.append(member)
            } else {
                let isSequence = member.key == "intermediary" && type == "relationship"
                members.append(.init(key: member.key, value: self.value(member.value, isSequence: isSequence)))
            }
        }
        return self.object(members)
    }

    private mutating func value(_ value: JSONValue, isSequence: Bool = false) -> JSONValue {
        switch value {
        case .string:
            return self.shouted(value)
        case .array(let items):
            let isSet =
                !isSequence && items.allSatisfy { $0.string.flatMap(FeatureID.init).map(self.isReference) ?? false }
            return .array((isSet ? items.shuffled(using: &self.random) : items).map { self.value($0) })
        case .object(let object):
            if object["coordinates"] != nil { return self.geometry(value) }
            return self.object(object.members.map { .init(key: $0.key, value: self.value($0.value)) })
        case .null, .bool, .number:
            return value
        }
    }

    /// Some nulls more, some less, in any order.
    private mutating func object(_ members: [JSONObject.Member]) -> JSONValue {
        var members = members.filter { !$0.value.isNull || self.random.chance(0.5) }
        for key in ["_nothing", "zz", "Ω"] where self.random.chance(0.3) { members.append(.init(key: key, value: nil)) }
        return .object(JSONObject(members.shuffled(using: &self.random)))
    }

    private mutating func shouted(_ value: JSONValue) -> JSONValue {
        guard let text = value.string, let id = FeatureID(text), self.isReference(id), self.random.chance(0.5) else {
            return value
        }
        return .string(text.uppercased())
    }

    private mutating func geometry(_ value: JSONValue) -> JSONValue {
        guard var type = value["type"]?.string, var parts = value["coordinates"]?.array else { return value }
        if type.hasPrefix("Multi") { type.removeFirst(5) } else { parts = [.array(parts)] }
        parts = parts.shuffled(using: &self.random).map { part in
            switch type {
            case "Point": return self.strayed(part)
            case "LineString": return .array((part.array ?? []).map { self.strayed($0) })
            default:
                let rings = part.array ?? []
                let holes = rings.dropFirst().shuffled(using: &self.random)
                return .array((rings.prefix(1) + holes).map { self.ring($0) })
            }
        }
        if parts.count == 1, self.random.chance(0.5) {
            return self.object(["type": .string(type), "coordinates": parts[0]])
        }
        return self.object(["type": .string("Multi\(type)"), "coordinates": .array(parts)])
    }

    private mutating func ring(_ value: JSONValue) -> JSONValue {
        var open = (value.array ?? []).dropLast().map { self.strayed($0) }
        let start = Int.random(in: 0..<max(open.count, 1), using: &self.random)
        open = Array(open[start...] + open[..<start])
        if self.random.chance(0.5) { open.reverse() }
        return .array(open + open.prefix(1))
    }

    private mutating func strayed(_ vertex: JSONValue) -> JSONValue {
        .array(
            (vertex.array ?? []).map { ordinate in
                .number((ordinate.number ?? 0) + .random(in: -self.jitter...self.jitter, using: &self.random))
            })
    }
}

extension Rewriter {
    private func object(_ members: JSONObject) -> JSONValue { .object(members) }
}
