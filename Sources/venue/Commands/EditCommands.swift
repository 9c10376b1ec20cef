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
            name=value sets a property to a text, name.ja=value one language of a label, name=null removes it. name:=value takes
            JSON, and geometry:=value the whole geometry. Later uploads respect the change: venue overrides lists it.
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id.")
    var feature: FeatureID

    @Argument(help: "name=value, name.language=value or name:=JSON.")
    var values: [String]

    @OptionGroup var options: EditOptions

    func validate() throws {
        guard !self.values.isEmpty, self.patch != nil else {
            throw ValidationError("values are written name=value, name.language=value or name:=JSON")
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
        let edit: JSONValue = ["feature": .string(self.feature.description), "patch": self.patch ?? .null]
        try await self.reportingErrors { try await self.options.send(edit, to: self.venue) }
    }
}

/// `venue hide mall FEATURE`
struct HideFeature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide a feature, until it is shown again.",
        discussion: "Later uploads do not bring it back. Features that refer to it are hidden with it, if asked for.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id.")
    var feature: FeatureID

    @Flag(help: "Also hide the features that refer to it. Without it, they are listed and nothing is hidden.")
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
        commandName: "show", abstract: "Show a hidden feature again, as the source has it.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id.")
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
        commandName: "add", abstract: "Add a feature that the source does not have.",
        discussion: "When the source brings it itself, the source's feature takes its place.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "A GeoJSON file with one feature. Without an id it gets a new one.", completion: .file())
    var file: String

    @OptionGroup var options: EditOptions

    func run() async throws {
        try await self.reportingErrors {
            let data = try Data(contentsOf: URL(fileURLWithPath: self.file))
            guard var feature = try JSONReader.value(of: Array(data)).object else {
                throw Failure(.usage, "\(self.file) does not contain a feature")
            }
            if feature["id"] == nil { feature["id"] = .string(FeatureID.random().description) }
            try await self.options.send(["add": .object(feature)], to: self.venue)
        }
    }
}
