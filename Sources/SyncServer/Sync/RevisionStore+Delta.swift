import Compression
import DeltaForm
import IMDF
import RevisionStore
import SyncModel

extension RevisionStore {
    /// A page in the delta form, with all bodies read in one statement: the new ones, and those that the client holds.
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
        var described: [DeltaEncoder.Body] = []
        described.reserveCapacity(versions.count)
        for ((body, version), source) in zip(zip(new, versions), sources) {
            let old = source.map { source in
                DeltaEncoder.Held(
                    level: source.version.level, rank: source.rank, type: source.version.type,
                    body: bodies.removeFirst())
            }
            described.append(DeltaEncoder.Body(body, type: version.type, source: old))
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
}
