import IMDF
package import IMDFArchive
package import IMDFDiff
package import RevisionStore
import SyncModel

extension ProposalPlanner {
    /// The state that an archive describes, with the ids of the store as far as identities are to be repaired.
    package func state(of archive: Archive, over base: ComparisonBase) async throws -> VenueState {
        self.progress(.entered(.identifying, total: archive.features.count))
        let stored = base.features
        let overrides = VenueState.OverrideRules(
            set: base.overrides, yields: base.venue.settings.overrides == .yield, upload: base.venue.imports + 1)
        return try await VenueState(of: archive, over: stored, overrides: overrides) { arrivals in
            guard self.repairsIdentities(of: base.venue), !stored.isEmpty else { return .unchanged }
            let hidden = base.overrides.overrides.filter(\.isHiding).map(\.feature).sorted()
            let unknown = Self.unknown(arrivals.features, to: stored).filter { hidden.sortedIndex(of: $0) == nil }
            guard !unknown.isEmpty else { return .unchanged }
            let aliases = try await self.store.targets(ofAliases: unknown, in: base.venue) { targets in
                let known = stored.map(\.id)
                return targets.filter { known.sortedIndex(of: $0) != nil || hidden.sortedIndex(of: $0) != nil }
            }
            // Features are recognized by what the source said about them, not by what edits made of them.
            let source = try await SourceState(of: stored, in: base, store: self.store)
            let identification = Identification(
                stored: source.features, aliases: aliases, contents: self.store.knownContents(of: base.venue)
            ) { ids, body in
                // When most bodies are needed, all are read in one pass, and the caller skips the others.
                try await self.store.bodies(
                    of: 2 * ids.count > stored.count ? nil : ids, in: base.venue, at: base.number
                ) {
                    if source.bodies[$0] == nil { try body(StoredBody(id: $0, body: $1)) }
                }
                for id in ids { if let known = source.bodies[id] { try body(StoredBody(id: id, body: known)) } }
            }
            return try await identification.identities(of: arrivals)
        }
    }

    /// Keeps the content digests of what became of an archive, so that the next one with new ids is compared without the stored bodies.
    ///
    /// - Parameter features: the features of the newest revision.
    package func keepContents(of proposal: Proposal, as features: [StoredFeature]) async {
        let venue = proposal.base.venue
        guard self.repairsIdentities(of: venue) else { return }
        let contents = await KnownContents(
            of: features, imported: proposal.state.features, reusing: self.store.knownContents(of: venue))
        self.store.keep(contents, of: venue)
    }

    /// Whether features with unknown ids are matched with stored ones. If not, the ids of the archive hold as they are.
    private func repairsIdentities(of venue: VenueRecord) -> Bool {
        (self.identityMode ?? venue.settings.identity) == .repair
    }

    /// Ids of the archive that the store does not have; both lists are sorted.
    private static func unknown(_ features: [Feature], to stored: [StoredFeature]) -> [FeatureID] {
        var known = stored[...]
        return features.compactMap { feature in
            known = known.drop { $0.id < feature.id }
            return known.first?.id == feature.id ? nil : feature.id
        }
    }
}

extension ArchiveIdentity {
    /// Counts the ids of an archive by what became of them.
    init(of state: VenueState, in difference: Difference) {
        var identity = Upload.Identity(kept: 0, aliased: 0, matched: 0, near: 0, new: 0, gone: 0)
        for match in state.identities.matches {
            switch match.kind {
            case .alias: identity.aliased += 1
            case .exact: identity.matched += 1
            case .near: identity.near += 1
            }
        }
        let added = difference.changes.filter { $0.kind == .added }.map(\.id)  // sorted
        let revived = state.identities.matches.count { added.sortedIndex(of: $0.id) != nil }
        identity.new = added.count - revived
        identity.gone = difference.changes.count { $0.kind == .removed }
        identity.kept = state.delivered - identity.new - state.identities.matches.count
        self.init(counts: identity, matches: state.identities.matches)
    }
}
