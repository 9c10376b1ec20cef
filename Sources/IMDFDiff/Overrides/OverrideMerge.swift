package import IMDF

/// Applies the overrides of features to what a new archive says about them, and determines their new states.
///
/// The result for one feature does not depend on other features, nor on the order of its overrides, because their pointers do not
/// overlap.
package struct OverrideMerge {
    /// A feature of the archive, under the id of the store.
    package struct Arrival {
        package var body: JSONObject
        package var level: FeatureID?

        package init(body: JSONObject, level: FeatureID?) {
            self.body = body
            self.level = level
        }
    }

    package struct Transition {
        package let before: Override
        /// Nil if the override ends.
        package var after: Override?
        /// Why it ends; nil if it holds.
        package var ending: Ending?
        /// Whether somebody should look at it, because the source says something that it did not say at the last upload.
        package var isNewlyContested = false
    }

    package enum Ending: Sendable {
        /// The source says the same.
        case redundant
        /// The source says something new, and the venue prefers that.
        case yielded
        /// The feature was missing for too long.
        case forgotten
    }

    package struct Outcome {
        /// The feature with its overrides; nil if there is none.
        package var body: JSONObject?
        package var transitions: [Transition] = []
    }

    private let values: OverrideValues
    /// Whether the archive was exported with the overrides in it. Then a value of an override is no statement of the source.
    private let isOwnExport: Bool
    /// Whether contested overrides end.
    private let yields: Bool
    /// The number of the upload.
    private let upload: Int64

    package init(values: OverrideValues, isOwnExport: Bool, yields: Bool, upload: Int64) {
        self.values = values
        self.isOwnExport = isOwnExport
        self.yields = yields
        self.upload = upload
    }

    /// - Parameter overrides: all overrides of one feature.
    package func apply(_ overrides: [Override], to arrival: Arrival?) throws -> Outcome {
        let existence = overrides.first { $0.pointer == .existence }
        let parts = overrides.filter { $0.pointer != .existence }
        guard let arrival else { return try self.applyToMissing(existence, parts) }
        var outcome = Outcome()
        var body = arrival.body
        for override in parts {
            let transitions = try self.transitions(of: override, over: arrival)
            for after in transitions.compactMap(\.after) { try after.set(in: &body, self.values) }
            outcome.transitions += transitions
        }
        outcome.body = body
        guard let existence else { return outcome }
        let transition = try self.transition(ofExistence: existence, over: arrival)
        if let after = transition.after {
            outcome.body = after.isHiding ? nil : try self.values.object(after.value)
        }
        outcome.transitions.append(transition)
        return outcome
    }

    // MARK: - The feature is in the archive

    /// What becomes of an override. If it ends, those that it covers hold again.
    private func transitions(of override: Override, over arrival: Arrival) throws -> [Transition] {
        let transition = try self.transition(of: override, over: arrival)
        guard transition.after == nil else { return [transition] }
        return [transition]
            + (try self.covered(by: override, over: arrival)).map { Transition(before: override, after: $0) }
    }

    /// The covered overrides that hold over what the archive says.
    private func covered(by override: Override, over arrival: Arrival) throws -> [Override] {
        try override.covered.flatMap { try self.transitions(of: $0, over: arrival) }.compactMap(\.after)
    }

    private func transition(of override: Override, over arrival: Arrival) throws -> Transition {
        var after = override
        let source = override.pointer.value(in: arrival.body).map { CanonicalJSON.data($0) }
        let type = FeatureType(rawValue: arrival.body["feature_type"]?.string ?? "")
        func same(_ one: [UInt8]?, _ other: [UInt8]?) throws -> Bool {
            try self.values.same(one, other, at: override.pointer, of: type)
        }
        if self.isOwnExport, try same(source, override.value) {
            after.level = arrival.level
            return Transition(before: override, after: Self.returned(after))
        }
        after.covered = try self.covered(by: override, over: arrival)
        // As in a revision, a value that is only written differently stays as it is.
        if try override.state == .orphaned || !same(source, override.source) { after.source = source }
        after.level = arrival.level
        after.orphanedAt = nil
        if try self.isOtherFeature(arrival.body, than: override.witness) {
            after.state = .contested
        } else if try same(source, override.base) {
            after.state = .quiet
        } else if try same(source, override.value), after.covered.isEmpty {
            return Transition(before: override, after: nil, ending: .redundant)
        } else {
            // What is covered holds against the same source later, so an override that covers something does not end before its time.
            after.state = try same(source, override.value) ? .quiet : .contested
        }
        return self.transition(from: override, to: after)
    }

    /// An override of a feature that is back. An export does not contain what the source says about it.
    private static func returned(_ override: Override) -> Override {
        guard override.state == .orphaned else { return override }
        var override = override
        override.state = .quiet
        override.orphanedAt = nil
        override.source = override.base
        override.covered = override.covered.map(Self.returned)
        return override
    }

    private func transition(ofExistence override: Override, over arrival: Arrival) throws -> Transition {
        let body = CanonicalJSON.data(.object(arrival.body))
        if override.isAddition {
            // The source brings the feature itself.
            let isSame = try self.values.same(body, override.value, at: .existence, of: override.witness.type)
            guard self.isOwnExport, isSame else { return Transition(before: override, after: nil, ending: .redundant) }
            var after = override
            after.level = arrival.level
            return Transition(before: override, after: after)
        }
        var after = override
        if try !self.values.same(body, override.source, at: .existence, of: override.witness.type) {
            after.source = body
        }
        // The source brings a feature itself that was added and is hidden for a time.
        after.covered = []
        after.level = arrival.level
        after.orphanedAt = nil
        after.state = try self.isOtherFeature(arrival.body, than: override.witness) ? .contested : .quiet
        return self.transition(from: override, to: after)
    }

    private func transition(from before: Override, to after: Override) -> Transition {
        guard after.state == .contested else { return Transition(before: before, after: after) }
        if self.yields { return Transition(before: before, after: nil, ending: .yielded) }
        let isNew = before.state != .contested || before.source != after.source
        return Transition(before: before, after: after, isNewlyContested: isNew)
    }

    private func isOtherFeature(_ feature: JSONObject, than witness: Override.Witness) throws -> Bool {
        let now = Override.Witness(of: feature)
        guard now.type != witness.type else { return false }
        return try !self.values.same(now.name, witness.name, at: .property("name"), of: now.type)
    }

    // MARK: - The feature is not in the archive

    private func applyToMissing(_ existence: Override?, _ parts: [Override]) throws -> Outcome {
        var outcome = Outcome()
        switch existence {
        case let addition? where addition.isAddition:
            outcome.body = try self.values.object(addition.value)
            outcome.transitions.append(Transition(before: addition, after: addition))
        case .some(let hiding) where self.isOwnExport || !hiding.covered.isEmpty:
            // A hidden feature is not exported, and an added one is not in any archive.
            outcome.transitions = ([hiding] + parts).map { Transition(before: $0, after: $0) }
            return outcome
        case .some, nil:
            // A hidden feature may come back like any other one, and must not be shown then.
            break
        }
        let missing = existence.flatMap { $0.isHiding ? [$0] : nil } ?? []
        outcome.transitions += (missing + parts).map { override in
            let after = self.orphaned(override)
            return Transition(before: override, after: after, ending: after == nil ? .forgotten : nil)
        }
        return outcome
    }

    /// An override of a missing feature; nil if that was missing for too long.
    private func orphaned(_ override: Override) -> Override? {
        var after = override
        after.source = nil
        after.state = .orphaned
        let since = override.orphanedAt ?? self.upload
        after.orphanedAt = since
        after.covered = override.covered.compactMap(self.orphaned)
        return self.upload - since >= Override.orphanAge ? nil : after
    }
}

extension Override {
    /// Sets the value in a feature.
    package func set(in feature: inout JSONObject, _ values: OverrideValues) throws {
        self.pointer.set(try values.value(self.value), in: &feature)
    }

    /// Sets what the source says in a feature.
    package func setSource(in feature: inout JSONObject, _ values: OverrideValues) throws {
        self.pointer.set(try values.value(self.source), in: &feature)
    }
}
