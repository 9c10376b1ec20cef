import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Requests that are refused.
extension OpenAPIStory {
    private static let nowhere = "00000000-0000-4000-8000-00000000ffff"

    /// An address of an operation that exists as far as possible.
    func path(
        of operation: OpenAPIDocument.Operation, venue: String = "mall", feature: String = nowhere,
        upload: String = nowhere
    ) -> String {
        let id =
            operation.path.hasPrefix("/uploads/") ? upload : operation.path.hasPrefix("/keys/") ? Self.nowhere : feature
        let path = operation.path.replacing("{venue}", with: venue).replacing("{number}", with: "1")
            .replacing("{id}", with: id).replacing("{tile}", with: "0_14_0_0@2x.png")
            .replacing("{file}", with: "light.json").replacing("{fontstack}/{range}", with: "Sans%20JP/0-255")
            .replacing("{type}", with: Self.type(of: feature)).replacing("{floor}", with: "0").replacing(
                "{z}/{x}/{y}", with: "14/0/0.png")
        if operation.path.hasSuffix("/tiles/changes") { return "\(path)?since=1" }
        if operation.path.hasSuffix("/search") { return "\(path)?q=a" }
        // Otherwise the entity tag differs in the next minute.
        if operation.path.hasSuffix("/route") {
            return "\(path)?from=139.7,35.6,0&to=139.7,35.6,0&at=2031-03-10T12:00:00Z"
        }
        if operation.path.hasSuffix("/hours") { return "\(path)?at=2031-03-10T12:00:00Z" }
        return operation.path.hasSuffix("/diff") ? "\(path)?from=1" : path
    }

    /// The type of a feature of the venue; units otherwise.
    private static func type(of feature: String) -> String {
        FeatureID(feature).flatMap { SampleVenue.extended.feature($0)?.type.rawValue } ?? "unit"
    }

    /// A valid body for an operation.
    private func body(of operation: OpenAPIDocument.Operation) -> JSONValue? {
        switch operation.content["operationId"]?.string {
        case "rollBack": ["to": 1, "dry_run": true]
        case "prune": ["keep_revisions": 9]
        case "createTileToken", "createPreviewToken": ["expires_in": 60]
        case "createKey": ["name": "x", "role": "read", "venues": ["*"]]
        case "deleteVenue": ["confirm": "gone"]
        case "publishUpload": ["base": 1]
        case "setVenue": [:]
        case "edit": ["edits": [["revert": .string(Self.nowhere)]]]
        case "resolveOverride": ["take": "mine"]
        default: .none
        }
    }

    private func ask(
        _ operation: OpenAPIDocument.Operation, _ path: String, key: String? = Harness.adminKey, json: JSONValue?,
        expecting status: Int
    ) async throws {
        let method = try #require(HTTPRequest.Method(operation.method))
        if operation.content["operationId"] == "upload" {
            let response = try await self.harness.send(method, path, key: key, type: "application/zip", body: [1])
            #expect(response.status.code == status, "\(operation.name)")
        } else {
            _ = try await self.send(method, path, expecting: status, key: key, json: json)
        }
    }

