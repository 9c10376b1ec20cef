import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import Logging
import RevisionStore
import SyncModel

/// An archive on its way to being a revision: compared with the newest one and published on top of it.
struct ArchiveImport {
    let job: Job
    let store: RevisionStore
    let progress: ProgressMeter
    let logger: Logger

    /// Rollbacks that come in between make the import compare again, so often at most.
    private static let tries = 10

    /// Bodies that are fetched for comparison at a time.
    private static let batch = 2_000

    /// - Parameter base: The newest revision when the import began.
    func publish(_ archive: Archive, over base: ComparisonBase) async throws {
        var base = base
        for attempt in 1... {
            do {
                return try await self.publishOnce(archive, over: base)
            } catch StoreError.headMoved where attempt < Self.tries {
                self.logger.info("Head moved, comparing again")
                base = try await self.store.comparisonBase(of: self.job.venue)
            }
        }
    }

    private func publishOnce(_ archive: Archive, over base: ComparisonBase) async throws {
        self.progress.enter(.identifying, total: archive.features.count)
        let state = await VenueState(of: archive, over: base)
        self.progress.enter(.diffing, total: archive.features.count)
        let difference = try await self.compare(state, with: base)
        let identity = Self.identity(of: state, in: difference)
        let counts = ChangeCounts(of: difference.changes, ordinals: state.ordinals(over: base))
        let changes = String(decoding: try WireJSON.data(counts), as: UTF8.self)
        let isManifestChanged = base.revision != nil && base.manifest != state.manifest
        if base.revision != nil, difference.versions.isEmpty, difference.changes.isEmpty, !isManifestChanged {
            self.progress.close()
            try await self.store.finish(
                self.job, as: .unchanged, findings: archive.findings, base: base.venue.head, identity: identity,
                changes: changes)
            self.logger.info("Archive says what the venue says already", metadata: ["revision": "\(base.venue.head)"])
            return
        }
        self.progress.enter(.publishing, total: difference.versions.count)
        var facts = Fact.facts(of: difference.changes, ordinals: state.ordinals(over: base))
        if isManifestChanged { facts.append(.manifestChanged) }
        let kept = try await self.keptBodies(difference, state: state, base: base)
        let about = VenueAbout(of: state, manifest: archive.manifest)
        let publication = Publication(
            venue: base.venue, base: base.venue.head, versions: state.versions(of: difference, kept: kept),
            removed: difference.changes.filter { $0.kind == .removed }.map(\.id),
            levelStates: state.levelStates(touchedBy: difference, over: base, kept: kept),
            features: state.candidates.count, manifest: state.manifest, fileNames: archive.fileNames,
            venueFeature: about.venueFeature, language: about.language, country: about.country, identity: identity,
            changes: changes, facts: String(decoding: try WireJSON.data(facts), as: UTF8.self))
        self.progress.close()
        let number = try await self.store.publish(publication, of: self.job, findings: archive.findings)
        self.logger.info(
            "Published archive",
            metadata: [
                "revision": "\(number)", "features": "\(state.candidates.count)",
                "changes": "\(difference.changes.count)",
            ])
    }

    /// Features whose bytes differ are judged by their stored bodies, a batch at a time.
    private func compare(_ state: VenueState, with base: ComparisonBase) async throws -> Difference {
        var comparison = Comparison(stored: base.stored, candidates: state.candidates)
        let reader = JSONReader()
        for batch in comparison.needBodies.batches(of: Self.batch) {
            var bodies: [StoredBody] = []
            try await self.store.bodies(of: batch, in: base.venue, at: base.venue.head) { id, body in
                bodies.append(StoredBody(id: id, body: body))
            }
            try comparison.resolve(bodies) { try reader.value(of: $0) }
            self.progress.advance(by: batch.count)
        }
        return try comparison.difference()
    }

    /// The stored bodies that stay, as far as they are needed: for versions that only move, and for the digests of touched levels.
    private func keptBodies(
        _ difference: Difference, state: VenueState, base: ComparisonBase
    ) async throws -> [FeatureID: [UInt8]] {
        var kept: [FeatureID: [UInt8]] = [:]
        for batch in state.kept(neededFor: difference, over: base).batches(of: Self.batch) {
            try await self.store.bodies(of: batch, in: base.venue, at: base.venue.head) { kept[$0] = $1 }
        }
        return kept
    }

    private static func identity(of state: VenueState, in difference: Difference) -> Upload.Identity {
        let new = difference.changes.count { $0.kind == .added }
        return Upload.Identity(
            kept: state.candidates.count - new, aliased: 0, matched: 0, near: 0, new: new,
            gone: difference.changes.count { $0.kind == .removed })
    }
}

extension [FeatureID] {
    func batches(of size: Int) -> [[FeatureID]] {
        stride(from: 0, to: self.count, by: size).map { Array(self[$0..<Swift.min($0 + size, self.count)]) }
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
