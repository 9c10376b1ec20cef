import IMDF

extension Equivalence {
    /// Whether two GeoJSON geometries are equivalent. Collections and geometries that cannot be read are compared member by member
    /// and in order, with the tolerance for numbers in `coordinates`.
    func sameGeometry(_ left: JSONObject, _ right: JSONObject) -> Bool {
        var areEqual = true
        let restIsSame = left.allPairs(with: right) { key, left, right in
            switch key {
            case "coordinates": areEqual = areEqual && self.near(left, right)
            case "type": areEqual = areEqual && self.same(left, right, .texts)
            default: return self.same(left, right, .texts)
            }
            return true
        }
        guard restIsSame else { return false }
        if areEqual { return true }
        guard let left = ComparableGeometry(left), let right = ComparableGeometry(right) else { return false }
        return GeometryEquality.holds(between: left, and: right)
    }

    /// Whether coordinates are equal within the tolerance, number by number.
    private func near(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)):
            return Tolerance.near(left, right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices where !self.near(left[index], right[index]) { return false }
            return true
        default:
            return self.same(left, right, .texts)
        }
    }
}

extension JSONObject {
    /// Whether this is a GeoJSON geometry.
    var isGeometry: Bool {
        switch self.members.first(where: { $0.key.hasBytes(of: "type") })?.value.string {
        case "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection":
            true
        default: false
        }
    }
}