    /// Provokes every refusal that the document lists for an operation.
    func provokeRefusals(_ cast: Identifiers) async throws {
        for operation in self.document.operations {
            let responses = Set(operation.responses)
            let body = self.body(of: operation)
            let path = self.path(of: operation, feature: cast.feature, upload: cast.published)
            if responses.contains("401") {
                for key in [nil, "vsk_nobody"] {
                    try await self.ask(operation, path, key: key, json: body, expecting: 401)
                }
            }
            if responses.contains("403") {
                let query = operation.content["operationId"] == "getArchive" ? "?overrides=false" : ""
                try await self.ask(operation, path + query, key: cast.reader, json: body, expecting: 403)
            }
            if responses.contains("404") {
                let nowhere = self.path(of: operation, venue: "nowhere")
                let query = operation.content["operationId"] == "upload" ? "?create=false" : ""
                try await self.ask(operation, nowhere + query, json: body, expecting: 404)
            }
            if responses.contains("410"), !["/events", "/sync", "/uploads/{id}/preview"].contains(operation.path),
                !OpenAPITests.unvisited.contains("\(operation.name) 410")
            {
                let gone = self.path(of: operation, venue: "gone", feature: cast.feature, upload: cast.ofGone)
                try await self.ask(operation, gone, json: body, expecting: 410)
            }
            if responses.contains("413") {
                let isLarge =
                    operation.path.hasPrefix("/ogc/")
                    || ["upload", "edit", "editFeature"].contains(operation.content["operationId"]?.string)
                let bytes = isLarge ? 1 << 21 : 1 << 17
                let response = try await self.harness.send(
                    try #require(HTTPRequest.Method(operation.method)), path, type: "application/zip",
                    body: [UInt8](repeating: 0x20, count: bytes))
                #expect(response.status == .contentTooLarge, "\(operation.name)")
            }
            if responses.contains("400") { try await self.sendInvalidInput(to: operation, path) }
        }
        for path in ["L9_14_0_0.png", "L0_13_0_0.png", "L0_14_0.png", "0/14/0/16384.png", "0/14/0/0.jpg", "7.json"] {
            _ = try await self.send(.get, "/venues/mall/tiles/\(path)", expecting: 404)
        }
        for path in ["collections/nothing", "collections/unit/items?revision=9", "collections/unit/items/x"] {
            _ = try await self.send(.get, "/ogc/mall/\(path)", expecting: 404)
        }
        for path in ["revisions/9", "revisions/9/features", "revisions/0", "sync?to=9", "diff?from=9"] {
            _ = try await self.send(.get, "/venues/mall/\(path)", expecting: 404)
        }
        _ = try await self.send(.get, "/venues/mall/features/\(Self.nowhere)", expecting: 404)
        _ = try await self.send(.post, "/venues/mall/rollback", expecting: 404, json: ["to": 9])
        _ = try await self.send(.post, "/uploads/\(cast.staged)/publish", expecting: 404, json: ["base": 9])
        for upload in [cast.rejected, cast.ofGone] {
            _ = try await self.send(.get, "/uploads/\(upload)/changes", expecting: 409)
        }
        _ = try await self.send(.delete, "/uploads/\(cast.published)", expecting: 409)
        _ = try await self.send(.get, "/uploads/\(cast.published)/preview", expecting: 409)
        _ = try await self.send(
            .post, "/uploads/\(cast.published)/preview-tokens", expecting: 409, json: ["expires_in": 60])
        _ = try await self.send(.delete, "/venues/mall", expecting: 400, json: ["confirm": "hall"])
        _ = try await self.send(.get, "/venues/mall/sync?since=x", expecting: 400)
        let cursor = try await self.harness.sync().cursor
        _ = try await self.send(.get, "/venues/mall/sync?since=\(cursor)&to=1", expecting: 400)
        #expect(try await self.harness.upload([1], type: nil).status == .unsupportedMediaType)
        #expect(try await self.harness.upload([1], query: "?base=99").status == .notFound)
    }

    /// Sends an invalid value for each parameter and an invalid body.
    private func sendInvalidInput(to operation: OpenAPIDocument.Operation, _ path: String) async throws {
        var invalid: [String] = []
        for parameter in operation.parameters where parameter["in"] == "query" {
            let name = try #require(parameter["name"]?.string)
            // These may be any text except one with a NUL character.
            let value = ["rule", "type", "message", "file_name", "q", "category"].contains(name) ? "%00" : "-Invalid-"
            let bare = path.prefix { $0 != "?" }
            invalid.append("\(bare)?\(name)=\(value)")
            if parameter["schema"]?["type"] != "array" { invalid.append("\(bare)?\(name)=1&\(name)=1") }
        }
        for path in invalid { try await self.ask(operation, path, json: self.body(of: operation), expecting: 400) }
        guard operation.content["requestBody"] != nil else { return }
        for text in ["{", "[]", #"{"to":"x","public":1,"venues":7,"confirm":8}"#] {
            let method = try #require(HTTPRequest.Method(operation.method))
            guard operation.content["operationId"] != "upload" else { continue }
            // Any object is a merge patch, and any other feature is refused as an edit.
            let isEdit = operation.content["operationId"] == "editFeature" || operation.path.hasPrefix("/ogc/")
            guard !isEdit || !text.hasPrefix("{\"") else { continue }
            let response = try await self.harness.send(method, path, type: "application/json", body: Array(text.utf8))
            #expect(response.status == .badRequest, "\(operation.name) \(text)")
        }
    }
}
