package import Foundation
package import IMDF
package import RevisionStore
import SyncModel

/// The time zones of countries, and a place in each: the file `zone1970.tab` of the IANA time zone database.
///
/// From the address and the position of a venue it proposes a time zone. Zones that agree since 1970 are one zone in the file.
package struct TimeZoneTable: Sendable {
    private struct Zone: Sendable {
        let name: String
        /// ISO 3166-1 alpha-2 codes; the country of the place is the first.
        let countries: [String]
        let place: UnitVector
    }

    private let zones: [Zone]

    private static let fileName = "zone1970.tab"
    /// The file has 20 kB.
    private static let maxBytes = 1 << 20
    /// The distance in meters up to which a place speaks for a venue whose country is unknown, and around which all zones have to agree.
    private static let nearby = 500_000.0
    private static let earthRadius = 6_371_007.18
    /// Zones that only some people of a place use: the official time of Xinjiang is that of Beijing.
    private static let partlyUsed: Set = ["Asia/Urumqi"]

    /// Reads the table of the system: in the folder that `TZDIR` names, or in `/usr/share/zoneinfo`. Nil if there is none.
    package static func system(environment: [String: String] = ProcessInfo.processInfo.environment) -> TimeZoneTable? {
        let folders = [environment["TZDIR"], "/usr/share/zoneinfo"].compactMap { $0 }.filter { !$0.isEmpty }
        for folder in folders {
            if let table = TimeZoneTable(file: URL(filePath: folder).appending(path: Self.fileName)) { return table }
        }
        return nil
    }

    /// Reads a file. Nil if it is not readable or has no valid line.
    package init?(file: URL) {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: Self.maxBytes + 1), data.count <= Self.maxBytes else { return nil }
        self.init(String(decoding: data, as: UTF8.self))
    }

    /// Reads the lines of the file: country codes, coordinates (ISO 6709) and the name of the zone, separated by tabs.
    package init?(_ text: String) {
        self.zones = text.split(whereSeparator: \.isNewline).compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard !line.hasPrefix("#"), columns.count >= 3, let place = Self.position(columns[1]),
                !columns[2].isEmpty, columns[2].utf8.count <= 64
            else { return nil }
            let countries = columns[0].split(separator: ",").map { String($0) }
            return Zone(name: String(columns[2]), countries: countries, place: UnitVector(place))
        }
        if self.zones.isEmpty { return nil }
    }

    /// Proposes a time zone, whose clocks are right: the nearest place of the table says little about a position, because a boundary may be
    /// between the two.
    ///
    /// The only zone of a country is certain. Of several, it is that of the province, or of the part of the country, if that is known.
    /// Otherwise all zones around have to agree: those of the country whose places are up to three times as far away as the nearest one,
    /// and 500 km. If the country is unknown, the nearest place is at most 500 km away.
    ///
    /// - Parameters:
    ///   - country: ISO 3166-1 alpha-2; anything else counts as unknown.
    ///   - province: ISO 3166-2 of that country.
    ///   - position: Of the venue.
    /// - Returns: Nil if none of these determines a zone.
    package func proposal(
        country: String?, province: String?, position: GeoJSONGeometry.Position?
    ) -> TimeZoneProposal? {
        let code = country?.uppercased()
        let zones = self.zones.filter { zone in code.map { zone.countries.contains($0) } ?? false }
        if zones.count == 1 { return TimeZoneProposal(name: zones[0].name, source: .country) }
        // A zone that is shared with another country has its place there, and holds in a small part of this one.
        let own = zones.filter { $0.countries.first == code }
        if let code, !zones.isEmpty {
            let codes = [province?.uppercased(), code].compactMap(\.self).filter { $0.hasPrefix(code) }
            let known = codes.lazy.compactMap { ProvinceTimeZones.timeZone(of: $0, at: position) }.first
            if let known, zones.contains(where: { $0.name == known }) {
                return TimeZoneProposal(name: known, source: .position)
            }
        }
        guard let position else { return nil }
        return self.unanimous(
            zones.isEmpty ? self.zones : own.isEmpty ? zones : own, isCountryKnown: !zones.isEmpty, at: position)
    }

    /// The zone of the nearest place, if the clocks of all zones around are the same.
    private func unanimous(
        _ zones: [Zone], isCountryKnown: Bool, at position: GeoJSONGeometry.Position
    ) -> TimeZoneProposal? {
        let place = UnitVector(position)
        let distances = zones.map { (zone: $0, distance: $0.place.angle(to: place) * Self.earthRadius) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            isCountryKnown || nearest.distance <= Self.nearby, !Self.partlyUsed.contains(nearest.zone.name)
        else { return nil }
        // Zones of some counties, such as America/North_Dakota/Center, lie close together within another one.
        let regional = distances.filter { $0.zone.name.count { $0 == "/" } == 1 }.map(\.distance).min()
        let reach = 3 * (regional ?? nearest.distance) + Self.nearby
        let around = distances.filter { $0.distance <= reach }.map(\.zone)
        return Set(around.map { Self.offsets(of: $0.name) }).count == 1
            ? TimeZoneProposal(name: nearest.zone.name, source: .position) : nil
    }

    /// What the clocks of a zone show in the two years from 2026 on, in seconds, every two weeks; the name of a zone that the system does not know
    /// stands for itself.
    private static func offsets(of zone: String) -> [String] {
        guard let timeZone = TimeZone(identifier: zone) else { return [zone] }
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        return (0..<52).map { "\(timeZone.secondsFromGMT(for: start.addingTimeInterval(Double($0) * 14 * 86_400)))" }
    }

    /// Reads `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS`: latitude and longitude in degrees, minutes and seconds.
    private static func position(_ text: Substring) -> GeoJSONGeometry.Position? {
        guard let match = text.wholeMatch(of: /([+-])(\d\d)(\d\d)(\d\d)?([+-])(\d\d\d)(\d\d)(\d\d)?/) else {
            return nil
        }
        func degrees(_ sign: Substring, _ degrees: Substring, _ minutes: Substring, _ seconds: Substring?) -> Double {
            let parts = [degrees, minutes, seconds ?? "0"].map { Double($0) ?? 0 }
            return (sign == "-" ? -1 : 1) * (parts[0] + parts[1] / 60 + parts[2] / 3600)
        }
        let latitude = degrees(match.1, match.2, match.3, match.4)
        let longitude = degrees(match.5, match.6, match.7, match.8)
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        return GeoJSONGeometry.Position(longitude: longitude, latitude: latitude)
    }
}

/// A point on the unit sphere, so that distances need no special cases at the antimeridian.
private struct UnitVector {
    let (x, y, z): (Double, Double, Double)

    init(_ position: GeoJSONGeometry.Position) {
        let (longitude, latitude) = (position.longitude * .pi / 180, position.latitude * .pi / 180)
        (self.x, self.y, self.z) = (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// The angle between two points in radians.
    func angle(to other: UnitVector) -> Double {
        let (x, y, z) = (self.x - other.x, self.y - other.y, self.z - other.z)
        return 2 * asin(min(1, (x * x + y * y + z * z).squareRoot() / 2))
    }
}
