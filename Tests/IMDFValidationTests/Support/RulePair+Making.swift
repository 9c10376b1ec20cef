import Foundation
import IMDF
import IMDFArchive
import SampleVenue

// Short forms for what most pairs do.
extension RulePair {
    /// Sets a property of the first feature of a type, once to what the rule forbids and once to what it just allows; `.none`
    /// leaves it as it is.
    static func value(
        _ rule: String, _ severity: Finding.Severity? = nil, along consequences: Set<String> = [],
        of type: FeatureType, where condition: @escaping @Sendable (SampleFeature) -> Bool = { _ in true },
        _ property: String, breaks: JSONValue, keeps: JSONValue?
    ) -> RulePair {
        RulePair(rule, "\(type.rawValue).\(property) \(Self.text(breaks))", severity, along: consequences) { archive in
            try archive.edit(type, where: condition) { $0[property] = breaks }
        } keeps: { archive in
            try archive.edit(type, where: condition) { if let keeps { $0[property] = keeps } }
        }
    }

    /// Sets a member of the manifest.
    static func member(
        _ rule: String, _ severity: Finding.Severity? = nil, along consequences: Set<String> = [], named member: String,
        breaks: JSONValue, keeps: JSONValue
    ) -> RulePair {
        RulePair(rule, "\(member) \(Self.text(breaks))", severity, along: consequences) { archive in
            archive.venue.manifest[member] = breaks
        } keeps: { archive in
            archive.venue.manifest[member] = keeps
        }
    }

    /// Replaces the first occurrence of a text in a file.
    static func file(
        _ rule: String, _ severity: Finding.Severity? = nil, along consequences: Set<String> = [], in name: String,
        replace text: String, breaks: String, keeps: String
    ) -> RulePair {
        RulePair(rule, "\(name) with \(breaks.prefix(40))", severity, along: consequences) { archive in
            archive.replace(text, by: breaks, in: name)
        } keeps: { archive in
            archive.replace(text, by: keeps, in: name)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(String(decoding: CanonicalJSON.data(value), as: UTF8.self).prefix(40))
    }
}

extension TestArchive {
    mutating func replace(_ text: String, by other: String, in name: String) {
        self.editFiles = { files in
            guard let index = files.firstIndex(where: { $0.name == name }) else { return }
            let content = String(decoding: files[index].content, as: UTF8.self)
            guard let range = content.firstRange(of: text) else { return }
            files[index].content = Array(content.replacingCharacters(in: range, with: other).utf8)
        }
    }

    mutating func add(file name: String, _ content: String) {
        self.editFiles = { $0.append(ArchiveFile(name: name, content: Array(content.utf8))) }
    }

    /// Adds a feature like another one, under an id of its own.
    @discardableResult
    mutating func copy(_ feature: SampleFeature, _ edit: (inout SampleFeature) -> Void = { _ in }) -> SampleFeature {
        var random = SplitMix64(seed: UInt64(self.venue.features.count))
        var copy = feature
        copy.id = .random(using: &random)
        edit(&copy)
        self.venue.features.append(copy)
        return copy
    }

    mutating func remove(_ type: FeatureType, where condition: (SampleFeature) -> Bool = { _ in true }) {
        self.venue.features.removeAll { $0.type == type && condition($0) }
    }
}

extension FeatureID {
    /// An id that no feature has.
    static let unknown = FeatureID("7d9f0a52-6f0e-4d3b-9a38-0d6b9a0f3c11")!

    var json: JSONValue { .string(self.description) }
}
