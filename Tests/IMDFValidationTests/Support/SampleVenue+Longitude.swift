import IMDF
import SampleVenue

extension SampleVenue {
    /// Moves everything along its latitude, so that the middle of the venue is at a longitude. Beyond 180° longitudes become negative.
    mutating func moveEast(to longitude: Double) {
        let venue = self.features.first { $0.type == .venue }?["display_point"]
        guard let middle = venue?["coordinates"]?.array?[0].number else { return }
        for index in self.features.indices {
            let geometry = self.features[index].geometry
            self.features[index].geometry = geometry.movedEast(by: longitude - middle)
            guard let point = self.features[index]["display_point"], !point.isNull else { continue }
            self.features[index]["display_point"] = point.movedEast(by: longitude - middle)
        }
    }
}

extension JSONValue {
    /// A geometry, or a list of positions.
    fileprivate func movedEast(by degrees: Double) -> JSONValue {
        switch self {
        case .object(var geometry):
            if let coordinates = geometry["coordinates"] {
                geometry["coordinates"] = coordinates.movedEast(by: degrees)
            }
            return .object(geometry)
        case .array(let elements):
            guard let longitude = elements.first?.number else {
                return .array(elements.map { $0.movedEast(by: degrees) })
            }
            let moved = ((longitude + degrees) * 1e7).rounded() / 1e7
            let east = moved > 180 ? ((moved - 360) * 1e7).rounded() / 1e7 : moved
            return .array([.number(east)] + elements.dropFirst())
        default: return self
        }
    }
}
