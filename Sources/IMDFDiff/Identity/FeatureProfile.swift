import IMDF

/// The properties of a feature that the matcher compares. A class, because each is compared with dozens of others.
final class FeatureProfile {
    /// The index of the feature in its state.
    let number: Int32
    let type: FeatureType
    /// The index of the stored level; -1 if it is not known.
    let level: Int32
    let geometry: ComparableGeometry?
    /// The center of the bounding box, in degrees.
    let center: (x: Double, y: Double)?
    /// The names in all languages, in lower case and with single spaces.
    let names: Set<String>
    let category: String?
    /// Telephone number, website and correlation id, which different features do not share.
    let contacts: Set<String>
    /// Hashes of all other properties that are not references, by name.
    let members: [ExactText: Int]
    let ordinal: Double?
    /// The geometry around the mean of its vertices, at half its size; nil if there is none.
    private(set) lazy var centered: ComparableGeometry? = self.geometry.map { $0.moved(from: $0.mean, scale: 0.5) }

    /// The area of the geometry, in square degrees.
    let area: Double

    init(_ feature: JSONValue, number: Int32, type: FeatureType, level: Int32, equivalence: Equivalence) {
        let properties = feature["properties"]?.object
        self.number = number
        self.type = type
        self.level = level
        self.geometry = feature["geometry"]?.object.flatMap(ComparableGeometry.init)
        self.area = self.geometry?.area ?? 0
        self.center = self.geometry?.box.map { (($0.minX + $0.maxX) / 2, ($0.minY + $0.maxY) / 2) }
        var names: Set<String> = []
        var contacts: Set<String> = []
        var members: [ExactText: Int] = [:]
        for member in properties?.members ?? [] where !member.value.isNull {
            switch member.key {
            case "name", "short_name", "alt_name":
                guard member.key == "name" || properties?["name"]?.isNull ?? true else { break }
                names.formUnion(Self.texts(member.value))
            case "phone", "website", "correlation_id":
                contacts.formUnion(Self.texts(member.value).map { "\(member.key) \($0)" })
                members[ExactText(member.key)] = member.value.hashValue
            case "display_point": break
            default:
                guard PropertyRule.changeClass(of: member.key) != .reference, !equivalence.isReferring(member.value)
                else { break }
                members[ExactText(member.key)] = member.value.hashValue
            }
        }
        self.names = names
        self.contacts = contacts
        self.members = members
        self.category = properties?["category"]?.string
        self.ordinal = properties?["ordinal"]?.number
    }

