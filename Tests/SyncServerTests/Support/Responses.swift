import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import Ingestion
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

extension TestResponse {
    /// The body as JSON, which distinguishes absent members from null.
    var json: JSONValue { get throws { try JSONReader.value(of: Array(self.data)) } }

    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireJSON.value(type, from: self.data) }

    var changeSet: ChangeSet { get throws { try ChangeSet(json: Array(self.data)) } }

    /// The canonical bodies of a FeatureCollection.
    var features: [[UInt8]] {
        get throws {
            let document = try self.json
            #expect(document["type"] == "FeatureCollection")
            return try #require(document["features"]?.array).map { CanonicalJSON.data($0) }
        }
    }

    /// The elements of a list header such as `Cache-Control` or `Vary`, in lowercase.
    func parts(of name: HTTPField.Name) -> Set<String> {
        let parts = self.headers[values: name].flatMap { $0.split(separator: ",") }
        return Set(parts.map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
    }

    /// Checks that the request was refused with a valid problem document, and returns it.
    @discardableResult
    func problem(
        _ status: Int, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Problem {
        #expect(self.status.code == status, "\(comment) \(self.text)", sourceLocation: sourceLocation)
        #expect(
            self.headers[.contentType]?.hasPrefix("application/problem+json") == true, sourceLocation: sourceLocation)
        #expect(self.parts(of: .cacheControl).contains("no-store"), sourceLocation: sourceLocation)
        let problem = try self.decoded(Problem.self)
        #expect(problem.status == status && !problem.title.isEmpty, sourceLocation: sourceLocation)
        #expect(problem.type.hasPrefix("/problems/"), sourceLocation: sourceLocation)
        return problem
    }
}

extension JSONValue {
    /// The keys of an object's members.
    var keys: Set<String> { Set(self.object?.members.map(\.key) ?? []) }

    /// An element of an array; nil if there is none.
    subscript(index: Int) -> JSONValue? {
        guard let elements = self.array, elements.indices.contains(index) else { return .none }
        return elements[index]
    }
}

extension Harness {
    /// A request with a JSON body.
    func send(
        _ method: HTTPRequest.Method, _ path: String, json: JSONValue, key: String? = Self.adminKey,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await self.send(
            method, path, key: key, type: "application/json", body: CanonicalJSON.data(json), headers: headers)
    }

    /// Uploads an archive and leaves it in the queue.
    func upload(
        _ archive: [UInt8], to venue: String = "mall", query: String = "", key: String? = Self.adminKey,
        type: String? = "application/zip"
    ) async throws -> TestResponse {
        try await self.send(.post, "/venues/\(venue)/uploads\(query)", key: key, type: type, body: archive)
    }

    func work() async throws {
        while try await self.worker.workOnce() {}
    }

    /// Creates a key and returns its secret.
    func makeKey(_ role: Role, named name: String = "phones", for venues: [String] = ["*"]) async throws -> String {
        let response = try await self.send(
            .post, "/keys",
            json: [
                "name": .string(name), "role": .string(role.rawValue), "venues": .array(venues.map(JSONValue.string)),
            ])
        return try #require(response.json["secret"]?.string, "\(response.status): \(response.text)")
    }

    func set(_ setting: String, to value: JSONValue, of venue: String = "mall") async throws {
        let change = JSONValue.object([setting: value])
        let response = try await self.send(.patch, "/venues/\(venue)", json: change)
        try #require(response.status == .ok, "\(response.text)")
    }

    /// The response to a sync that has to succeed.
    func sync(_ query: String = "", of venue: String = "mall", key: String? = Self.adminKey) async throws -> ChangeSet {
        let response = try await self.send(.get, "/venues/\(venue)/sync?\(query)", key: key)
        try #require(response.status == .ok, "\(response.text)")
        return try response.changeSet
    }

    /// The features of a revision, or of a part of it.
    func features(
        at revision: Int64, _ query: String = "", of venue: String = "mall", key: String? = Self.adminKey
    ) async throws -> [[UInt8]] {
        let path = "/venues/\(venue)/revisions/\(revision)/features?\(query)"
        let response = try await self.send(.get, path, key: key)
        try #require(response.status == .ok, "\(response.text)")
        return try response.features
    }

    func count(_ table: String) async throws -> Int64? {
        try await self.store.pool.query("SELECT count(*) FROM \(raw: table)").decode(Int64.self).first
    }
}
