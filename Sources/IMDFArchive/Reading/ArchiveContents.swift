internal import CSimdjson
internal import IMDF

/// The content of an archive while it is read.
struct ArchiveContents: ~Copyable {
    var features: FeatureCollector
    private(set) var manifests: [(entry: ZipEntry, value: JSONValue)] = []
    /// The folders of the files that were read.
    private(set) var folders: [[Substring]] = []
    /// Files that are not JSON.
    private(set) var ignored: [String] = []
    /// Whether some features could not be read.
    private(set) var isIncomplete = false
    private let reader = TapeReader()
    private let buffer = DocumentBuffer()
    private let limits: ArchiveLimits

    /// Whether ids that cannot be used, and what else a reader can only guess, are repaired.
    let repairsIDs: Bool

    /// - Parameter ids: What another reading of the same archive has found to be necessary.
    init(limits: ArchiveLimits, repairsIDs: Bool, ids: AssignedIDs? = nil) {
        self.limits = limits
        self.repairsIDs = repairsIDs
        self.features = FeatureCollector(limits: limits, repairsIDs: repairsIDs, ids: ids)
    }

    /// Features that are read between two checks for cancellation.
    private static let batch = 1_000

    /// Inflates and reads entries until enough blocking findings are known.
    mutating func read(_ entries: some Sequence<Int>, of archive: ZipArchive) throws {
        for index in entries {
            let entry = archive.entries[index]
            try Task.checkCancellation()
            let stem = entry.isDirectory || entry.isMacMetadata ? nil : entry.jsonStem
            do {
                try archive.inflater.inflate(index, entry, into: self.buffer)
            } catch let problem as ZipInflater.Problem {
                self.block(problem.rule, problem.message, entry)
                guard !problem.isFinal else { break }
                continue
            }
            if let stem {
                self.folders.append(entry.folders)
                if entry.isManifest { try self.readManifest(entry) } else { try self.readFile(entry, stem) }
            } else if !entry.isDirectory, !entry.isMacMetadata {
                self.ignored.append(entry.displayName)
            }
            guard !self.features.isFull else { break }
        }
    }

    /// Adds what was read of other entries of the same archive.
    ///
    /// - Parameter order: The position of each file in the archive.
    mutating func append(_ part: ArchivePart, in order: [String: Int]) {
        self.features.append(part.features, in: order)
        self.manifests += part.manifests
        self.folders += part.folders
        self.ignored = (self.ignored + part.ignored).sorted { order[$0, default: 0] < order[$1, default: 0] }
    }

    /// What was read, for another thread.
    ///
    /// - Throws: ``ArchiveRejection`` if there are blocking findings.
    consuming func part() throws -> ArchivePart {
        let features = self.features.part()
        let (manifests, folders, ignored) = (self.manifests, self.folders, self.ignored)
        guard features.blockingFindings.isEmpty else { throw ArchiveRejection(findings: features.blockingFindings) }
        return ArchivePart(features: features, manifests: manifests, folders: folders, ignored: ignored)
    }

    private mutating func block(_ rule: String, _ message: String, _ entry: ZipEntry, pointer: String? = nil) {
        self.isIncomplete = true
        self.features.block(
            Finding(rule: rule, severity: .error, message: message, file: entry.displayName, pointer: pointer))
    }

    /// - Parameters:
    ///   - element: the index of the feature that was being read.
    ///   - maxLength: the limit of the document without its features.
    private mutating func block(
        _ error: JSONReadingError, _ entry: ZipEntry, element: Int? = nil, maxLength: Int? = nil
    ) throws {
        switch error.reason {
        case .outOfMemory: throw ArchiveReadingError.outOfMemory
        case .tooLong where element != nil:
            self.block(
                "ST-02", "The feature is longer than \(ZipInflater.size(self.limits.featureBytes)).", entry,
                pointer: element.map { "/features/\($0)" })
        case .tooLong:
            self.block(
                "ST-02",
                "A part of the file is longer than \(ZipInflater.size(maxLength ?? self.limits.featureBytes)).",
                entry,
                pointer: error.lineAndColumn)
        case .tooDeep:
            self.block(
                "ST-02", "Arrays and objects are nested more than \(self.limits.nestingDepth) levels deep.", entry,
                pointer: error.lineAndColumn)
        case .tooManyMarks:
            self.block(
                "ST-02", "A text has more than \(CombiningMarks.most) combining marks in a row.", entry,
                pointer: element.map { "/features/\($0)" } ?? error.lineAndColumn)
        default:
            if let encoding = self.buffer.otherEncoding {
                self.block("ST-06", "The file is encoded in \(encoding); it must be UTF-8.", entry)
            } else {
                self.block("ST-06", "The file is not valid JSON: \(error).", entry, pointer: error.lineAndColumn)
            }
        }
    }

