package import Foundation
package import IMDF
import IMDFDiff

/// Changes of features without an archive. All of them become one revision, or none.
package struct EditRequest: Sendable {
    package struct Operation: Sendable {
        package enum Kind: Sendable {
            /// A JSON merge patch of a feature.
            case patch(FeatureID, JSONValue)
            /// A merge patch that depends on the feature.
            case change(FeatureID, Change)
            case add(JSONValue)
            case hide(FeatureID, withDependents: Bool)
            case show(FeatureID)
            /// Removes the overrides of a feature, or those of one part of it.
            case revert(FeatureID, String?)
            case resolve(FeatureID, Resolution)
        }

        /// Makes the merge patch of a feature, as it is published, on a level.
        package typealias Change = @Sendable (_ feature: JSONObject, _ level: FeatureID?) throws -> JSONObject

        package var kind: Kind
        /// The path of the operation in the request, as an RFC 6901 pointer.
        package var path: String

        package init(_ kind: Kind, path: String) {
            self.kind = kind
            self.path = path
        }
    }

    /// What becomes of an override.
    package enum Resolution: Sendable, Hashable {
        /// A contested one holds, against what the source says now.
        case mine
        /// A contested one ends.
        case source
        /// It ends in any state.
        case end
        /// It ends if it was to end by then.
        case expired(by: Date)
    }

    /// Identifies the request and its body, so that a repeated request is answered with the first outcome.
    package struct Identity: Sendable {
        package var id: FeatureID
        package var digest: Digest

        package init(id: FeatureID, digest: Digest) {
            self.id = id
            self.digest = digest
        }
    }

    /// Whether a text is a pointer to a part of a feature that can be overridden.
    package static func isPointer(_ text: String) -> Bool { OverridePointer(text) != nil }

    package var operations: [Operation]
    package var identity: Identity?
    package var message: String?
    /// The revision that the author believes to be the newest; nil when any will do.
    package var base: Int64?
    /// When the overrides end by themselves.
    package var until: Date?
    /// Whether nothing is published.
    package var isDryRun: Bool
    /// Whether errors that the rule book finds are accepted, as far as features can be drawn and placed.
    package var isForced: Bool
    /// Entity tags, one of which every feature that is patched, hidden or reverted, and every resolved override, must have.
    package var tags: [String]?
    /// The author, if it is not the holder of the key.
    package var author: String?
    /// Whether the result is published whatever refers to what disappears, because nobody is there to decide.
    package var isAutomatic = false

    /// The time up to which overrides end; nil for other requests.
    var expiry: Date? {
        self.operations.lazy.compactMap { if case .resolve(_, .expired(let time)) = $0.kind { time } else { nil } }
            .first
    }

    /// Whether nothing but decisions are made. What the source says is not refused, even if it breaks a rule.
    var returnsToSource: Bool {
        self.operations.allSatisfy { if case .resolve = $0.kind { true } else { false } }
    }

    package init(
        _ operations: [Operation], identity: Identity? = nil, message: String? = nil, base: Int64? = nil,
        until: Date? = nil, isDryRun: Bool = false, isForced: Bool = false, tags: [String]? = nil,
        author: String? = nil
    ) {
        self.operations = operations
        self.identity = identity
        self.message = message
        self.base = base
        self.until = until
        self.isDryRun = isDryRun
        self.isForced = isForced
        self.tags = tags
        self.author = author
    }
}

/// Why an edit is refused. Nothing was changed.
package struct RefusedEdit: Error, Sendable {
    package enum Reason: Sendable {
        case unknownFeature
        case unknownOverride
        case featureExists
        case notContested
        /// The feature does not have any of the expected entity tags.
        case otherTag
        /// The override does not have any of the expected entity tags.
        case otherOverrideTag
        /// The id of the request was used for another request.
        case identityReused
        /// The result would break a rule, or the operation makes no sense.
        case invalid
    }

    package var reason: Reason
    /// The place in the request, as an RFC 6901 pointer.
    package var pointer: String
    package var detail: String
    /// The rule that the result would break.
    package var rule: String?
    /// Features that refer to what would disappear.
    package var dependents: [FeatureID] = []
    /// The errors that the edit would cause.
    package var findings: [Finding] = []
    /// Whether the edit is accepted if it is forced.
    package var canBeForced = false

    package init(
        _ reason: Reason, at pointer: String, _ detail: String, rule: String? = nil, dependents: [FeatureID] = []
    ) {
        self.reason = reason
        self.pointer = pointer
        self.detail = detail
        self.rule = rule
        self.dependents = dependents
    }
}
