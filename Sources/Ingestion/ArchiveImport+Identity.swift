import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// Who is who between the archive and the store.
extension ArchiveImport {
    /// The archive in the store's own ids, as far as it is to be asked who is who.
    func state(
        of archive: Archive, over base: ComparisonBase, _ stored: [StoredFeature]
    ) async throws -> VenueState {
        let mode = self.job.options.identity ?? base.venue.settings.identity
        return try await VenueState(of: archive, over: stored) { arrivals in
            guard mode != "trust", !stored.isEmpty else { return .unchanged }
            let unknown = Self.unknown(arrivals.features, to: stored)
            guard !unknown.isEmpty else { return .unchanged }
            let aliases = try await self.aliases(of: unknown, over: base)
            let identification = Identification(stored: stored, aliases: aliases) { ids, body in
                // Of most features the bodies are read in one go; those that nobody asked for are passed over.
                try await self.store.bodies(
                    of: 2 * ids.count > stored.count ? nil : ids, in: base.venue, at: base.number
                ) {
                    try body(StoredBody(id: $0, body: $1))
                }
            }
            return try await identification.identities(of: arrivals)
        }
    }

    /// What ids of the archive stand for.
    private func aliases(of ids: [FeatureID], over base: ComparisonBase) async throws -> [FeatureID: FeatureID] {
        var aliases = try await self.store.aliases(of: ids, in: base.venue)
        guard !aliases.isEmpty else { return aliases }
        // What an id stands for may have gone, come again under another id and been recognised: it stands for that then.
        let known = base.versions.map(\.id)
        for _ in 0..<RevisionStore.longestAliasChain {
            let lost = Set(aliases.values.filter { known.sortedIndex(of: $0) == nil })
            let found = try await self.store.aliases(of: lost.sorted(), in: base.venue)
            if found.isEmpty { break }
            for (alias, target) in aliases { if let found = found[target] { aliases[alias] = found } }
        }
        return aliases
    }

    /// Ids of the archive that are none of the store's; both are sorted.
    private static func unknown(_ features: [Feature], to stored: [StoredFeature]) -> [FeatureID] {
        var known = stored[...]
        return features.compactMap { feature in
            known = known.drop { $0.id < feature.id }
            return known.first?.id == feature.id ? nil : feature.id
        }
    }

    /// What became of the ids.
    static func identity(of state: VenueState, in difference: Difference) -> ArchiveIdentity {
        var identity = Upload.Identity(kept: 0, aliased: 0, matched: 0, near: 0, new: 0, gone: 0)
        var revived = 0
        let added = difference.changes.lazy.filter { $0.kind == .added }.map(\.id)
        let addedIDs = Set(added)
        for match in state.identities.matches {
            switch match.kind {
            case .alias: identity.aliased += 1
            case .exact: identity.matched += 1
            case .near: identity.near += 1
            }
            if addedIDs.contains(match.stored) { revived += 1 }
        }
        identity.new = addedIDs.count - revived
        identity.gone = difference.changes.count { $0.kind == .removed }
        identity.kept = state.candidates.count - identity.new - state.identities.matches.count
        return ArchiveIdentity(counts: identity, matches: state.identities.matches.map(IdentityMatch.init))
    }
}

extension IdentityMatch {
    init(_ match: Match) {
        let kind: Kind =
            switch match.kind {
            case .alias: .alias
            case .exact: .exact
            case .near: .near
            }
        self.init(
            id: match.stored, archiveID: match.arrived, type: match.type, kind: kind, reason: match.reason.rawValue,
            score: match.score)
    }
}
