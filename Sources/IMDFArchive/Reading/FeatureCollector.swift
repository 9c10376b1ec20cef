internal import CSimdjson
internal import IMDF

/// Collects the features of an archive, file by file.
struct FeatureCollector: ~Copyable {
    private(set) var features: [Feature] = []
    private(set) var locations: [FeatureLocation] = []
    private(set) var files: [String] = []
    private(set) var blockingFindings: [Finding] = []
    private(set) var findings: [Finding] = []
    private var writer = CanonicalWriter()

    /// The types by name, so that each name is stored once.
    private var types: [String: FeatureType] = [:]
    private var lastType = FeatureType.unit

    /// The number of features of type venue, including those with blocking findings.
    private(set) var venues = 0

    // The file that is being read, and the counts at its beginning.
    private var file = ""
    private var fileType = FeatureType.unit
    private var fileFindings = ReadingFindings()
    private var featuresBefore = 0
    private var candidatesBefore = 0
    private var blockingBefore = 0
    private var venuesBefore = 0

    private let limits: ArchiveLimits

    init(limits: ArchiveLimits) {
        self.limits = limits
    }

    var candidates: [ReferenceCandidate] { self.writer.candidates }

    /// Whether the limit of blocking findings is reached.
    var isFull: Bool { self.blockingFindings.count >= max(1, self.limits.blockingFindings) }

    /// What was collected, for another thread.
    func part() -> CollectedFeatures {
        CollectedFeatures(
            features: self.features, locations: self.locations, candidates: self.writer.candidates, files: self.files,
            blockingFindings: self.blockingFindings, findings: self.findings, venues: self.venues)
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
        self.featuresBefore = self.features.count
        self.candidatesBefore = self.writer.candidates.count
        self.blockingBefore = self.blockingFindings.count
        self.venuesBefore = self.venues
        self.fileFindings = ReadingFindings()
    }

    /// Removes the features of the current file and the findings about them.
    mutating func discardFile() {
        self.features.removeSubrange(self.featuresBefore...)
        self.locations.removeSubrange(self.featuresBefore...)
        self.blockingFindings.removeSubrange(self.blockingBefore...)
        self.venues = self.venuesBefore
        self.writer.removeCandidates(from: self.candidatesBefore)
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
        guard tape.tag(at: 0) == .object else {
            self.block(
                "ST-06", "An element of “features” is not an object.",
                FeatureName(type: self.fileType, element: element))
            return
        }
        let duplicates = self.writer.duplicates
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
            return
        }
        guard name.type.rawValue.utf8.count <= self.limits.featureType else {
            name.type = FeatureType(
                rawValue: name.type.rawValue.excerpt(characters: 64, bytes: self.limits.featureType))
            self.block("ST-02", "The feature_type is longer than \(self.limits.featureType) bytes.", name)
            return
        }
        if name.type == .venue { self.venues += 1 }
        guard let idText = self.idText(known, tape, &name), let id = name.id else { return }

