package import IMDF

/// The settings of a venue: their names in the API, on the command line and in the database, and the values that they take.
package enum VenueSetting: String, CaseIterable, CodingKey, Sendable {
    case `public`
    case timeZone = "time_zone"
    case identity
    case validation
    case removalGuard = "removal_guard"
    case keepRevisions = "keep_revisions"
    case overrides
    case appearance
    case embedOrigins = "embed_origins"
    case basemap
    case wayfinding

    package enum Values: Hashable, Sendable {
        case flag
        case choice([String])
        /// A name of the IANA time zone database, or null.
        case timeZone
        /// A whole number, or null.
        case count(ClosedRange<Int>)
        /// An object of at most so many bytes as canonical JSON, or null.
        case object(maximum: Int)
        /// A list of web origins, or null.
        case origins
    }

    package var values: Values {
        switch self {
        case .public, .removalGuard: .flag
        case .timeZone: .timeZone
        case .identity: .choice(Venue.Settings.Identity.allCases.map(\.rawValue))
        case .validation: .choice(Venue.Settings.Validation.allCases.map(\.rawValue))
        case .keepRevisions: .count(1...1_000_000_000)
        case .overrides: .choice(Venue.Settings.Overrides.allCases.map(\.rawValue))
        case .appearance: .object(maximum: 16 << 10)
        case .embedOrigins: .origins
        case .basemap: .object(maximum: 8 << 10)
        case .wayfinding: .object(maximum: 1 << 10)
        }
    }

    /// Whether a value is of the right kind and in range. Whether a time zone exists is not checked, nor the members of an object.
    package func accepts(_ value: JSONValue) -> Bool {
        switch (self.values, value) {
        case (.flag, .bool), (.timeZone, .null), (.timeZone, .string), (.count, .null), (.object, .null),
            (.origins, .null):
            true
        case (.object(let maximum), .object): CanonicalJSON.data(value).count <= maximum
        case (.origins, .array(let origins)): EmbedOrigins.areValid(origins)
        case (.choice(let names), .string(let name)): names.contains(name)
        case (.count(let range), .number(let number)): Int(exactly: number).map(range.contains) ?? false
        default: false
        }
    }

    /// The values in words, for messages.
    package var valueDescription: String {
        switch self.values {
        case .flag: "true or false"
        case .choice(let names): names.joined(separator: " or ")
        case .timeZone: "a name such as Asia/Tokyo, or null"
        case .count(let range): "a whole number from \(range.lowerBound), or null"
        case .object(let maximum): "an object of at most \(maximum) bytes, or null"
        case .origins: "a list of at most \(EmbedOrigins.maximum) origins such as https://example.com, or null"
        }
    }
}

extension Venue {
    /// Who or what determined the time zone of a venue. Only an operator's choice is never replaced.
    package enum TimeZoneSource: String, Sendable, Codable {
        /// An operator set it, or removed it.
        case `operator`
        /// It is the only one of the country in the venue's address.
        case country
        /// It is proposed because of the venue's position; the country has several, or is unknown.
        case position
    }
}

/// What happens to ids of an archive that cannot be used.
package enum ArchiveIDs: String, Codable, CaseIterable, Sendable {
    /// They are repaired, in references too, and reported.
    case repair
    /// They reject the archive.
    case strict
}

extension Venue.Settings {
    /// What happens to features that arrive under new ids.
    package enum Identity: String, Codable, CaseIterable, Sendable {
        /// They are matched with stored features.
        case repair
        /// They are new features.
        case trust
    }

    /// What happens to an upload with errors.
    package enum Validation: String, Codable, CaseIterable, Sendable {
        /// They are reported.
        case report
        /// The upload is rejected.
        case strict
    }

    /// What happens to an override when an upload says something new about the value.
    package enum Overrides: String, Codable, CaseIterable, Sendable {
        /// It holds, and is listed as contested.
        case keep
        /// The upload is staged.
        case ask
        /// It ends.
        case yield
    }

    package subscript(setting: VenueSetting) -> JSONValue {
        switch setting {
        case .public: .bool(self.public)
        case .timeZone: self.timeZone.map(JSONValue.string) ?? .null
        case .identity: .string(self.identity.rawValue)
        case .validation: .string(self.validation.rawValue)
        case .removalGuard: .bool(self.removalGuard)
        case .keepRevisions: self.keepRevisions.map { .number(Double($0)) } ?? .null
        case .overrides: .string(self.overrides.rawValue)
        case .appearance: self.appearance ?? .null
        case .embedOrigins: self.embedOrigins.map { .array($0.map(JSONValue.string)) } ?? .null
        case .basemap: self.basemap ?? .null
        case .wayfinding: self.wayfinding ?? .null
        }
    }
}

/// The web origins whose pages may show the map of a venue in a frame.
package enum EmbedOrigins {
    package static let maximum = 50

    /// Origins as sources of a content security policy: `https://example.com`, with a port, with `*.` for all subdomains; `http` for
    /// `localhost` only. The characters leave no way out of the policy.
    static func areValid(_ values: [JSONValue]) -> Bool {
        values.count <= self.maximum
            && values.allSatisfy { value in
                guard let origin = value.string, origin.utf8.count <= 300 else { return false }
                let label = /(\*\.)?([a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?/
                guard let match = origin.wholeMatch(of: /(http|https):\/\/([^:]+)(:([0-9]{1,5}))?/),
                    match.4.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true
                else { return false }
                return match.1 == "http" ? match.2 == "localhost" : match.2.wholeMatch(of: label) != nil
            }
    }
}
