import IMDF
package import IMDFArchive
package import IMDFDiff
import IMDFValidation
package import RevisionStore
package import SyncModel

/// What an archive would make of a revision, computed once. It is then published or staged, or it changes nothing.
package struct Proposal: Sendable {
    package let base: ComparisonBase
    package let state: VenueState
    package let difference: Difference
    package let identity: ArchiveIdentity
    /// The stored bodies of equivalent features, as far as they are needed.
    let storedBodies: [FeatureID: [UInt8]]
    /// What the changes do to what can be reached from the exits.
    let reachabilityFacts: [Fact]

    /// The manifest's content before and after; nil when it is the same, or when the archive is the first one.
    private var manifestChange: (before: [UInt8]?, after: [UInt8]?)? {
        self.base.revision != nil && self.base.manifest != self.state.manifest
            ? (self.base.manifest, self.state.manifest) : nil
    }

    /// Whether publishing it would change nothing.
    package var isUnchanged: Bool {
        self.base.revision != nil && self.difference.versions.isEmpty && self.difference.changes.isEmpty
            && self.manifestChange == nil
    }

    /// Whether the archive contradicts edits and the venue asks what to do then, although it may change no feature.
    package var asksAboutOverrides: Bool {
        self.base.venue.settings.overrides == .ask && self.state.overrides.hasNewlyContested
    }

    /// Equal only for proposals that make the same changes to the same features.
    var digest: Digest {
        self.difference.digest(over: self.base.features, manifest: self.manifestChange)
    }

    /// What the archive changes about the overrides; nil if there are none.
    package var overrides: UploadedOverrides? {
        self.state.overrides.uploaded(basedOn: self.base.overrides.number)
    }

    /// The features of the revision that it becomes.
    package var features: [StoredFeature] { self.difference.applied(to: self.base.features) }

    package var changes: ChangeSummary {
        ChangeSummary(of: self.difference.changes, ordinals: self.state.ordinals(over: self.base))
    }

    private var facts: [Fact] {
        Fact.facts(of: self.difference.changes, ordinals: self.state.ordinals(over: self.base))
            + self.reachabilityFacts + (self.manifestChange == nil ? [] : [.manifestChanged])
    }

    /// The versions that the next revision begins with.
    package var versions: [Publication.Version] {
        self.state.versions(of: self.difference, storedBodies: self.storedBodies)
    }

    /// The proposal as the next revision.
    ///
    /// - Parameters:
    ///   - versions: ``versions``.
    ///   - timeZones: From which a time zone is proposed, if the venue has none.
    package func publication(
        of archive: Archive, writing versions: [Publication.Version], timeZones: TimeZoneTable?
    ) -> Publication {
        let metadata = VenueMetadata(of: self.state, manifest: archive.manifest)
        let timeZones = self.base.venue.lacksTimeZone ? timeZones : nil
        return Publication(
            venue: self.base.venue, base: self.base.number,
            versions: versions,
            removed: self.difference.changes.filter { $0.kind == .removed }.map(\.id),
            added: self.difference.changes.filter { $0.kind == .added }.map(\.id),
            levelStates: self.state.levelStates(
                changedBy: self.difference, over: self.base, storedBodies: self.storedBodies),
            features: self.state.features.count, manifest: self.state.manifest, fileNames: archive.fileNames,
            venueFeature: metadata.venueFeature, language: metadata.language, country: metadata.country,
            timeZone: timeZones?.proposal(
                country: metadata.country, province: metadata.province, position: metadata.position),
            identity: self.identity, changes: self.changes, facts: self.facts,
            created: Self.created(in: archive.manifest), overrides: self.overrides)
    }

    /// The time at which the archive was made, as its manifest has it; nil when that is not a time.
    private static func created(in manifest: JSONObject?) -> String? {
        guard let text = manifest?["created"]?.string, DateTime(text) != nil else { return nil }
        return text
    }

    /// The proposal as it is stored until somebody has decided.
    package func staging(because reasons: [Upload.Reason]) throws -> Staging {
        var versions = self.versions[...]
        let items = self.difference.changes.map { change in
            versions = versions.drop { $0.feature < change.id }  // both are sorted by id
            return Staging.Change(
                feature: change.id, kind: .init(change.kind), type: change.type, levelBefore: change.levelBefore,
                levelAfter: change.levelAfter, classes: change.classes.names,
                body: change.kind == .removed ? nil : versions.first?.body)
        }
        return Staging(
            base: self.base.number, reasons: reasons, digest: self.digest, identity: self.identity,
            changes: self.changes, facts: self.facts, items: items, overrides: self.overrides?.counts,
            contested: try OverrideEntry.first(of: self.state.overrides.newlyContested))
    }
}
