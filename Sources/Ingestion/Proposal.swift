import IMDF
import IMDFArchive
import IMDFDiff
import IMDFValidation
import RevisionStore
import SyncModel

/// What an archive would make of a revision, worked out once: then it is published, staged, or found to say nothing new.
struct Proposal {
    let base: ComparisonBase
    /// The features of the base.
    let stored: [StoredFeature]
    let state: VenueState
    let difference: Difference
    let identity: ArchiveIdentity
    /// Stored bodies that stay, as far as they are needed.
    let kept: [FeatureID: [UInt8]]

    var isManifestChanged: Bool { self.manifestChange != nil }

    /// The manifest's content before and after, where that differs; the first one is no change.
    private var manifestChange: (before: [UInt8]?, after: [UInt8]?)? {
        self.base.revision != nil && self.base.manifest != self.state.manifest
            ? (self.base.manifest, self.state.manifest) : nil
    }

    /// Whether the venue says all of it already.
    var isUnchanged: Bool {
        self.base.revision != nil && self.difference.versions.isEmpty && self.difference.changes.isEmpty
            && !self.isManifestChanged
    }

    /// Equal only for proposals that do the same to the same features.
    var digest: Digest {
        self.difference.digest(over: self.stored, manifest: self.manifestChange)
    }

    /// How much changes, as the JSON text of a ``ChangeSummary``.
    func changes() throws -> String {
        let counts = ChangeCounts(of: self.difference.changes, ordinals: self.state.ordinals(over: self.base))
        return String(decoding: try WireJSON.data(counts), as: UTF8.self)
    }

    private func facts() throws -> String {
        var facts = Fact.facts(of: self.difference.changes, ordinals: self.state.ordinals(over: self.base))
        if self.isManifestChanged { facts.append(.manifestChanged) }
        return String(decoding: try WireJSON.data(facts), as: UTF8.self)
    }

    /// The next revision.
    func publication(of archive: Archive) throws -> Publication {
        let about = VenueAbout(of: self.state, manifest: archive.manifest)
        return Publication(
            venue: self.base.venue, base: self.base.number,
            versions: self.state.versions(of: self.difference, kept: self.kept),
            removed: self.difference.changes.filter { $0.kind == .removed }.map(\.id),
            added: self.difference.changes.filter { $0.kind == .added }.map(\.id),
            levelStates: self.state.levelStates(touchedBy: self.difference, over: self.base, kept: self.kept),
            features: self.state.candidates.count, manifest: self.state.manifest, fileNames: archive.fileNames,
            venueFeature: about.venueFeature, language: about.language, country: about.country,
            identity: self.identity, changes: try self.changes(), facts: try self.facts(),
            created: Self.created(in: archive.manifest))
    }

    /// When a manifest says that its archive was made, if that is a time.
    private static func created(in manifest: JSONObject?) -> String? {
        guard let text = manifest?["created"]?.string, DateTime(text) != nil else { return nil }
        return text
    }

    /// What is kept of it until somebody has decided.
    func staging(because reasons: [Upload.Reason]) throws -> Staging {
        var versions = self.state.versions(of: self.difference, kept: self.kept)[...]
        let items = self.difference.changes.map { change in
            versions = versions.drop { $0.feature < change.id }  // both are sorted by id
            return Staging.Change(
                feature: change.id, kind: .init(change.kind), type: change.type, levelBefore: change.levelBefore,
                levelAfter: change.levelAfter, classes: change.classes.names,
                body: change.kind == .removed ? nil : versions.first?.body)
        }
        return Staging(
            base: self.base.number, reasons: reasons, digest: self.digest, identity: self.identity,
            changes: try self.changes(), facts: try self.facts(), items: items)
    }
}

extension ComparisonBase {
    var stored: [StoredFeature] {
        self.versions.map {
            StoredFeature(
                id: $0.id, type: $0.type, level: $0.level, touches: $0.touches, generation: $0.generation,
                bodyDigest: $0.digest)
        }
    }
}
