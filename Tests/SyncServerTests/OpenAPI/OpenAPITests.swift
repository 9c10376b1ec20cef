import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The OpenAPI document compared with the server.
@Suite(.database)
struct OpenAPITests {
    @Test func `OpenAPI document is public and cacheable`() async throws {
        try await Harness.run { harness in
            let response = try await harness.send(.get, "/openapi.yaml", key: nil)
            #expect(response.status == .ok && response.headers[.contentType] == "application/yaml")
            #expect(response.text.hasPrefix("openapi: 3.1."))
            #expect(try await OpenAPIDocument(servedTo: harness).root["info"]?["version"]?.string == Release.version)
            #expect(response.parts(of: .cacheControl) == ["public", "max-age=3600"])
            let tag = try #require(response.headers[.eTag])
            let again = try await harness.send(.get, "/openapi.yaml", key: nil, headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.data.isEmpty)
        }
    }

    @Test func `OpenAPI document has exactly the routes of the server`() async throws {
        try await Harness.run { harness in
            let document = try await OpenAPIDocument(servedTo: harness)
            let router = SyncApplication(readModel: ReadModel(store: harness.store), settings: ServerSettings())
                .router()
            // The console is a page for browsers and not part of the API, as the document states.
            let routes = Set(
                router.routes.filter { $0.method != .head }.map { "\($0.method) \($0.path)" }
                    .filter { $0 != "GET /" && !$0.hasPrefix("GET /console/") && !$0.hasPrefix("GET /embed/") })
            #expect(Set(document.operations.map(\.name)).symmetricDifference(routes).sorted() == [])
        }
    }

    @Test func `OpenAPI document describes every path parameter and has no broken reference`() async throws {
        try await Harness.run { harness in
            let document = try await OpenAPIDocument(servedTo: harness)
            for operation in document.operations {
                let named = operation.parameters.filter { $0["in"] == "path" && $0["required"] == true }
                    .compactMap { $0["name"]?.string }
                let there = operation.path.matches(of: /{(\w+)}/).map { String($0.output.1) }
                #expect(Set(named) == Set(there), "\(operation.name)")
            }
            let ids = document.operations.compactMap { $0.content["operationId"]?.string }
            #expect(Set(ids).count == document.operations.count)
            let references = Self.references(in: document.root)
            #expect(references.filter { document.target(of: $0) == nil }.sorted() == [])
            let parts = ["schemas", "parameters", "headers", "responses"].flatMap { kind in
                (document.root["components"]?[kind]?.keys ?? []).map { "#/components/\(kind)/\($0)" }
            }
            #expect(Set(parts).subtracting(references).sorted() == [], "nothing leads there")
        }
    }

    private static func references(in value: JSONValue) -> Set<String> {
        var found: Set<String> = value["$ref"]?.string.map { [$0] } ?? []
        for member in value.object?.members ?? [] { found.formUnion(Self.references(in: member.value)) }
        for item in value.array ?? [] { found.formUnion(Self.references(in: item)) }
        return found
    }

    /// Statuses that the story does not produce: they need an hour, or a venue that is deleted during the request.
    static let unvisited: Set = [
        "POST /venues/{venue}/uploads 409", "POST /venues/{venue}/uploads 410", "GET /uploads/{id}/changes 410",
        "PATCH /venues/{venue} 409", "DELETE /venues/{venue} 409", "POST /venues/{venue}/prune 409",
        "POST /venues/{venue}/epoch 409",
    ]

    /// Statuses of almost every operation, which have their own tests.
    static let general: Set = ["408", "429"]

    @Test func `OpenAPI document describes every response of a long story`() async throws {
        try await Harness.run(
            store: TestDatabase.current.store(signing: .random()), largestArchive: 1 << 20
        ) { harness in
            let document = try await OpenAPIDocument(servedTo: harness)
            let recorder = Recorder(harness.client)
            try await OpenAPIStory(harness: Harness(server: harness.server, client: recorder), document: document).run()

            var visited: Set<String> = []
            for exchange in recorder.exchanges {
                let faults = document.faults(in: exchange)
                #expect(faults.isEmpty, "\(exchange.name): \(faults.prefix(5).joined(separator: "; "))")
                guard let operation = document.operation(exchange.method.rawValue, exchange.path) else { continue }
                let response = document.response(operation, exchange.response.status.code)
                visited.insert("\(operation.name) \(response?.name ?? "")")
            }
            let described = document.operations.flatMap { operation in
                operation.responses.filter { !$0.hasPrefix("5") && !Self.general.contains($0) }.map {
                    "\(operation.name) \($0)"
                }
            }
            #expect(Set(described).subtracting(visited).subtracting(Self.unvisited).sorted() == [], "never visited")
        }
    }

    @Test func `OpenAPI checker finds violations`() throws {
        let document = try OpenAPIDocument(
            yaml: """
                paths: {}
                components: {schemas: {Level: {type: [string, 'null'], pattern: '^[0-9]$'}}}
                """)
        let schema: JSONValue = [
            "type": "object", "required": ["id"],
            "properties": ["id": ["$ref": "#/components/schemas/Level"], "many": ["items": ["enum": ["a", "b"]]]],
        ]
        let check = SchemaCheck(document: document)
        for right in [["id": "1"], ["id": nil, "many": ["b", "a"]]] as [JSONValue] {
            #expect(check.faults(of: right, in: schema) == [])
        }
        for wrong in [[:], [], ["id": 1], ["id": "x"], ["id": "1", "many": ["c"]], ["id": "1", "other": 1]]
            as [JSONValue]
        {
            #expect(check.faults(of: wrong, in: schema).count == 1, "\(wrong)")
        }
        #expect(check.faults(of: 1, in: ["unheardOf": 1]).count == 1)
        #expect(check.faults(of: ["a": 1, "b": 2], in: ["allOf": [["properties": ["a": [:]]]]]).count == 1)
    }
}
