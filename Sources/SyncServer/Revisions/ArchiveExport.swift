import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionPlanning
import RevisionStore
import SyncModel

/// Makes the archive of a revision.
///
/// A venue may be larger than memory. So the bodies are written to a temporary file while they are read, the archive to another one, and
/// what is held in memory are some hundred kilobytes and a ``FeatureIndex``.
struct ArchiveExport: Sendable {
    let venue: VenueRecord
    let revision: Revision
    /// Whether the features are those that a strict decoder accepts, in their strict form.
    let isStrict: Bool
    let readModel: ReadModel
    /// The number of the set of overrides, for an archive of what the source said; nil for an archive with overrides.
    var overrideNumber: Int64?

    /// The bodies that are read in one statement, in bytes.
    static let batchBytes = 256 << 10

    /// Identifies the archive before it is made: its bytes depend on these values and on the edition of the writer.
    var tag: String {
        let parts = [
            "\(ArchiveWriter.edition)", "\(self.venue.key)", "\(self.venue.epoch)", "\(self.revision.number)",
            self.revision.digest.hex, Timestamp.text(of: self.revision.publishedAt),
            self.isStrict ? "strict \(StrictProfile.edition)" : "", self.overrideNumber.map { "source \($0)" } ?? "",
        ]
        return String(Digest(of: parts.joined(separator: " ").utf8).hex.prefix(32))
    }

    /// - Returns: The archive, and how many features were left out of a strict one.
    func pack() async throws -> SharedArchives.Archive {
        let store = self.readModel.reader(of: self.venue, at: self.revision.number)
        var index = try await store.featureIndex(of: self.venue, at: self.revision.number)
        let manifest = try await store.manifest(of: self.venue, at: self.revision.number)
        var content = manifest.content
        var leftOut: Int?
        if self.isStrict {
            let count = index.count
            try await StrictSelection(index, of: self.venue, in: store).apply(to: &index)
            leftOut = count - index.count
            // A strict decoder requires a manifest, which the producer may have left out.
            if content == nil { content = Array(#"{"language":"en","version":"1.0.0"}"#.utf8) }
        }
        let source = try await self.sourceFeatures(in: store)
        if let source { index.select { source.isAdded($0) ? nil : $1 } }
        let bodies = try TemporaryFile()
        var files: [(name: String, content: ArchiveWriter.Content)] = []
        if let content {
            let file = ArchiveWriter.file(of: try self.manifest(content))
            files.append((file.name, .bytes(file.content)))
        }
        let types = Set(index.types).union(source?.hidden.keys.map(\.self) ?? [])
        for (name, types) in ArchiveWriter.layout(of: types, fileNames: manifest.fileNames) {
            let start = bodies.count
            try await self.write(types, of: index, source, to: bodies) { try await self.bodies(of: $0) }
            files.append((name, .part(bodies, start..<bodies.count)))
        }
        let archive = try TemporaryFile()
        try await offSharedThreads { [files] isCancelled in
            try ArchiveWriter.zip(files, to: archive, isCancelled: isCancelled)
        }
        return (archive, leftOut)
    }

    /// Read here and not before, because it has all overrides with their bodies, and few archives are made at the same time.
    private func sourceFeatures(in store: RevisionStore) async throws -> SourceFeatures? {
        guard let overrideNumber = self.overrideNumber else { return nil }
        let source = try await SourceFeatures(of: self.venue, at: self.revision.number, in: store)
        // An override has changed since the entity tag was determined.
        guard source.number == overrideNumber else { throw StoreError.historyChanged }
        return source
    }

    private func manifest(_ content: [UInt8]) throws -> JSONObject {
        var members = try JSONReader.value(of: content).object ?? [:]
        members["created"] = .string(Timestamp.text(of: self.revision.publishedAt))
        members["generated_by"] = .string(
            self.overrideNumber == nil ? ArchiveManifest.generator : ArchiveManifest.sourceGenerator)
        return members
    }

    /// Appends a file of the features of some types: the bodies that are read together are in it before the next ones are read.
    ///
    /// - Parameters:
    ///   - source: What the source said; nil for an archive with overrides.
    ///   - bodies: Reads the bodies of versions.
    func write(
        _ types: [FeatureType], of index: FeatureIndex, _ source: SourceFeatures?, to file: TemporaryFile,
        reading bodies: (_ versions: [VersionSummary]) async throws -> [[UInt8]]
    ) async throws {
        var text = ArchiveWriter.opening
        var isFirst = true
        func append(_ body: [UInt8]) {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text.append(UInt8(ascii: "\n"))
            text += body
        }
        func flush() async throws {
            try await offSharedThreads { [text] _ in try file.append(text) }
            text.removeAll(keepingCapacity: true)
        }
        for type in types {
            for batch in index.batches(of: Self.batchBytes, type: type) {
                for (version, body) in zip(batch, try await bodies(batch)) {
                    append(try source?.body(of: version.feature, body) ?? body)
                }
                try await flush()
            }
            for body in source?.hidden[type] ?? [] { append(body) }
        }
        text += ArchiveWriter.closing
        try await flush()
    }

    func bodies(of versions: [VersionSummary]) async throws -> [[UInt8]] {
        let source = ResponseChunk.Source(venue: self.venue, revision: self.revision.number)
        var bodies = try await self.readModel.bodies(of: [(source, versions)])
        if self.isStrict { bodies = try zip(versions, bodies).map { try $0.strictBody($1) } }
        // Another length means another copy of the database.
        guard bodies.map(\.count) == versions.map(\.bytes) else { throw StoreError.historyChanged }
        return bodies
    }
}

extension ResponseBody {
    /// A temporary file, which disappears when it was sent, or when its client has left.
    init(_ file: TemporaryFile) {
        self.init(contentLength: file.count) { writer in
            var offset = 0
            while offset < file.count {
                let bytes = try await offSharedThreads { [offset] _ in try file.bytes(from: offset, limit: 128 << 10) }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += bytes.count
            }
            try await writer.finish(nil)
        }
    }
}
