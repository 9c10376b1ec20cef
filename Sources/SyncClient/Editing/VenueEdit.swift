public import Foundation
public import IMDF

/// Changes of features that were made on this device, and what became of them. All of them become one revision, or none.
public struct VenueEdit: Identifiable, Hashable, Sendable {
    /// A change of one feature.
    public enum Operation: Hashable, Sendable {
        /// A JSON merge patch (RFC 7396) of `geometry` and members of `properties`.
        case change(FeatureID, JSONObject)
        /// A new feature with its `id` and `feature_type`.
        case add(JSONObject)
        case hide(FeatureID)
        /// Shows a feature again that was hidden.
        case show(FeatureID)
        /// Goes back to what the uploaded archive says: of one part of the feature, such as `/properties/name/ja`, or of all of it.
        case revert(FeatureID, pointer: String?)
    }

    public enum State: Hashable, Sendable {
        /// It was not sent yet, and can be withdrawn.
        case queued
        /// It was sent, and there is no response yet. The same request is sent again until there is one.
        case sending
        /// It is in this revision, which the replica does not have yet. When it has, the edit is deleted from the file.
        case published(revision: Int64)
        /// The server refused it, or it was damaged in the file and was not sent.
        case refused(EditRefusal)
        /// Somebody else has changed what it changes. Nothing was changed.
        case overtaken(EditRefusal)

        /// Whether nothing more happens with the edit.
        public var isFinal: Bool {
            switch self {
            case .queued, .sending: false
            case .published, .refused, .overtaken: true
            }
        }
    }

    /// Identifies the edit to the server, which publishes it once however often it is sent.
    public let id: UUID
    public let operations: [Operation]
    /// For the revision log.
    public let message: String?
    /// When the change ends by itself.
    public let until: Date?
    /// Whether it is published although the rule book finds errors that it causes.
    public let isForced: Bool
    /// The revision that the person saw, or a newer one in which nothing differs that the edit changes; nil if the replica was empty.
    public let base: Int64?
    public let madeAt: Date
    public internal(set) var state: State

    /// The features that it changes, without duplicates.
    public var features: [FeatureID] {
        var features: [FeatureID] = []
        for operation in self.operations where !features.contains(operation.feature) {
            features.append(operation.feature)
        }
        return features
    }
}

/// Why an edit was not published, in the words of the server or of ``VenueEditor``.
public struct EditRefusal: Hashable, Sendable, Codable {
    /// The status of the response. 412: the feature was changed by somebody else. 0: the edit was damaged in the file.
    public var status: Int
    public var title: String
    public var detail: String?
    /// The part of the request that is to blame, such as `/edits/0/patch/properties/hours` (RFC 6901).
    public var pointer: String?
    /// The rule that the result would break, such as `ST-17`.
    public var rule: String?
    /// Whether the same edit is accepted if it is forced; nil if the server did not say so.
    public var canBeForced: Bool?

    public init(
        status: Int, title: String, detail: String? = nil, pointer: String? = nil, rule: String? = nil,
        canBeForced: Bool? = nil
    ) {
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
        self.rule = rule
        self.canBeForced = canBeForced
    }
}

/// A feature as it will be when its edits are published.
public struct PendingFeature: Identifiable, Hashable, Sendable {
    public let id: FeatureID
    /// The feature in the verified revision of the replica; nil if it is new, hidden, or on a level that is not held.
    public let verified: ReplicaFeature?
    /// Canonical JSON: ``verified`` with the edits applied. Nil for a feature that is hidden, or that has to be shown again by the
    /// server. What ``VenueEdit/Operation/revert(_:pointer:)`` brings back is known only to the server.
    public let body: [UInt8]?
    /// The edits of the feature that the replica does not have yet, oldest first, without those that were refused or overtaken.
    public let edits: [VenueEdit]
}
