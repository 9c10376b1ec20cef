internal import CSimdjson
internal import IMDF

/// Collects the features of an archive, file by file.
struct FeatureCollector: ~Copyable {
    private(set) var features: [Feature] = []
    private(set) var locations: [FeatureLocation] = []
    private(set) var files: [String] = []
    private(set) var blockingFindings: [Finding] = []
    private(set) var findings: [Finding] = []
    var writer: CanonicalWriter

    /// The types by name, so that each name is stored once.
    private var types: [String: FeatureType] = [:]
    private var lastType = FeatureType.unit

    /// Whether features were left out, each with a blocking finding.
    private(set) var isIncomplete = false

    /// The number of features of type venue, including those with blocking findings.
    private(set) var venues = 0

    /// The ids of features that were not added, because their ids are not UUIDs and none were assigned yet.
    private(set) var unusableIDs: Set<AssignedIDs.Unusable> = []
    private(set) var repairs = IDRepairs()
    /// Whether references became too long, so that no more features are added.
    var exceedsGrowth = false

    // The file that is being read, and what was known at its beginning.
    private var file = ""
    private var fileType = FeatureType.unit
    private var fileFindings = ReadingFindings()
    private var before = FileStart()

    let limits: ArchiveLimits
    /// Whether ids that cannot be used are repaired instead of blocking.
    private let repairsIDs: Bool

    /// - Parameter ids: What another reading of the same archive has found to be necessary.
    init(limits: ArchiveLimits, repairsIDs: Bool, ids: AssignedIDs? = nil) {
        self.limits = limits
        self.repairsIDs = repairsIDs
        self.writer = CanonicalWriter(repairsIDs: repairsIDs, ids: ids, growthLimit: limits.referenceGrowthBytes)
    }

    var candidates: [ReferenceCandidate] { self.writer.candidates }

    /// Whether the limit of blocking findings is reached.
    var isFull: Bool { self.blockingFindings.count >= max(1, self.limits.blockingFindings) }

    /// What was collected, for another thread.
    func part() -> CollectedFeatures {
        CollectedFeatures(
            features: self.features, locations: self.locations, candidates: self.writer.candidates, files: self.files,
            blockingFindings: self.blockingFindings, findings: self.findings, venues: self.venues,
            unusableIDs: self.unusableIDs, repairs: self.repairs)
    }

    /// Adds what was collected from other files of the same archive. Blocking findings are not added.
    ///
    /// - Parameter order: The position of each file in the archive.
    mutating func append(_ part: CollectedFeatures, in order: [String: Int]) {
        let (files, candidates) = (UInt32(self.files.count), UInt32(self.writer.candidates.count))
        self.features += part.features
        self.locations += part.locations.map { $0.advanced(byFiles: files, candidates: candidates) }
        self.writer.append(part.candidates)
        self.files += part.files
        self.findings = (self.findings + part.findings)
            .sorted { order[$0.file ?? "", default: 0] < order[$1.file ?? "", default: 0] }
        self.venues += part.venues
        self.unusableIDs.formUnion(part.unusableIDs)
        self.repairs.append(part.repairs, in: order)
    }

    /// Reorders the features and their locations; files are not added afterwards.
    mutating func reorder(by order: [Int]) {
        self.features.reorder(by: order)
        self.locations.reorder(by: order)
    }

    /// Removes the features with these indices; files are not added afterwards.
    mutating func remove(_ indices: Set<Int>) {
        self.venues -= indices.count { self.features[$0].type == .venue }
        let kept = self.features.indices.filter { !indices.contains($0) }
        self.features = kept.map { self.features[$0] }
        self.locations = kept.map { self.locations[$0] }
    }

    /// The ids that another reading has found to be necessary; nil at the first one.
    var ids: AssignedIDs? { self.writer.ids }

    /// Adds the findings about repaired ids; files are not added afterwards.
    mutating func addRepairs() {
        self.findings += self.repairs.findings
    }

    mutating func add(_ finding: Finding) {
        self.findings.append(finding)
    }

    mutating func block(_ finding: Finding) {
        if !self.isFull { self.blockingFindings.append(finding) }
    }

    // MARK: - Files

