package import Foundation
package import IMDF

/// A change of settings or keys: `GET /audit`.
package struct AuditEntry: Sendable, Codable {
    package enum Action: String, Sendable {
        case settingsChanged = "settings_changed"
        case keyCreated = "key_created"
        case keyRevoked = "key_revoked"
        case venueDeleted = "venue_deleted"
    }

    /// What was changed.
    package struct Detail: Sendable, Codable {
        package var settings: [SettingChange]?
        /// The key, without its secret.
        package var key: AccessKey?

        package init(settings: [SettingChange]? = nil, key: AccessKey? = nil) {
            self.settings = settings
            self.key = key
        }
    }

    /// A setting with its values. A long value is an excerpt of its JSON text.
    package struct SettingChange: Sendable, Codable {
        package var setting: String
        package var before: JSONValue
        package var after: JSONValue

        /// In bytes.
        private static let maximum = 1_024

        package init(setting: VenueSetting, before: JSONValue, after: JSONValue) {
            self.setting = setting.rawValue
            self.before = Self.bounded(before)
            self.after = Self.bounded(after)
        }

        private static func bounded(_ value: JSONValue) -> JSONValue {
            let data = CanonicalJSON.data(value)
            guard data.count > self.maximum else { return value }
            return .string(String(decoding: data, as: UTF8.self).excerpt(characters: self.maximum, bytes: self.maximum))
        }
    }

    package var id: Int64
    package var at: Date
    /// The name of the key that changed something.
    package var author: String
    /// Its id; nil for the administrator's key of the configuration.
    package var authorKey: String?
    /// Nil for a change of no single venue.
    package var venue: VenueKey?
    /// An ``Action``, or one of a newer server.
    package var action: String
    package var detail: Detail

    enum CodingKeys: String, CodingKey {
        case id, at, author, venue, action, detail
        case authorKey = "author_key"
    }

    package init(
        id: Int64, at: Date, author: String, authorKey: String?, venue: VenueKey?, action: String, detail: Detail
    ) {
        self.id = id
        self.at = at
        self.author = author
        self.authorKey = authorKey
        self.venue = venue
        self.action = action
        self.detail = detail
    }
}
