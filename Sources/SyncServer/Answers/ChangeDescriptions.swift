import Foundation
import Hummingbird
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// Tells the facts of a revision as sentences in the reader's language.
struct ChangeDescriptions {
    let store: RevisionStore
    let language: String

    func words(of facts: [Fact], in venue: VenueRecord, at number: Int64) async throws -> [String] {
        try await self.words(of: [(facts, number)], in: venue)[0]
    }

    /// The words of several revisions: the names of all levels are read in one statement.
    ///
    /// - Parameter revisions: the newest first; at least one.
    func words(of revisions: [(facts: [Fact], number: Int64)], in venue: VenueRecord) async throws -> [[String]] {
        var wanted: [(id: FeatureID, revision: Int64)] = []
        for (facts, number) in revisions { wanted += ChangeDescription.namedLevels(in: facts).map { ($0, number) } }
        let names = try await self.names(of: wanted, in: venue, since: revisions.last?.number ?? 0)
        return revisions.map { facts, number in
            ChangeDescription.words(of: facts, language: self.language) { names[NamedLevel(id: $0, revision: number)] }
        }
    }

    /// What a staged upload would change, with the levels called what they would be called.
    func words(of difference: StagedDifference, in venue: VenueRecord) async throws -> [String] {
        guard let text = difference.facts else { return [] }
        let facts = try WireJSON.value([Fact].self, from: Data(text.utf8))
        let base = difference.base
        // The base may have been pruned meanwhile: then levels that stay as they are have no name to be told.
        var names: [NamedLevel: String] = [:]
        if base > 0 {
            do {
                let wanted = ChangeDescription.namedLevels(in: facts).map { (id: $0, revision: base) }
                names = try await self.names(of: wanted, in: venue, since: base)
            } catch StoreError.revisionPruned {}
        }
        for level in difference.levels {
            names[NamedLevel(id: level.id, revision: base)] = self.name(in: level.body)
        }
        return ChangeDescription.words(of: facts, language: self.language) { names[NamedLevel(id: $0, revision: base)] }
    }

    /// The upload with its changes in words, where it has any to tell.
    func told(_ upload: Upload) async throws -> Upload {
        var upload = upload
        switch (upload.state, upload.revision) {
        case (.published, let number?):
            guard let venue = try? await self.store.venue(upload.venue),
                let entry = try? await self.store.logEntry(number, of: venue)
            else { return upload }  // deleted or pruned meanwhile
            upload.changes?.words = (try? await self.words(of: entry.facts(), in: venue, at: number)) ?? []
        case (.staged, _):
            guard let id = FeatureID(upload.id), let venue = try? await self.store.venue(upload.venue),
                let difference = try? await self.store.stagedDifference(of: id)
            else { return upload }  // decided meanwhile
            upload.changes?.words = try await self.words(of: difference, in: venue)
        case (.unchanged, _):
            upload.changes?.words = ChangeDescription.words(of: [], language: self.language) { _ in nil }
        default: break
        }
        return upload
    }

    private struct NamedLevel: Hashable {
        let id: FeatureID
        let revision: Int64
    }

    /// What levels are called at revisions of which none is older than `oldest`.
    private func names(
        of levels: [(id: FeatureID, revision: Int64)], in venue: VenueRecord, since oldest: Int64
    ) async throws -> [NamedLevel: String] {
        guard !levels.isEmpty else { return [:] }
        var names: [NamedLevel: String] = [:]
        try await self.store.levelBodies(levels, of: venue, since: oldest) { indices, body in
            let name = self.name(in: body)
            for level in indices.map({ levels[$0] }) {
                names[NamedLevel(id: level.id, revision: level.revision)] = name
            }
        }
        return names
    }

    /// What a level is called: short name, else name.
    private func name(in body: [UInt8]) -> String? {
        let properties = (try? JSONReader.value(of: body))?["properties"]
        return ["short_name", "name"].lazy.compactMap { Labels(properties?[$0])?.text(for: [self.language]) }.first
            .map(NameExcerpt.quoted)
    }
}

extension RevisionStore.LogEntry {
    /// What the sentences are made of. Of more than is worth reading they just tell how much there is.
    func facts() throws -> [Fact] {
        guard let facts else {
            let changes = self.revision.changes
            return [
                Fact(fact: "feature.changed", count: changes.added + changes.changed + changes.removed, levelID: nil)
            ]
        }
        return try WireJSON.value([Fact].self, from: Data(facts.utf8))
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