    /// - Parameter type: the type of features without one.
    mutating func beginFile(_ name: String, type: String) {
        self.file = name
        self.files.append(name)
        self.fileType = self.type(named: type)
        self.before = FileStart(
            features: self.features.count, candidates: self.writer.candidates.count,
            blockingFindings: self.blockingFindings.count, venues: self.venues, unusableIDs: self.unusableIDs,
            repairs: self.repairs, growth: self.writer.growth, exceedsGrowth: self.exceedsGrowth,
            isIncomplete: self.isIncomplete)
        self.fileFindings = ReadingFindings()
    }

    /// Removes the features of the current file and the findings about them.
    mutating func discardFile() {
        self.features.removeSubrange(self.before.features...)
        self.locations.removeSubrange(self.before.features...)
        self.blockingFindings.removeSubrange(self.before.blockingFindings...)
        self.venues = self.before.venues
        self.unusableIDs = self.before.unusableIDs
        self.repairs = self.before.repairs
        self.exceedsGrowth = self.before.exceedsGrowth
        self.isIncomplete = self.before.isIncomplete
        self.writer.removeCandidates(from: self.before.candidates, growth: self.before.growth)
        self.fileFindings = ReadingFindings()
    }

    mutating func note(_ finding: ReadingFinding, count: Int = 1) {
        self.fileFindings.note(finding, count: count)
    }

    mutating func endFile() {
        self.findings += self.fileFindings.findings(file: self.file, fileType: self.fileType.rawValue)
    }

    // MARK: - Features

    /// Adds a feature. `element` is its index in the file; nil if it is the whole file.
    mutating func add(_ tape: Tape, element: Int?) {
        if !self.adds(tape, element: element) { self.isIncomplete = true }
    }

