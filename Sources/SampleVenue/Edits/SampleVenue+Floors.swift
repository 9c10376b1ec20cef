import IMDF

extension SampleVenue {
    /// The building with the most levels and its levels, highest last; levels without a building count as one.
    private func levelsOfLargestBuilding() -> [SampleFeature] {
        var stacks: [JSONValue: [SampleFeature]] = [:]
        for index in self.indices(where: { $0.type == .level && $0["outdoor"] != true }) {
            stacks[self.features[index]["building_ids"] ?? .null, default: []].append(self.features[index])
        }
        let largest = stacks.values.max { left, right in
            (left.count, right[0].id) < (right.count, left[0].id)
        }
        return (largest ?? []).sorted { ($0.ordinal, $1.id) < ($1.ordinal, $0.id) }
    }

    /// The features on a level, without the level feature.
    private func contents(of level: FeatureID) -> [SampleFeature] {
        let placements = LevelAssignment.placements(of: self.nodes)
        return zip(self.features, placements).filter { $1.level == level }.map(\.0)
    }

    /// Adds a copy of the highest level on top of the largest building: the same rooms with new tenants.
    mutating func addFloor(using random: inout some RandomNumberGenerator) {
        guard let top = self.levelsOfLargestBuilding().last else { return }
        let contents = self.contents(of: top.id).sorted { $0.id < $1.id }
        var fresh = FreshIDs(for: self)
        var ids = [top.id: fresh.next(using: &random)]
        for feature in contents { ids[feature.id] = fresh.next(using: &random) }
        let (old, new) = (top.ordinal, top.ordinal + 1)
        var level = top
        level.replace(ids)
        level["ordinal"] = .number(Double(new))
        level["name"] = Label.floor(new).inLanguages(of: top["name"] ?? .null)
        level["short_name"] = Label.shortFloor(new).inLanguages(of: top["short_name"] ?? .null)
        let renumbering = (Label.shortFloor(old).english, Label.shortFloor(new).english)
        self.extendConnections(ids)
        self.features.append(level)
        for feature in contents {
            var copy = feature
            copy.replace(ids)
            if feature.type == .occupant {
                let shop = random.shop()
                copy["name"] = shop.name.inLanguages(of: feature["name"] ?? .null)
                copy["category"] = .string(shop.category)
                copy["correlation_id"] = .null
            } else {
                for member in ["name", "alt_name"] {
                    copy[member] = feature[member].map { Self.renumber($0, renumbering) }
                }
            }
            // An address with a unit belongs to one shop only.
            if feature.type == .anchor { copy["address_id"] = .null }
            self.features.append(copy)
        }
    }

    /// Extends lifts and stairs that reach the highest level to its copy.
    private mutating func extendConnections(_ ids: [FeatureID: FeatureID]) {
        func copy(of id: JSONValue?) -> FeatureID? { id?.string.flatMap(FeatureID.init).flatMap { ids[$0] } }
        for index in self.features.indices {
            let feature = self.features[index]
            switch feature.type {
            case .amenity:
                guard let units = feature["unit_ids"]?.array, units.count > 1 else { continue }
                let copies = units.compactMap { copy(of: $0)?.value }
                if copies.count == 1 { self.features[index]["unit_ids"] = .array(units + copies) }
            case .relationship:
                guard ["elevator", "stairs"].contains(feature["category"]?.string), ids[feature.id] == nil,
                    let end = feature["destination"], let unit = copy(of: end["id"]), var next = end.object
                else { continue }
                next["id"] = unit.value
                self.features[index]["destination"] = .object(next)
                self.features[index]["intermediary"] = .array((feature["intermediary"]?.array ?? []) + [end])
            default: continue
            }
        }
    }

    /// Replaces the short name of a floor in labels: “Shop 3F-012” becomes “Shop 4F-012”.
    private static func renumber(_ labels: JSONValue, _ short: (old: String, new: String)) -> JSONValue {
        guard let object = labels.object else { return labels }
        return .object(
            JSONObject(
                object.members.map { member in
                    guard let text = member.value.string else { return member }
                    let renumbered = text.replacing(short.old, with: short.new, maxReplacements: 1)
                    return JSONObject.Member(key: member.key, value: .string(renumbered))
                }))
    }

    /// Removes the highest level of the largest building, unless it is the only one.
    mutating func removeFloor() {
        let levels = self.levelsOfLargestBuilding()
        guard levels.count > 1, let top = levels.last else { return }
        self.remove([top.id])
    }
}

extension SampleFeature {
    /// The ordinal of a level; 0 if it has none.
    var ordinal: Int { self["ordinal"]?.number.flatMap { abs($0) < 1e6 ? Int(exactly: $0) : nil } ?? 0 }
}