    // MARK: - Files

    private mutating func readManifest(_ entry: ZipEntry) throws {
        self.features.beginFile(entry.displayName, type: "manifest")
        let maxLength = min(self.limits.manifestBytes, self.limits.featureBytes)
        self.reader.open(self.buffer, maxDepth: self.limits.nestingDepth, maxLength: maxLength, boundsMarks: true)
        do {
            while true {
                guard case .end(let tape) = try self.reader.next() else { continue }
                var builder = ValueBuilder()
                self.manifests.append((entry, builder.value(tape)))
                if builder.duplicates > 0 { self.features.note(.duplicateMembers, count: builder.duplicates) }
                break
            }
        } catch {
            try self.block(error, entry, maxLength: maxLength)
        }
        self.noteDocument()
        self.features.endFile()
    }

    private mutating func readFile(_ entry: ZipEntry, _ stem: Substring) throws {
        self.features.beginFile(entry.displayName, type: Self.type(ofFileNamed: stem))
        self.reader.open(
            self.buffer, maxDepth: self.limits.nestingDepth, maxLength: self.limits.featureBytes, boundsMarks: true,
            list: "features")
        var list = FeatureList()
        do {
            reading: while true {
                switch try self.reader.next() {
                case .list:
                    if list.exists { self.features.discardFile() }
                    list = FeatureList(exists: true, isRepeated: list.exists)
                case .element(let tape):
                    self.features.add(tape, element: list.count)
                    if tape.tag(at: 0) != .object { list.hasOnlyObjects = false }
                    list.count += 1
                    if list.count.isMultiple(of: Self.batch), Task.isCancelled { break reading }
                case .end(let root):
                    self.finish(list, root)
                    break reading
                }
            }
            self.noteDocument()
        } catch {
            try self.block(error, entry, element: list.exists ? list.count : nil)
        }
        self.features.endFile()
    }

    /// The member `features` of a file.
    private struct FeatureList {
        var exists = false
        var isRepeated = false
        var hasOnlyObjects = true
        var count = 0
    }

    /// Decides whether a file is a FeatureCollection, after all of it has been read.
    private mutating func finish(_ list: FeatureList, _ root: Tape) {
        let type = root.member("type")
        let typeText = type.flatMap { root.string(at: $0) }
        if list.isRepeated { self.features.note(.duplicateMembers) }
        if root.member("crs") != nil { self.features.note(.obsoleteReferenceSystem) }
        if list.exists, typeText?.spells("FeatureCollection") == true { return }
        if list.exists, type == nil, list.hasOnlyObjects {
            self.features.note(.rootHasNoType)
            return
        }
        self.features.discardFile()
        if !list.exists, typeText?.spells("Feature") == true {
            self.features.add(root, element: nil)
            self.features.note(.rootIsFeature)
        } else {
            self.features.note(.rootIsNoCollection)
        }
    }

    private mutating func noteDocument() {
        if self.reader.hasByteOrderMark { self.features.note(.byteOrderMark) }
        let changed = self.reader.changedNumbers
        if changed > 0 { self.features.note(.changedNumbers, count: changed) }
    }

    /// The type of features without one: the name of their file. Standard types are recognized in any case.
    private static func type(ofFileNamed stem: Substring) -> String {
        let lowercased = stem.lowercased()
        if FeatureType(rawValue: lowercased).isStandard { return lowercased }
        return stem.isEmpty ? "unknown" : String(stem)
    }
}
