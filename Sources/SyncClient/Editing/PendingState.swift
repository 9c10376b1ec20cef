import IMDF

/// A feature with edits applied one after the other.
struct PendingState {
    /// Nil if the feature does not exist.
    private var feature: JSONValue?
    private var isHidden = false

    init(_ feature: JSONValue?) {
        self.feature = feature
    }

    /// Nil if the feature is hidden or does not exist.
    var value: JSONValue? { self.isHidden ? nil : self.feature }

    /// Applies those operations that change this feature.
    mutating func apply(_ operations: [VenueEdit.Operation], to id: FeatureID) {
        for operation in operations where operation.feature == id {
            switch operation {
            case .change(_, let patch):
                if let feature, !self.isHidden { self.feature = MergePatch.apply(.object(patch), to: feature) }
            case .add(let feature): (self.feature, self.isHidden) = (.object(feature), false)
            case .hide: self.isHidden = true
            case .show: self.isHidden = false
            case .revert: break
            }
        }
    }
}

/// Whether a feature still is what the person saw, as far as an edit changes it.
enum EditCheck: Equatable {
    case unchanged
    /// The replica does not hold a feature that the person saw.
    case unknown
    /// The part of the request whose former value is another one now.
    case overtaken(pointer: String)

    /// - Parameters:
    ///   - seen: What the person saw, with this device's own edits that were published since; null for features that were not held.
    ///   - current: The same now; nil for features that are not held.
    init(_ operations: [VenueEdit.Operation], seen: [FeatureID: JSONValue], current: [FeatureID: JSONValue]) {
        self = .unchanged
        for (index, operation) in operations.enumerated() {
            let id = operation.feature
            guard let seen = seen[id], !seen.isNull else { continue }
            guard let current = current[id] else {
                self = .unknown
                continue
            }
            let path: String? =
                switch operation {
                case .change(_, let patch): Self.difference(.object(patch), seen, current, "/edits/\(index)/patch")
                case .hide: seen == current ? nil : "/edits/\(index)/hide"
                case .revert: seen == current ? nil : "/edits/\(index)/revert"
                case .add, .show: nil
                }
            if let path {
                self = .overtaken(pointer: path)
                return
            }
        }
    }

    /// The first member of a patch whose former value differs. A value that is already the desired one does not.
    private static func difference(
        _ patch: JSONValue, _ seen: JSONValue?, _ current: JSONValue?, _ path: String
    ) -> String? {
        guard let members = patch.object?.members, seen?.object != nil, current?.object != nil else {
            if seen == current { return nil }
            let desired: JSONValue? = patch.isNull ? .none : MergePatch.apply(patch, to: current)
            return current == desired ? nil : path
        }
        for member in members {
            let path = "\(path)/\(JSONPointer.token(member.key))"
            if let found = self.difference(member.value, seen?[member.key], current?[member.key], path) {
                return found
            }
        }
        return nil
    }
}
