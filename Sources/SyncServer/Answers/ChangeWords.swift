import Foundation
import Hummingbird
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// Tells the facts of a revision as sentences in the reader's language.
struct ChangeWords {
    let store: RevisionStore
    let language: String

    func words(of facts: [Fact], in venue: VenueRecord, at number: Int64) async throws -> [String] {
        let names = facts.contains { $0.levelID != nil } ? try await self.levelNames(of: venue, at: number) : [:]
        return Words.words(of: facts, language: self.language) { names[$0] }
    }

    func words(of facts: String, in venue: VenueRecord, at number: Int64) async throws -> [String] {
        let facts = try WireJSON.value([Fact].self, from: Data(facts.utf8))
        return try await self.words(of: facts, in: venue, at: number)
    }

    /// What a staged upload would change, with the levels called what they would be called.
    func words(of difference: StagedDifference, in venue: VenueRecord) async throws -> [String] {
        let facts = try WireJSON.value([Fact].self, from: Data(difference.facts.utf8))
        // The base may have been pruned meanwhile: then levels that stay as they are have no name to be told.
        var names: [FeatureID: String] = [:]
        if difference.base > 0 {
            do {
                names = try await self.levelNames(of: venue, at: difference.base)
            } catch StoreError.revisionPruned {}
        }
        names.merge(self.names(of: difference.levels)) { $1 }
        return Words.words(of: facts, language: self.language) { names[$0] }
    }

    /// The upload with its changes in words, where it has any to tell.
    func told(_ upload: Upload) async throws -> Upload {
        var upload = upload
        switch (upload.state, upload.revision) {
        case (.published, let number?):
            guard let venue = try? await self.store.venue(upload.venue),
                let entry = try? await self.store.logEntry(number, of: venue)
            else { return upload }  // deleted or pruned meanwhile
            upload.changes?.words = (try? await self.words(of: entry.facts, in: venue, at: number)) ?? []
        case (.staged, _):
            guard let id = FeatureID(upload.id), let venue = try? await self.store.venue(upload.venue),
                let difference = try? await self.store.stagedDifference(of: id)
            else { return upload }  // decided meanwhile
            upload.changes?.words = try await self.words(of: difference, in: venue)
        case (.unchanged, _):
            upload.changes?.words = Words.words(of: [], language: self.language) { _ in nil }
        default: break
        }
        return upload
    }

    /// What the levels of a revision are called: short name, else name.
    func levelNames(of venue: VenueRecord, at number: Int64) async throws -> [FeatureID: String] {
        self.names(of: try await self.store.levelFeatures(of: venue, at: number))
    }

    private func names(of levels: [FeatureRecord]) -> [FeatureID: String] {
        levels.reduce(into: [:]) { names, level in
            let properties = (try? JSONReader.value(of: level.body))?["properties"]
            for member in ["short_name", "name"] where names[level.id] == nil {
                names[level.id] = Labels(properties?[member])?.text(for: [self.language])
            }
        }
    }
}

extension Request {
    /// The language of those we can write that the reader likes best (`Accept-Language`, RFC 9110 §12.5.4).
    var preferredLanguage: String {
        let wishes = (self.headers[.acceptLanguage] ?? "").split(separator: ",").map {
            wish -> (tag: String, weight: Double) in
            let parts = wish.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (parts.first.map { $0.lowercased() } ?? "", weight)
        }
        func weight(of language: String) -> Double {
            wishes.filter { $0.tag == language || $0.tag.hasPrefix("\(language)-") }.map(\.weight).max() ?? 0
        }
        return weight(of: "ja") > weight(of: "en") ? "ja" : "en"
    }

    /// The address of this request with other values for some parameters: where the next page is.
    func address(with changes: [String: String], at path: String) -> String {
        let kept = self.uri.queryParameters.filter { changes[String($0.key)] == nil }
            .map { (String($0.key), String($0.value)) }
        let query = (kept + changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            .map { "\(Self.escaped($0.0))=\(Self.escaped($0.1))" }
        return "\(path)?\(query.joined(separator: "&"))"
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~:"))) ?? ""
    }
}
