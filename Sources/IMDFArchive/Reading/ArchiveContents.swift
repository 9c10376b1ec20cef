internal import CSimdjson
internal import IMDF

/// What has been read of an archive so far.
struct ArchiveContents: ~Copyable {
    var features: FeatureCollector
    private(set) var manifests: [(entry: ZipEntry, value: JSONValue)] = []
    /// Where the files lie that were read.
    private(set) var folders: [[Substring]] = []
    /// Files that are no JSON.
    private(set) var ignored: [String] = []
    /// Whether there are features that nobody could read.
    private(set) var isIncomplete = false
    private let reader = TapeReader()
    private let buffer = DocumentBuffer()
    private let limits: ArchiveLimits

    init(limits: ArchiveLimits) {
        self.limits = limits
        self.features = FeatureCollector(limits: limits)
    }

    /// Unpacks and reads the entries, as long as there is any use in it.
    mutating func read(_ archive: ZipArchive) throws {
        for (index, entry) in archive.entries.enumerated() {
            let stem = entry.isDirectory || entry.isLeftover ? nil : entry.jsonStem
            do {
                try archive.inflater.inflate(index, entry, into: self.buffer, keep: stem != nil)
            } catch let problem as ZipInflater.Problem {
                self.block(problem.rule, problem.message, entry)
                guard !problem.isFinal else { break }
                continue
            }
            if let stem {
                self.folders.append(entry.folders)
                if entry.isManifest { try self.readManifest(entry) } else { try self.readFile(entry, stem) }
            } else if !entry.isDirectory, !entry.isLeftover {
                self.ignored.append(entry.shownName)
            }
            guard !self.features.isFull else { break }
        }
    }

    private mutating func block(_ rule: String, _ message: String, _ entry: ZipEntry, pointer: String? = nil) {
        self.isIncomplete = true
        self.features.block(
            Finding(rule: rule, severity: .error, message: message, file: entry.shownName, pointer: pointer))
    }

    /// - Parameters:
    ///   - element: the feature that was being read.
    ///   - longest: the bound of what is no feature.
    private mutating func block(
        _ error: JSONReadingError, _ entry: ZipEntry, element: Int? = nil, longest: Int? = nil
    ) throws {
        switch error.reason {
        case .outOfMemory: throw ArchiveReadingError.outOfMemory
        case .tooLong where element != nil:
            self.block(
                "ST-02", "The feature is longer than \(ZipInflater.size(self.limits.feature)).", entry,
                pointer: element.map { "/features/\($0)" })
        case .tooLong:
            self.block(
                "ST-02", "Something in the file is longer than \(ZipInflater.size(longest ?? self.limits.feature)).",
                entry,
                pointer: error.place)
        case .tooDeep:
            self.block(
                "ST-02", "More than \(self.limits.depth) arrays and objects stand in each other.", entry,
                pointer: error.place)
        default:
            self.block("ST-06", "The file is no JSON that can be read: \(error).", entry, pointer: error.place)
        }
    }

    // MARK: - Files

    private mutating func readManifest(_ entry: ZipEntry) throws {
        self.features.beginFile(entry.shownName, type: "manifest")
        let longest = min(self.limits.manifest, self.limits.feature)
        self.reader.open(self.buffer, depth: self.limits.depth, longest: longest)
        do {
            while true {
                guard case .end(let tape) = try self.reader.next() else { continue }
                var builder = ValueBuilder()
                self.manifests.append((entry, builder.value(tape)))
                if builder.duplicates > 0 { self.features.note(.duplicateMembers, count: builder.duplicates) }
                break
            }
        } catch {
            try self.block(error, entry, longest: longest)
        }
        self.noteDocument()
        self.features.endFile()
    }

    private mutating func readFile(_ entry: ZipEntry, _ stem: Substring) throws {
        self.features.beginFile(entry.shownName, type: Self.type(ofFileNamed: stem))
        self.reader.open(self.buffer, depth: self.limits.depth, longest: self.limits.feature, list: "features")
        var list = FeatureList()
        do {
            reading: while true {
                switch try self.reader.next() {
                case .list:
                    if list.isThere { self.features.forgetFeatures() }
                    list = FeatureList(isThere: true, isRepeated: list.isThere)
                case .element(let tape):
                    self.features.take(tape, element: list.count)
                    if tape.tag(at: 0) != .object { list.hasOnlyObjects = false }
                    list.count += 1
                case .end(let root):
                    self.finish(list, root)
                    break reading
                }
            }
            self.noteDocument()
        } catch {
            try self.block(error, entry, element: list.isThere ? list.count : nil)
        }
        self.features.endFile()
    }

    /// The member `features` of a file.
    private struct FeatureList {
        var isThere = false
        var isRepeated = false
        var hasOnlyObjects = true
        var count = 0
    }

    /// Decides what a file is, now that all of it has been seen.
    private mutating func finish(_ list: FeatureList, _ root: Tape) {
        let type = root.member("type")
        let typeText = type.flatMap { root.string(at: $0) }
        if list.isRepeated { self.features.note(.duplicateMembers) }
        if root.member("crs") != nil { self.features.note(.obsoleteReferenceSystem) }
        if list.isThere, typeText?.spells("FeatureCollection") == true { return }
        if list.isThere, type == nil, list.hasOnlyObjects {
            self.features.note(.rootHasNoType)
            return
        }
        self.features.forgetFeatures()
        if !list.isThere, typeText?.spells("Feature") == true {
            self.features.take(root, element: nil)
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

    /// The type of features that have none: the name of their file, spelled as IMDF does.
    private static func type(ofFileNamed stem: Substring) -> String {
        let small = stem.lowercased()
        if FeatureType(rawValue: small).isStandard { return small }
        return stem.isEmpty ? "unknown" : String(stem)
    }
}
