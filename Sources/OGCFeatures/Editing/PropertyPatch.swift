import IMDF
import IMDFArchive

/// Columns of one feature on the way back to its properties.
struct PropertyPatch {
    private let properties: JSONObject
    private let level: FeatureID?
    /// Whether the feature is added.
    private let isNew: Bool
    private let type: FeatureType
    private let language: String?
    /// The columns that the client was shown.
    private let shown: JSONObject

    init(_ properties: JSONObject, on level: FeatureID?, isNew: Bool, _ patch: ColumnPatch) {
        (self.properties, self.level, self.isNew) = (properties, level, isNew)
        (self.type, self.language) = (patch.type, patch.language)
        self.shown = FeatureColumns.properties(
            properties, type: patch.type, level: level, columns: [], language: patch.language)
    }

    /// The merge patch of the properties.
    func patch(_ columns: JSONObject) throws(InvalidColumn) -> JSONObject {
        var patch: JSONObject = [:]
        var labels: [String: [(language: String, value: JSONValue)]] = [:]
        for column in columns.members {
            if let (label, language) = self.language(of: column.key) {
                labels[label, default: []].append((language, column.value))
            } else if FeatureColumns.labels.contains(column.key) {
                labels[column.key, default: []] += []
            } else if FeatureColumns.displayPoint.contains(column.key), self.properties[column.key] == nil {
                continue
            } else if let value = try self.value(of: column) {
                patch[column.key] = .some(value)
            }
        }
        for (label, languages) in labels {
            if let value = try self.label(label, columns[label], languages) { patch[label] = .some(value) }
        }
        if let point = try self.displayPoint(columns) { patch["display_point"] = .some(point) }
        return patch
    }

    /// The columns of a feature that replaces this one: those that it does not have are null.
    func completed(_ columns: JSONObject) -> JSONObject {
        var parts = Dictionary(grouping: self.shown.members.map(\.key)) { self.language(of: $0)?.label }
        parts["display_point"] = self.shown.members.map(\.key).filter { FeatureColumns.displayPoint.contains($0) }
        let missing = self.properties.members.map(\.key).filter { columns[$0] == nil }.flatMap { property in
            let parts = parts[property] ?? []
            return parts.contains { columns[$0] != nil } ? parts.filter { columns[$0] == nil } : [property]
        }
        var completed = JSONObject(columns.members + missing.map { .init(key: $0, value: .null) })
        for label in FeatureColumns.labels where completed[label]?.string != nil {
            let languages = parts[label] ?? []
            // A client that knows nothing of languages sends the text alone.
            guard languages.contains(where: { completed[$0] != nil }) else { continue }
            for column in languages where completed[column] == nil { completed[column] = .some(.null) }
        }
        for property in self.properties.members {
            guard let new = completed[property.key], new.object != nil else { continue }
            completed[property.key] = .some(MergePatch.turning(property.value, into: new))
        }
        return completed
    }

    /// The label and the language of a column such as `name_en`. Nil for a property of that name.
    private func language(of column: String) -> (label: String, language: String)? {
        guard self.properties[column] == nil else { return nil }
        for label in FeatureColumns.labels where column.hasPrefix("\(label)_") {
            let language = String(column.dropFirst(label.count + 1))
            if FeatureColumns.isLanguageTag(language) { return (label, language) }
        }
        return nil
    }

    /// What becomes of a property that is no label. Nil if nothing does.
    private func value(of column: JSONObject.Member) throws(InvalidColumn) -> JSONValue? {
        let (name, value) = (column.key, column.value)
        let stored = self.properties[name]
        if stored == nil, name == "feature_type" {
            guard value.isNull || value == .string(self.type.rawValue) else {
                throw .column(name, "The type of a feature is that of its collection.")
            }
            return .none
        }
        if stored == nil, name == "level_id" {
            if value.isNull || value == self.shown[name] { return .none }
            if self.isNew { return value }
            throw .column(name, "The level follows from what the feature refers to.")
        }
        guard let text = value.string, self.isStructure(stored) || (self.isNew && name == "door") else { return value }
        guard value != self.shown[name] else { return .none }
        // Escapes within the text stand for characters that the reader of the request has not seen.
        let reader = JSONReader(boundsMarks: true)
        guard let parsed = try? reader.value(of: Array(text.utf8)), parsed.object != nil || parsed.array != nil else {
            let marks = "at most \(CombiningMarks.most) combining marks in a row"
            throw .column(name, "The text must be a JSON object or list, with \(marks).")
        }
        return MergePatch.turning(stored ?? .null, into: parsed)
    }