    private static func texts(_ value: JSONValue) -> [String] {
        let texts = value.string.map { [$0] } ?? value.object?.members.compactMap(\.value.string) ?? []
        return texts.map(Self.folded).filter { !$0.isEmpty }
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The similarity of the names, from 0 to 1: the highest share of common words in any pair of languages.
    func nameSimilarity(with other: FeatureProfile) -> Double {
        var best = 0.0
        for name in self.names {
            let words = Set(name.split(separator: " "))
            for otherName in other.names {
                let others = Set(otherName.split(separator: " "))
                best = max(best, Double(words.intersection(others).count) / Double(words.union(others).count))
            }
        }
        return best
    }

    /// The share of properties that are equal, from 0 to 1; 1 if neither feature has any.
    func agreement(with other: FeatureProfile) -> Double {
        if self.members.isEmpty, other.members.isEmpty { return 1 }
        let equal = self.members.count { other.members[$0.key] == $0.value }
        let all = self.members.count + other.members.count - self.members.count { other.members[$0.key] != nil }
        return Double(equal) / Double(all)
    }

    /// A bound of the overlap of the geometries, computed from their bounding boxes and areas; 1 where these say nothing.
    ///
    /// The overlap itself is estimated along a few lines, and may be estimated a little above this bound.
    func greatestOverlap(with other: FeatureProfile) -> Double {
        guard let here = self.geometry?.box, let there = other.geometry?.box, here.meets(there) else { return 0 }
        let width = min(here.maxX, there.maxX) - max(here.minX, there.minX)
        let height = min(here.maxY, there.maxY) - max(here.minY, there.minY)
        let shared = max(0, width) * max(0, height)
        let covered = self.area + other.area - shared
        return self.area > 0 && other.area > 0 && covered > 0 ? min(1, shared / covered) : 1
    }

    /// Whether the geometry is that of the other feature after a translation, within the tolerance.
    func isCongruent(with other: FeatureProfile) -> Bool {
        guard let geometry = self.geometry, let otherGeometry = other.geometry, geometry.kind == otherGeometry.kind,
            geometry.dimension == otherGeometry.dimension, geometry.vertexCount == otherGeometry.vertexCount
        else { return false }
        // Both may deviate by the tolerance, so they may be twice as far apart. Half the size corrects that.
        guard let centered = self.centered, let otherCentered = other.centered else { return false }
        return GeometryEquality.holds(between: centered, and: otherCentered)
    }
}

extension ComparableGeometry {
    /// The area of the intersection divided by that of the union, from 0 to 1, estimated along lines of latitude.
    ///
    /// - Complexity: O(*n*) in the number of vertices.
    func overlap(with other: ComparableGeometry) -> Double {
        guard self.kind == .polygons, other.kind == .polygons else { return 0 }
        guard let here = self.box, let there = other.box, here.meets(there) else { return 0 }
        let boxes = [here, there]
        guard let low = boxes.map(\.minY).min(), let high = boxes.map(\.maxY).max(), low < high else { return 0 }
        let lines = 32
        var (shared, covered) = (0.0, 0.0)
        var (crossings, otherCrossings): ([Double], [Double]) = ([], [])
        for line in 0..<lines {
            // Not exactly in the middle, because vertices often lie at equal distances.
            let y = low + (high - low) * (Double(line) + 0.487) / Double(lines)
            self.findCrossings(at: y, &crossings)
            other.findCrossings(at: y, &otherCrossings)
            let both = Self.shared(crossings, otherCrossings)
            shared += both
            covered += Self.length(crossings) + Self.length(otherCrossings) - both
        }
        return covered > 0 ? shared / covered : 0
    }

    /// The area of a polygon, in square degrees; 0 for other geometries and for several polygons, which may overlap.
    var area: Double {
        guard self.kind == .polygons, self.parts.count == 1 else { return 0 }
        let areas = self.paths.map { path in
            var (sum, from) = (0.0, path.vertices.upperBound - 1)
            let origin = self.ordinates[from * self.dimension]
            for to in path.vertices {
                let (x1, x2) = (self.ordinates[from * self.dimension], self.ordinates[to * self.dimension])
                let (y1, y2) = (self.ordinates[from * self.dimension + 1], self.ordinates[to * self.dimension + 1])
                sum += (x1 + x2 - 2 * origin) * (y2 - y1)
                from = to
            }
            return abs(sum) / 2
        }
        return max(0, (areas.first ?? 0) - areas.dropFirst().reduce(0, +))
    }

    /// The longitudes at which a line of latitude enters or leaves the area, ascending.
    private func findCrossings(at y: Double, _ crossings: inout [Double]) {
        crossings.removeAll(keepingCapacity: true)
        for path in self.paths {
            guard var from = path.vertices.last else { continue }
            for to in path.vertices {
                let (y1, y2) = (self.ordinates[from * self.dimension + 1], self.ordinates[to * self.dimension + 1])
                if (y1 > y) != (y2 > y) {
                    let (x1, x2) = (self.ordinates[from * self.dimension], self.ordinates[to * self.dimension])
                    crossings.append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
                }
                from = to
            }
        }
        crossings.sort()
        if crossings.count % 2 == 1 { crossings.removeLast() }
    }

    private static func length(_ crossings: [Double]) -> Double {
        stride(from: 0, to: crossings.count, by: 2).reduce(0) { $0 + crossings[$1 + 1] - crossings[$1] }
    }

    private static func shared(_ left: [Double], _ right: [Double]) -> Double {
        var (here, there, shared) = (0, 0, 0.0)
        while here < left.count, there < right.count {
            shared += max(0, min(left[here + 1], right[there + 1]) - max(left[here], right[there]))
            if left[here + 1] < right[there + 1] { here += 2 } else { there += 2 }
        }
        return shared
    }
}