        self.writer.removeText()
        let idOffset = self.write(tape, members, known, idText, name.type, fillsType: typeText == nil)
        self.features.append(Feature(id: id, type: name.type, body: self.writer.text, references: []))
        self.locations.append(
            FeatureLocation(
                file: UInt32(self.files.count - 1), element: element.map { UInt32($0) },
                idOffset: UInt32(truncatingIfNeeded: idOffset), firstCandidate: UInt32(firstCandidate),
                endOfCandidates: UInt32(self.writer.candidates.count)))
        if self.writer.length > self.limits.member { self.checkMembers(known, tape, name) }
        self.noteDeviations(known, tape, name, hasType: typeText != nil)
        if self.writer.duplicates > duplicates {
            self.fileFindings.note(.duplicateMembers, count: self.writer.duplicates - duplicates, in: name)
        }
    }

    /// Blocks properties that are too long, and other members that are: beside the properties and in the geometry.
    private mutating func checkMembers(_ known: KnownMembers, _ tape: Tape, _ feature: FeatureName) {
        self.checkMembers(of: 0, tape, "member", feature) { name, _ in
            ["properties", "geometry"].contains(name)
        }
        if let properties = known[.properties] { self.checkMembers(of: properties, tape, "property", feature) }
        if let geometry = known[.geometry] { self.checkGeometry(geometry, tape, feature) }
    }

    private mutating func checkGeometry(_ geometry: Int, _ tape: Tape, _ feature: FeatureName) {
        var parts: [Int] = []
        self.checkMembers(of: geometry, tape, "member of the geometry", feature) { name, value in
            guard tape.tag(at: value) == .array else { return false }
            if name == "geometries" { parts.append(value) }
            return name == "coordinates" || name == "geometries"
        }
        for list in parts {
            var part = list + 1
            while part < tape.end(of: list) {
                self.checkGeometry(part, tape, feature)
                part = tape.end(of: part)
            }
        }
    }

    private mutating func checkMembers(
        of object: Int, _ tape: Tape, _ kind: String, _ feature: FeatureName,
        except isExempt: (String, Int) -> Bool = { _, _ in false }
    ) {
        guard tape.tag(at: object) == .object else { return }
        var key = object + 1
        while key < tape.end(of: object) {
            let value = tape.end(of: key)
            let name = String(
                decoding: (tape.string(at: key) ?? .init(start: nil, count: 0)).prefix(256), as: UTF8.self)
            if !isExempt(name, value) {
                self.writer.removeText()
                self.writer.write(tape, at: key)
                self.writer.write(tape, at: value)
                if self.writer.length > self.limits.member {
                    let shown = name.excerpt(characters: 64, bytes: 256)
                    self.block(
                        "ST-02",
                        "The feature's \(kind) “\(shown)” is longer than \(ZipInflater.size(self.limits.member)).",
                        feature)
                }
            }
            key = tape.end(of: value)
        }
    }

    private mutating func block(_ rule: String, _ message: String, _ feature: FeatureName) {
        self.block(
            Finding(
                rule: rule, severity: .error, message: message, featureID: feature.id, featureType: feature.type,
                file: self.file, pointer: feature.pointer))
    }

    /// The text of the feature's id. Sets the id of `name`. Nil if the id is missing or invalid, which blocks.
    private mutating func idText(
        _ known: KnownMembers, _ tape: Tape, _ name: inout FeatureName
    ) -> UnsafeRawBufferPointer? {
        guard let value = known[.id], tape.tag(at: value) != .null else {
            if let properties = known[.properties], let text = self.idText(inProperties: properties, tape) {
                name.id = WrittenID(utf8: text)?.id
                self.fileFindings.note(.idInProperties, in: name)
                return text
            }
            self.block("ST-08", "The feature has no id.", name)
            return nil
        }
        guard let text = tape.string(at: value), !text.isEmpty else {
            self.block("ST-08", "The feature's id is empty or not a string.", name)
            return nil
        }
        let trimmed = text.trimmingWhiteSpace()
        guard let id = WrittenID(utf8: trimmed)?.id else {
            let shown = String(decoding: text.prefix(64), as: UTF8.self).showingWhiteSpace()
            self.block("ST-10", "The feature's id “\(shown)” is not a UUID.", name)
            return nil
        }
        name.id = id
        if trimmed.count < text.count { self.fileFindings.note(.spaceAroundID, in: name) }
        return trimmed
    }

    /// The member `id` of the properties, if it is a UUID: GeoPackage and other formats of tables keep a feature's id there.
    private func idText(inProperties properties: Int, _ tape: Tape) -> UnsafeRawBufferPointer? {
        guard tape.tag(at: properties) == .object else { return nil }
        var (key, text): (Int, UnsafeRawBufferPointer?) = (properties + 1, nil)
        while key < tape.end(of: properties) {
            let value = tape.end(of: key)
            // The last of several members with one key counts.
            if tape.string(at: key)?.spells("id") == true { text = tape.string(at: value)?.trimmingWhiteSpace() }
            key = tape.end(of: value)
        }
        return text.flatMap { WrittenID(utf8: $0) == nil ? nil : $0 }
    }

    /// Writes the body and returns the offset of the id in it.
    private mutating func write(
        _ tape: Tape, _ members: Range<Int>, _ known: KnownMembers, _ id: UnsafeRawBufferPointer, _ type: FeatureType,
        fillsType: Bool
    ) -> Int {
        var idOffset = 0
        let properties: ReferencePosition = type == .address ? .nowhere : .properties
        var next = 0
        self.writer.begin()
        for number in members {
            let member = self.writer.member(number)
            let key = tape.utf8(of: member.key)
            let kind = KnownMember(key)
            // Missing members are inserted at their canonical positions.
            while let missing = KnownMember(rawValue: next), missing.precedes(key, kind) {
                if missing == .id { idOffset = self.writeMember(id: id) } else { self.write(missing, type) }
                next += 1
            }
            if kind != nil { next += 1 }
            self.writer.write(key: member.key, tape)
            switch kind {
            case .id:
                idOffset = self.writer.length + 1  // after the quotation mark
                self.writer.write(id: id)
            case .featureType where fillsType: self.writer.write(string: type.rawValue)
            case .properties: self.writer.write(tape, at: member.value, position: properties)
            default: self.writer.write(tape, at: member.value)
            }
            self.writer.separate()
        }
        while let missing = KnownMember(rawValue: next) {
            if missing == .id { idOffset = self.writeMember(id: id) } else { self.write(missing, type) }
            next += 1
        }
        self.writer.end(isEmpty: false)
        return idOffset
    }

    /// Writes the missing member `id`, and returns the offset of the id.
    private mutating func writeMember(id: UnsafeRawBufferPointer) -> Int {
        self.writer.write(verbatim: "\"id\":")
        let offset = self.writer.length + 1  // after the quotation mark
        self.writer.write(id: id)
        self.writer.separate()
        return offset
    }

    /// Writes a default for a missing member.
    private mutating func write(_ missing: KnownMember, _ type: FeatureType) {
        switch missing {
        case .featureType:
            self.writer.write(verbatim: "\"feature_type\":")
            self.writer.write(string: type.rawValue)
        case .geometry: self.writer.write(verbatim: "\"geometry\":null")
        case .properties: self.writer.write(verbatim: "\"properties\":{}")
        case .type: self.writer.write(verbatim: "\"type\":\"Feature\"")
        case .id: return
        }
        self.writer.separate()
    }

    private mutating func noteDeviations(_ known: KnownMembers, _ tape: Tape, _ name: FeatureName, hasType: Bool) {
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
        if name.id?.isRandom == false { self.fileFindings.note(.otherVersion, in: name) }
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
