package import IMDF

/// How a careless tool writes the id of a feature, and references to it, in place of its UUID.
package enum IDFault: Hashable, Sendable {
    /// The UUID with white space around it.
    case whiteSpace
    /// A text that is not a UUID, such as `L0`.
    case text(String)
    /// A number.
    case number(Int)
    /// The UUID, in the properties only, as after a conversion through a GeoPackage.
    case inProperties
    /// The UUID of a feature of another type.
    case shared(FeatureID)
    /// The feature is written twice.
    case repeated

    package enum Kind: CaseIterable {
        case whiteSpace, text, number, inProperties, shared, repeated
    }
}

extension SampleVenue {
    /// Gives features of every kind a faulty id. Each feature has one fault at most, and what another feature shares its id with has none.
    package mutating func damageIDs(
        _ kinds: [IDFault.Kind] = IDFault.Kind.allCases, count: Int, using random: inout some RandomNumberGenerator
    ) {
        var free = random.sample(self.features.count, of: self.indices { $0.type != .venue })
        for (number, kind) in kinds.flatMap({ kind in (0..<count).map { ($0 + 1, kind) } }) {
            guard let index = free.popLast() else { return }
            let feature = self.features[index]
            let fault: IDFault
            switch kind {
            case .whiteSpace: fault = .whiteSpace
            case .text: fault = .text("\(feature.type.rawValue.prefix(1).uppercased())-\(number)é")
            case .number: fault = .number(1_000 + number)
            case .inProperties: fault = .inProperties
            case .repeated: fault = .repeated
            case .shared:
                guard let other = free.lastIndex(where: { self.features[$0].type != feature.type }) else { continue }
                fault = .shared(self.features[free.remove(at: other)].id)
            }
            self.style.idFaults[feature.id] = fault
        }
    }
}

extension ProducerStyle {
    /// The features as they are written, with their faults.
    func written(_ features: [SampleFeature]) -> [JSONObject] {
        guard !self.idFaults.isEmpty else { return features.map(\.body) }
        return features.flatMap { feature -> [JSONObject] in
            var body = self.written(.object(feature.body)).object ?? [:]
            switch self.idFaults[feature.id] {
            case .inProperties:
                var properties = body["properties"]?.object ?? [:]
                properties["id"] = body["id"]
                body["properties"] = .object(properties)
                body["id"] = .none
                return [body]
            case .repeated: return [body, body]
            default: return [body]
            }
        }
    }

    private func written(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            guard text.utf8.count == FeatureID.textLength, let id = FeatureID(text) else { return value }
            return switch self.idFaults[id] {
            case .whiteSpace: .string(" \(text)\n")
            case .text(let text): .string(text)
            case .number(let number): .number(Double(number))
            case .shared(let other): .string(other.description)
            case .inProperties, .repeated, nil: value
            }
        case .array(let elements): return .array(elements.map(self.written))
        case .object(var object):
            for member in object.members where member.key != "coordinates" {
                object[member.key] = self.written(member.value)
            }
            return .object(object)
        default: return value
        }
    }
}
