import Compression
import DeltaForm
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

extension RevisionStore {
    /// A page in the delta form, with all bodies read in one statement: the new ones, and those that the client holds. Another one reads the
    /// companions, if there are any.
    ///
    /// - Parameter since: The cursor of the request, which the client knows; nil to send the whole new one.
    func delta(of page: ChangeSetPagePlan, since: Cursor?, of venue: VenueRecord) async throws -> DeltaDocument {
        let held = page.held
        let versions = page.versions.flatMap { $0 }
        let sources = versions.map { held?.sources[$0.feature] }
        let context = held?.context?.versions ?? []
        var bodies = try await self.bodies(of: versions + sources.compactMap { $0?.version } + context, in: venue)[...]
        let new = bodies.prefix(versions.count)
        bodies = bodies.dropFirst(versions.count)
        let old = sources.map { $0.map { DeltaEncoder.Held($0, body: bodies.removeFirst()) } }
        let companions = try await self.companions(of: old, for: versions, held, in: venue)
        let described = new.indices.map { index in
            DeltaEncoder.Body(
                new[index], type: versions[index].type, source: old[index], companion: companions[index])
        }
        var rest = described[...]
        let blocks = page.versions.map { versions in
            defer { rest = rest.dropFirst(versions.count) }
            return Array(rest.prefix(versions.count))
        }
        let encoder = DeltaEncoder(
            levels: held?.levels ?? [],
            context: held?.context.map { .init(level: $0.level, type: $0.type, bodies: Array(bodies)) },
            // On large groups the effort that takes as long as zlib, on small ones more of it.
            compress: { DeflateCompressor.compressed($0, as: .raw, level: $0.count > 64 << 10 ? 8 : 10) })
        return encoder.document(
            of: page.header, since: since, bodies: blocks,
            removed: held?.removed ?? page.header.blocks.map { _ in [] })
    }

    /// For features whose type has changed, the first held feature that the former version refers to: an amenity that was a shop
    /// stands where the shop's anchor is, and in its unit.
    private func companions(
        of sources: [DeltaEncoder.Held?], for versions: [VersionSummary], _ held: HeldFeatures?, in venue: VenueRecord
    ) async throws -> [Int: DeltaEncoder.Held] {
        let retyped = versions.indices.filter { sources[$0].map(\.type) ?? versions[$0].type != versions[$0].type }
        guard let held, !retyped.isEmpty else { return [:] }
        let reader = JSONReader()
        var found: [Int: HeldFeatures.Reference] = [:]
        for index in retyped {
            guard let source = sources[index] else { continue }
            let references = try reader.references(of: source.body, type: source.type)
            found[index] = references.lazy.compactMap { held.unchanged($0.target, on: source.level) }
                .first { $0.version.bytes <= versions[index].bytes }
        }
        let indices = found.keys.sorted()
        let bodies = try await self.bodies(of: indices.compactMap { found[$0]?.version }, in: venue)
        return Dictionary(
            uniqueKeysWithValues: zip(indices, bodies).compactMap { index, body in
                found[index].map { (index, DeltaEncoder.Held($0, body: body)) }
            })
    }
}

extension DeltaEncoder.Held {
    fileprivate init(_ reference: HeldFeatures.Reference, body: [UInt8]) {
        self.init(
            level: reference.version.level, rank: reference.rank, type: reference.version.type, body: body)
    }
}