    /// Whether a property is shown as JSON text.
    private func isStructure(_ value: JSONValue?) -> Bool {
        if let elements = value?.array { return elements.contains { $0.object != nil || $0.array != nil } }
        return value?.object != nil
    }

    // MARK: - Labels

    private func label(
        _ name: String, _ whole: JSONValue?, _ languages: [(language: String, value: JSONValue)]
    ) throws(InvalidColumn) -> JSONValue? {
        if let stored = self.properties[name], !stored.isNull, stored.object == nil {
            guard languages.allSatisfy(\.value.isNull) else {
                throw .column("\(name)_\(languages[0].language)", "“\(name)” has no languages.")
            }
            return whole
        }
        var texts = try self.texts(name, languages)
        switch whole {
        case .none: break
        case .object:
            guard texts.members.isEmpty else { throw .column(name, "It is sent as an object and as columns.") }
            return whole
        case .null:
            guard !(self.shown[name] ?? .null).isNull else { break }
            guard texts.members.allSatisfy(\.value.isNull) else {
                throw .column(name, "It is removed, although a language of it is set.")
            }
            return .null
        case .string(let text)? where whole != self.shown[name]:
            guard let key = self.key(of: name) else {
                throw .column(name, "The venue has no language. Send “\(name)_” with the tag of a language.")
            }
            guard texts[key].map({ $0.isNull || $0 == .string(text) }) ?? true else {
                throw .column(name, "It contradicts “\(name)_\(key.lowercased())”.")
            }
            texts[key] = .string(text)
        case .string: break
        default: throw .column(name, "A text is expected.")
        }
        guard !texts.members.isEmpty else { return .none }
        guard case .object(let result) = MergePatch.apply(.object(texts), to: self.properties[name]) else {
            return .none
        }
        return result.members.isEmpty ? .null : .object(texts)
    }

    /// The languages of a label that are changed.
    private func texts(
        _ name: String, _ languages: [(language: String, value: JSONValue)]
    ) throws(InvalidColumn) -> JSONObject {
        let stored = self.properties[name]?.object ?? [:]
        var texts: JSONObject = [:]
        for (language, value) in languages {
            let key = stored.members.first { $0.key.lowercased() == language.lowercased() }?.key ?? language
            guard value.isNull || value.string != nil else {
                throw .column("\(name)_\(language)", "A text is expected.")
            }
            let old = stored[key] ?? .null
            if value != (old.string == nil ? .null : old) { texts[key] = .some(value) }
        }
        return texts
    }

    /// The key of the text that a label is shown with, or else the language of the venue.
    private func key(of label: String) -> String? {
        let stored = self.properties[label]?.object?.members ?? []
        let shown = stored.filter { $0.value == self.shown[label] && $0.value.string != nil }.map(\.key)
        return shown.first { $0.lowercased() == self.language?.lowercased() } ?? shown.first
            ?? stored.first { $0.key.lowercased() == self.language?.lowercased() }?.key ?? self.language
    }

    // MARK: - Display point

    private func displayPoint(_ columns: JSONObject) throws(InvalidColumn) -> JSONValue? {
        let names = FeatureColumns.displayPoint
        let sent = names.filter { columns[$0] != nil && self.properties[$0] == nil }
        guard !sent.isEmpty, columns["display_point"]?.object == nil else { return .none }
        let values = names.map { columns[$0] ?? self.shown[$0] ?? .null }
        guard values != names.map({ self.shown[$0] ?? .null }) else { return .none }
        if values.allSatisfy(\.isNull) { return .null }
        guard values.allSatisfy({ $0.number != nil }) else {
            throw .column(sent[0], "A display point has a longitude and a latitude.")
        }
        return ["type": "Point", "coordinates": .array(values)]
    }
}
