import ArgumentParser
import Foundation
import IMDF
import IMDFArchive
import SyncModel

/// `venue edit mall FEATURE name.ja=靴 hours="Mo-Su 10:00-20:00"`
struct EditFeature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change properties of a feature without an archive.",
        discussion: """
            hours=VALUE sets a property to a text, and name.ja=VALUE sets one language of a label. name=VALUE sets a label in the language
            of the venue, and keeps its other languages. name=null removes a property. name:=JSON sets a property to a JSON value, and
            geometry:=JSON replaces the geometry. Later uploads respect the edit; “venue overrides” lists it. The server refuses an edit
            that would cause an error of the rule book, unless you add --force.
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id, a UUID. “venue find FILE TEXT --json” prints ids.")
    var feature: FeatureID

    @Argument(help: "The new values, each as name=value, name.language=value or name:=JSON.")
    var values: [String]

    @OptionGroup var options: EditOptions

    func validate() throws {
        guard !self.values.isEmpty, self.patch != nil else {
            throw ValidationError("write each value as name=value, name.language=value or name:=JSON")
        }
        try self.options.validate()
    }

    /// The merge patch; nil if a value cannot be read.
    private var patch: JSONValue? {
        var feature: JSONObject = [:]
        var properties: JSONObject = [:]
        for text in self.values {
            guard let (path, value) = Self.assignment(text) else { return .none }
            if path == ["geometry"] {
                feature["geometry"] = value
            } else if path.count == 1 {
                properties[path[0]] = value
            } else {
                var texts = properties[path[0]]?.object ?? [:]
                texts[path[1]] = value
                properties[path[0]] = .object(texts)
            }
        }
        if !properties.members.isEmpty { feature["properties"] = .object(properties) }
        return .object(feature)
    }

    private static func assignment(_ text: String) -> (path: [String], value: JSONValue)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let isJSON = text[..<equals].hasSuffix(":")
        let path = text[..<equals].dropLast(isJSON ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard !path.isEmpty, path.allSatisfy({ !$0.isEmpty }) else { return nil }
        let value = String(text[text.index(after: equals)...])
        if isJSON { return (try? JSONReader.value(of: Array(value.utf8))).map { (path, $0) } }
        return (path, value == "null" ? .null : .string(value))
    }

    func run() async throws {
        try await self.reportingErrors {
            var patch = self.patch?.object ?? [:]
            var note: String?
            let labels = self.plainLabels
            if !labels.isEmpty {
                let tags = try await LabelTags(
                    of: self.feature, in: self.venue, at: try await ServerConnection.load())
                var properties = patch["properties"]?.object ?? [:]
                for (label, text) in labels {
                    properties[label] = .object([try tags.tag(of: label): .string(text)])
                }
                patch["properties"] = .object(properties)
                note = try tags.note(about: labels[0].label)
            }
            let edit: JSONValue = ["feature": .string(self.feature.description), "patch": .object(patch)]
            try await self.options.send(edit, to: self.venue, note: note)
        }
    }

    /// Labels for which a text without a language is given.
    private var plainLabels: [(label: String, text: String)] {
        (self.patch?["properties"]?.object?.members ?? []).compactMap { member in
            guard LabelTags.labels.contains(member.key), let text = member.value.string,
                self.values.contains(where: { $0.hasPrefix("\(member.key)=") })
            else { return nil }
            return (member.key, text)
        }
    }
}

/// The language tags of a feature's labels, of which one is set where an operator gives no language.
private struct LabelTags {
    static let labels = ["name", "alt_name", "short_name"]

    private let venue: VenueKey
    /// Of the venue.
    private let language: String?
    private let properties: JSONObject

    init(of feature: FeatureID, in venue: VenueKey, at server: ServerConnection) async throws {
        self.venue = venue
        self.language = try await server.get(Venue.self, "/venues/\(venue)").about.language
        let body = try await server.get(JSONValue.self, "/venues/\(venue)/features/\(feature)")
        self.properties = body["properties"]?.object ?? [:]
    }

    /// The tag in the label that stands for the language of the venue, such as `ja` for `ja-JP`; a new one if there is none.
    func tag(of label: String) throws -> String {
        let tags = self.properties[label]?.object?.members.map(\.key) ?? []
        guard let language else {
            if tags.count == 1 { return tags[0] }
            throw Failure(
                .usage, "\(self.venue) has no language. Add the language of the text, such as \(label).en=…")
        }
        return LabelLanguage(language).ownIndex(among: tags.map(LabelLanguage.init)).map { tags[$0] }
            ?? language.replacing("_", with: "-")
    }

    func note(about label: String) throws -> String {
        let tag = try self.tag(of: label)
        let others = (self.properties[label]?.object?.members.map(\.key) ?? []).filter { $0 != tag }
        let kept = others.isEmpty ? "" : ", and keeps \(others.joined(separator: ", "))"
        return "“\(label)=” sets the language of \(self.venue), “\(tag)”\(kept). To set another language: \(label).fr=…"
    }
}

/// `venue hide mall FEATURE`
struct HideFeature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide a feature until you show it again.",
        discussion:
            "Later uploads do not bring the feature back. If other features refer to it, --with-dependents hides them, too."
    )

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id, a UUID. “venue find FILE TEXT --json” prints ids.")
    var feature: FeatureID

    @Flag(
        help:
            "Also hide the features that refer to this one. Without this option, the command lists them and hides nothing."
    )
    var withDependents = false

    @OptionGroup var options: EditOptions

    func run() async throws {
        var edit: JSONObject = ["hide": .string(self.feature.description)]
        if self.withDependents { edit["dependents"] = "hide" }
        try await self.reportingErrors { try await self.options.send(.object(edit), to: self.venue) }
    }
}

/// `venue show mall FEATURE`
struct ShowFeature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a hidden feature again, with the values of the source.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id, a UUID. “venue find FILE TEXT --json” prints ids.")
    var feature: FeatureID

    @OptionGroup var options: EditOptions

    func run() async throws {
        let edit: JSONValue = ["show": .string(self.feature.description)]
        try await self.reportingErrors { try await self.options.send(edit, to: self.venue) }
    }
}

/// `venue add mall feature.json`
struct AddFeature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a feature that the archives of the venue do not contain.",
        discussion: "When a later archive contains the feature, that one replaces the added one.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "A GeoJSON file with one feature. A feature without an id gets a new one.", completion: .file())
    var file: String

    @OptionGroup var options: EditOptions

    func run() async throws {
        try await self.reportingErrors {
            let data = try Data(contentsOf: URL(fileURLWithPath: self.file))
            guard var feature = try? JSONReader.value(of: Array(data)).object else {
                throw Failure(
                    .usage,
                    "\(self.file) is not a GeoJSON feature. Expected an object with geometry and properties")
            }
            if feature["id"] == nil { feature["id"] = .string(FeatureID.random().description) }
            try await self.options.send(["add": .object(feature)], to: self.venue)
        }
    }
}
