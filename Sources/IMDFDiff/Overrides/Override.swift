package import Foundation
package import IMDF

/// A value of a feature that an edit set, and that later uploads respect.
///
/// Values are canonical JSON; nil stands for a member that does not exist.
package struct Override: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// The source says what it said when the edit was made.
        case quiet
        /// The source says something else, or identity repair may have matched another feature. The override holds until
        /// somebody decides.
        case contested
        /// The source does not have the feature any more.
        case orphaned
    }

    /// What the feature was when the override was made. A feature that differs in both is probably another one.
    package struct Witness: Hashable, Sendable {
        package var type: FeatureType
        /// The property `name`.
        package var name: [UInt8]?

        package init(type: FeatureType, name: [UInt8]?) {
            self.type = type
            self.name = name
        }
    }

    /// The number of uploads after which an orphaned override ends.
    package static let orphanAge: Int64 = 20

    package var id: FeatureID
    package var feature: FeatureID
    package var pointer: OverridePointer
    /// What the source said when the override was made, or when somebody decided for it last.
    package var base: [UInt8]?
    /// What the override says. Nil removes the member, or hides the feature.
    package var value: [UInt8]?
    /// What the source says now. Of a hidden feature, its body; of an added one, nil.
    package var source: [UInt8]?
    package var witness: Witness
    /// The level of the feature; nil for the venue-wide part.
    package var level: FeatureID?
    package var state = State.quiet
    /// The number of the upload in which the feature was missing first; nil unless orphaned.
    package var orphanedAt: Int64?
    package var author: String
    package var message: String?
    /// When it was made.
    package var since: Date
    /// When it ends by itself.
    package var until: Date?
    /// Overrides of the same part of the feature, or of parts of it, that hold again when this one ends by itself. Each ends later, or does
    /// not end by itself.
    package var covered: [Override] = []

    package init(
        id: FeatureID, feature: FeatureID, pointer: OverridePointer, base: [UInt8]?, value: [UInt8]?,
        source: [UInt8]?, witness: Witness, level: FeatureID?, author: String, message: String?, since: Date,
        until: Date?
    ) {
        self.id = id
        self.feature = feature
        self.pointer = pointer
        self.base = base
        self.value = value
        self.source = source
        self.witness = witness
        self.level = level
        self.author = author
        self.message = message
        self.since = since
        self.until = until
    }

    /// The override if it holds after a time; otherwise those that hold again by then.
    package func holding(after time: Date) -> [Override] {
        guard let until = self.until, until <= time else { return [self] }
        return self.covered.flatMap { $0.holding(after: time) }
    }

    /// The number of overrides that cover one another.
    package var depth: Int { 1 + (self.covered.map(\.depth).max() ?? 0) }

    /// Whether it adds a feature that the source does not have.
    package var isAddition: Bool { self.pointer == .existence && self.value != nil }
    /// Whether it hides a feature, also one that the source does not have at present.
    package var isHiding: Bool { self.pointer == .existence && self.value == nil }
    /// Whether it hides a feature that would be published without it.
    package var isHidingNow: Bool { self.isHiding && self.state != .orphaned }
}

extension Override.Witness {
    /// The number of bytes of a name that every override of a feature repeats. Of a longer one, the digest is kept.
    private static let longestName = 1_024

    package init(of feature: JSONObject) {
        let name = feature["properties"]?["name"].map { CanonicalJSON.data($0) }
        self.init(
            type: FeatureType(rawValue: feature["feature_type"]?.string ?? ""),
            name: name.map { name in
                guard name.count > Self.longestName else { return name }
                return CanonicalJSON.data(.string("sha256:\(Digest(of: name).hex)"))
            })
    }
}

/// Compares values of overrides like the difference between revisions does: with its tolerance, its sets, and null like a missing
/// member.
package struct OverrideValues {
    /// Every id in a value is read as a reference, so the order of an array of ids has no meaning.
    private static let equivalence = Equivalence { _ in true }

    private let parse: ([UInt8]) throws -> JSONValue

    package init(parse: @escaping ([UInt8]) throws -> JSONValue) {
        self.parse = parse
    }

    package func value(_ bytes: [UInt8]?) throws -> JSONValue? {
        try bytes.map(self.parse)
    }

    package func object(_ bytes: [UInt8]?) throws -> JSONObject? {
        try self.value(bytes)?.object
    }

    package func same(_ left: [UInt8]?, _ right: [UInt8]?, at pointer: OverridePointer, of type: FeatureType) throws
        -> Bool
    {
        if left == right { return true }
        return try Self.same(self.value(left), self.value(right), at: pointer, of: type)
    }

    package static func same(
        _ left: JSONValue?, _ right: JSONValue?, at pointer: OverridePointer, of type: FeatureType
    ) -> Bool {
        if case .existence = pointer { return Self.equivalence.same(left ?? .null, right ?? .null) }
        func feature(_ value: JSONValue?) -> JSONValue {
            var feature: JSONObject = ["feature_type": .string(type.rawValue), "properties": [:]]
            pointer.set(value, in: &feature)
            return .object(feature)
        }
        return Self.equivalence.same(feature(left), feature(right))
    }
}
