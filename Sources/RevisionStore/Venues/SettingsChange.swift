import Foundation
package import IMDF
import Postgres
package import SyncModel

/// The settings that a request changes. All others keep the values that they have when the change is written.
package struct SettingsChange: Sendable, Hashable {
    /// New values; null resets a setting that can be without a value.
    private var values: [VenueSetting: JSONValue] = [:]

    package init() {}

    /// The new value of a setting; nil if it is not changed.
    package subscript(setting: VenueSetting) -> JSONValue? {
        get { self.values[setting] }
        set {
            precondition(newValue.map(setting.accepts) ?? true, "\(setting.rawValue) takes \(setting.valueDescription)")
            self.values[setting] = newValue
        }
    }

    /// `column = value` for every setting, in one text for all changes. Also the removal of a time zone is an operator's choice.
    fileprivate var assignments: Query {
        let assignments = VenueSetting.allCases.map { setting -> Query in
            let column: Query = "\(raw: setting.rawValue)"
            let isChanged = self.values[setting] != nil
            return "\(column) = CASE WHEN \(isChanged) THEN \(self.value(of: setting)) ELSE \(column) END"
        }
        let source: Query = """
            time_zone_source = CASE WHEN \(self.values[.timeZone] != nil) THEN 'operator' ELSE time_zone_source END
            """
        return assignments.reduce(source) { "\($0), \($1)" }
    }

    /// The new value of a setting as a parameter of its column's type.
    private func value(of setting: VenueSetting) -> Query {
        let value = self.values[setting]
        return switch setting.values {
        case .flag: "\(value?.bool)"
        case .choice, .timeZone: "\(value?.string)"
        case .count: "\(value?.number.map { Int32($0) })"
        case .object, .origins:
            "\(value.flatMap { $0.isNull ? nil : String(decoding: CanonicalJSON.data($0), as: UTF8.self) })"
        }
    }
}

extension VenueSetting {
    private static let names = Self.allCases.map(\.rawValue) + ["time_zone_source"]

    /// The columns of all settings, and the source of the time zone.
    static let columns = Self.names.joined(separator: ", ")

    /// Assigns the defaults of all settings.
    static let defaults = Self.names.map { "\($0) = DEFAULT" }.joined(separator: ", ")
}

extension Venue.TimeZoneSource {
    /// Decodes the last of ``VenueSetting/columns``, the first of which is at `column`.
    static func source(_ row: Row, at column: Int) throws -> Venue.TimeZoneSource? {
        try row.decode(column + VenueSetting.allCases.count, as: String?.self).flatMap(Self.init(rawValue:))
    }
}

extension Venue.Settings {
    /// Decodes ``VenueSetting/columns``, the first of which is at `column`.
    init(_ row: Row, at column: Int) throws {
        func index(_ setting: VenueSetting) -> Int { column + (VenueSetting.allCases.firstIndex(of: setting) ?? 0) }
        self.init(
            public: try row.decode(index(.public)), validation: try row.decode(index(.validation)),
            identity: try row.decode(index(.identity)), removalGuard: try row.decode(index(.removalGuard)),
            timeZone: try row.decode(index(.timeZone)),
            keepRevisions: try row.decode(index(.keepRevisions), as: Int32?.self).map(Int.init),
            overrides: try row.decode(index(.overrides)),
            appearance: try Self.json(try row.decode(index(.appearance), as: String?.self)),
            embedOrigins: try Self.json(try row.decode(index(.embedOrigins), as: String?.self)),
            basemap: try Self.json(try row.decode(index(.basemap), as: String?.self)),
            wayfinding: try Self.json(try row.decode(index(.wayfinding), as: String?.self)))
    }

    func changes(from old: Venue.Settings) -> [AuditEntry.SettingChange] {
        VenueSetting.allCases.filter { self[$0] != old[$0] }
            .map { .init(setting: $0, before: old[$0], after: self[$0]) }
    }

    /// Decodes a column with JSON.
    private static func json<Value: Decodable>(_ text: String?) throws -> Value? {
        try text.map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}

extension RevisionStore {
    /// Changes settings of a venue.
    ///
    /// - Throws: `venueGone` or `venueReplaced` if the venue was deleted or replaced since the request arrived.
    package func change(
        _ change: SettingsChange, of venue: VenueRecord, by authorization: Authorization
    ) async throws {
        try await self.write(to: venue.key, by: authorization) { connection in
            // With the lock of the row, these are the values that the change replaces.
            let before = try await connection.query(
                """
                SELECT \(raw: VenueSetting.columns) FROM venue
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL FOR NO KEY UPDATE
                """)
            guard let old = before.first else { throw try await Self.writeError(for: venue, on: connection) }
            let after = try await connection.query(
                """
                UPDATE venue SET \(change.assignments) WHERE id = \(venue.id)
                RETURNING \(raw: VenueSetting.columns)
                """)
            let changes = try after.flatMap { row in
                try Venue.Settings(row, at: 0).changes(from: Venue.Settings(old, at: 0))
            }
            if !changes.isEmpty {
                try await Self.record(
                    .settingsChanged, .init(settings: changes), of: venue.key, by: authorization, on: connection)
            }
            try await Self.recordChange(of: venue.id, on: connection)
        }
    }
}