    /// Returns false if the feature was not added.
    private mutating func adds(_ tape: Tape, element: Int?) -> Bool {
        guard tape.tag(at: 0) == .object else {
            self.block(
                "ST-06", "An element of “features” is not an object.",
                FeatureName(type: self.fileType, element: element))
            return false
        }
        let (duplicates, textLists) = (self.writer.duplicates, self.writer.textLists)
        let firstCandidate = self.writer.candidates.count
        let members = self.writer.push(tape, objectAt: 0)
        defer { self.writer.pop(to: members.lowerBound) }
        var known = KnownMembers()
        for number in members {
            let member = self.writer.member(number)
            if let kind = KnownMember(tape.utf8(of: member.key)) { known[kind] = member.value }
        }
        let typeText = known[.featureType].flatMap { tape.string(at: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        var name = FeatureName(type: typeText.map { self.type($0) } ?? self.fileType, element: element)
        guard typeText?.contains(0) != true else {
            self.block("ST-11", "The feature_type contains a NUL character.", name)
            return false
        }
        guard name.type.rawValue.utf8.count <= self.limits.featureTypeBytes else {
            name.type = FeatureType(
                rawValue: name.type.rawValue.excerpt(characters: 64, bytes: self.limits.featureTypeBytes))
            self.block("ST-02", "The feature_type is longer than \(self.limits.featureTypeBytes) bytes.", name)
            return false
        }
        if name.type == .venue { self.venues += 1 }
        guard let ownID = self.ownID(known, tape, &name), let id = name.id else { return false }

        self.writer.removeText()
        let idOffset = self.write(tape, members, ownID, name.type, fillsType: typeText == nil)
        guard !self.writer.exceedsGrowth else {
            self.blockGrowth(name)
            return false
        }
        self.features.append(Feature(id: id, type: name.type, body: self.writer.text, references: []))
        self.locations.append(
            FeatureLocation(
                file: UInt32(self.files.count - 1), element: element.map { UInt32($0) },
                idOffset: UInt32(truncatingIfNeeded: idOffset), firstCandidate: UInt32(firstCandidate),
                endOfCandidates: UInt32(self.writer.candidates.count)))
        if self.writer.length > self.limits.memberBytes { self.checkMembers(known, tape, name) }
        var isAssigned = false
        if case .assigned = ownID { isAssigned = true }
        self.noteDeviations(known, tape, name, hasType: typeText != nil, isAssigned: isAssigned)
        if self.writer.duplicates > duplicates {
            self.fileFindings.note(.duplicateMembers, count: self.writer.duplicates - duplicates, in: name)
        }
        if self.writer.textLists > textLists { self.note(.listInText, name, self.writer.lastTextList) }
        return true
    }

    mutating func block(_ rule: String, _ message: String, _ feature: FeatureName) {
        self.block(
            Finding(
                rule: rule, severity: .error, message: message, featureID: feature.id, featureType: feature.type,
                file: self.file, pointer: feature.pointer))
    }

    /// A feature's id in its body.
    private enum OwnID {
        /// A UUID, in either case.
        case written(UnsafeRawBufferPointer)
        /// A UUID that was assigned, and the id that the feature has in the archive.
        case assigned(FeatureID, original: [UInt8])
    }

    /// The feature's id. Sets the id of `name`. Nil if it blocks, and if the archive has to be read again with another id.
    private mutating func ownID(_ known: KnownMembers, _ tape: Tape, _ name: inout FeatureName) -> OwnID? {
        guard let value = known[.id], tape.tag(at: value) != .null else {
            if let text = known[.properties].flatMap({ self.idText(inProperties: $0, tape) }) {
                guard let id = self.id(text, &name) else { return nil }
                self.note(.inProperties, name, text)
                return id
            }
            self.block("ST-08", "The feature has no id.", name)
            return nil
        }
        if let text = tape.string(at: value), !text.isEmpty {
            let trimmed = self.repairsIDs ? text.trimmingWhiteSpace() : text
            guard let id = self.id(trimmed, &name, shown: text) else { return nil }
            if trimmed.count < text.count, case .written = id { self.note(.whiteSpace, name, trimmed) }
            return id
        }
        guard self.repairsIDs, let number = self.writer.number(tape, at: value) else {
            self.block("ST-08", "The feature's id is empty or not a string.", name)
            return nil
        }
        return number.withUnsafeBytes { self.id($0, &name) }
    }

    /// - Parameters:
    ///   - text: The id without white space around it.
    ///   - shown: The id as it is written.
    private mutating func id(
        _ text: UnsafeRawBufferPointer, _ name: inout FeatureName, shown: UnsafeRawBufferPointer? = nil
    ) -> OwnID? {
        if let id = WrittenID(utf8: text)?.id {
            name.id = id
            guard let ids = self.writer.ids else { return .written(text) }
            let original = Array(id.description.utf8)
            guard let other = ids.id(for: original, of: name.type), other != id else { return .written(text) }
            name.id = other
            self.note(.toldApart, name, original)
            return .assigned(other, original: original)
        }
        guard self.repairsIDs, !text.isEmpty else {
            let shown = String(decoding: (shown ?? text).prefix(64), as: UTF8.self).showingWhiteSpace()
            self.block("ST-10", "The feature's id “\(shown)” is not a UUID.", name)
            return nil
        }
        guard text.count <= self.limits.idBytes else {
            self.block("ST-02", "The feature's id is longer than \(self.limits.idBytes) bytes.", name)
            return nil
        }
        let original = Array(text)
        guard let id = self.writer.ids?.id(for: original, of: name.type) else {
            self.unusableIDs.insert(AssignedIDs.Unusable(text: original, type: name.type))
            return nil
        }
        name.id = id
        self.note(.assigned, name, original)
        return .assigned(id, original: original)
    }

    private mutating func note(_ kind: IDRepairs.Kind, _ feature: FeatureName, _ text: some Collection<UInt8>) {
        self.repairs.note(
            kind,
            IDRepairs.Example(
                feature: feature, file: self.file,
                text: String(decoding: text.prefix(64), as: UTF8.self).showingWhiteSpace()))
    }

    /// The member `id` of the properties, if it is a string: GeoPackage and other formats of tables keep a feature's id there.
    private func idText(inProperties properties: Int, _ tape: Tape) -> UnsafeRawBufferPointer? {
        guard self.repairsIDs, tape.tag(at: properties) == .object else { return nil }
        var (key, text): (Int, UnsafeRawBufferPointer?) = (properties + 1, nil)
        while key < tape.end(of: properties) {
            let value = tape.end(of: key)
            // The last of several members with one key counts.
            if tape.string(at: key)?.spells("id") == true { text = tape.string(at: value)?.trimmingWhiteSpace() }
            key = tape.end(of: value)
        }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Writes the body and returns the offset of the id in it.
    private mutating func write(
        _ tape: Tape, _ members: Range<Int>, _ id: OwnID, _ type: FeatureType, fillsType: Bool
    ) -> Int {
        var idOffset = 0
        let properties = self.position(in: type)
        var next = 0
        self.writer.begin(featureOf: type)
        for number in members {
            let member = self.writer.member(number)
            let key = tape.utf8(of: member.key)
            let kind = KnownMember(key)
            // Missing members are inserted at their canonical positions.
            while let missing = KnownMember(rawValue: next), missing.precedes(key, kind) {
                self.write(missing: missing, id, type, &idOffset)
                next += 1
            }
            if kind != nil { next += 1 }
            self.writer.write(key: member.key, tape)
            switch kind {
            case .id:
                idOffset = self.writer.length + 1  // after the quotation mark
                self.write(id)
            case .featureType where fillsType: self.writer.write(string: type.rawValue)
            case .properties: self.writer.write(tape, at: member.value, position: properties)
            default: self.writer.write(tape, at: member.value)
            }
            self.writer.separate()
        }
        while let missing = KnownMember(rawValue: next) {
            self.write(missing: missing, id, type, &idOffset)
            next += 1
        }
        self.writer.end(isEmpty: false)
        return idOffset
    }

    private mutating func write(_ id: OwnID) {
        switch id {
        case .written(let text): self.writer.write(id: text)
        case .assigned(let id, _): self.writer.write(string: id.description)
        }
    }

    /// Writes a missing member, unless a feature needs none. Sets the offset of the id if it is that.
    private mutating func write(missing: KnownMember, _ id: OwnID, _ type: FeatureType, _ idOffset: inout Int) {
        switch missing {
        case .featureType:
            self.writer.write(verbatim: "\"feature_type\":")
            self.writer.write(string: type.rawValue)
        case .geometry: self.writer.write(verbatim: "\"geometry\":null")
        case .id:
            self.writer.write(verbatim: "\"id\":")
            idOffset = self.writer.length + 1  // after the quotation mark
            self.write(id)
        case .originalID:
            guard case .assigned(_, let original) = id else { return }
            self.writer.write(verbatim: "\"original_id\":")
            self.writer.write(string: String(decoding: original, as: UTF8.self))
        case .properties: self.writer.write(verbatim: "\"properties\":{}")
        case .type: self.writer.write(verbatim: "\"type\":\"Feature\"")
        }
        self.writer.separate()
    }

    private mutating func noteDeviations(
        _ known: KnownMembers, _ tape: Tape, _ name: FeatureName, hasType: Bool, isAssigned: Bool
    ) {
        if known[.type] == nil { self.fileFindings.note(.absentType, in: name) }
        if !hasType {
            self.fileFindings.note(known[.featureType] == nil ? .absentFeatureType : .malformedFeatureType, in: name)
        }
        if known[.geometry] == nil { self.fileFindings.note(.absentGeometry, in: name) }
        if let properties = known[.properties] {
            if tape.tag(at: properties) != .object { self.fileFindings.note(.malformedProperties, in: name) }
        } else {
            self.fileFindings.note(.absentProperties, in: name)
        }
        // An id that the reader assigned has its own finding.
        if !isAssigned, name.id?.isRandom == false { self.fileFindings.note(.otherVersion, in: name) }
    }

    // MARK: - Types

    private mutating func type(_ text: UnsafeRawBufferPointer) -> FeatureType {
        var last = self.lastType.rawValue
        if last.withUTF8({ UnsafeRawBufferPointer($0).elementsEqual(text) }) { return self.lastType }
        self.lastType = self.type(named: String(decoding: text, as: UTF8.self))
        return self.lastType
    }

    private mutating func type(named name: String) -> FeatureType {
        if let type = self.types[name] { return type }
        let type = FeatureType(rawValue: name)
        self.types[name] = type
        return type
    }
}
