package import IMDF

/// The OpenAPI 3.0 document of the service of one venue. QGIS opens no service without it, and takes the largest page from it.
package struct APIDocument {
    private let address: ServiceAddress

    package static let contentType = "application/vnd.oai.openapi+json;version=3.0"

    package init(address: ServiceAddress) {
        self.address = address
    }

    package var value: JSONValue {
        [
            "openapi": "3.0.3",
            "info": [
                "title": .string("Venue \(self.address.venue)"), "version": .string("\(ServiceDocuments.edition)"),
                "description": "The features of an indoor map by OGC API – Features.",
            ],
            "servers": [["url": .string(self.address.address([], query: []))]],
            "paths": .object(Self.paths),
            "components": [
                "parameters": .object(Self.parameters),
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
            ],
            // A public venue needs no key.
            "security": [[:], ["key": []]],
        ]
    }

    private static let paths: JSONObject = {
        let collection = "/collections/{collectionId}"
        let geoJSON = Link.geoJSON
        let edit = ["message", "until", "base", "dry_run"]
        let itemEdit = edit + ["If-Match"]
        return [
            "/": ["get": operation("getLandingPage", "The landing page", Link.json, ["f", "revision"])],
            "/api": ["get": operation("getAPI", "This document", APIDocument.contentType, ["f"])],
            "/conformance": [
                "get": operation("getConformance", "The conformance classes", Link.json, ["f", "revision"])
            ],
            "/collections": ["get": operation("getCollections", "The collections", Link.json, ["f", "revision"])],
            collection: [
                "get": operation("describeCollection", "A collection", Link.json, ["collectionId", "f", "revision"])
            ],
            "\(collection)/items": [
                "get": operation(
                    "getFeatures", "Features of a collection", geoJSON,
                    [
                        "collectionId", "limit", "offset", "bbox", "bbox-crs", "crs", "datetime", "level", "category",
                        "revision", "f",
                    ]),
                "post": operation(
                    "createFeature", "Add a feature", Link.json, ["collectionId"] + edit, sending: geoJSON,
                    status: "201"),
            ],
            "\(collection)/items/{featureId}": [
                "get": operation(
                    "getFeature", "A feature", geoJSON, ["collectionId", "featureId", "crs", "revision", "f"]),
                "put": operation(
                    "replaceFeature", "Replace a feature", Link.json, ["collectionId", "featureId"] + itemEdit,
                    sending: geoJSON),
                "patch": operation(
                    "updateFeature", "Change a feature", Link.json, ["collectionId", "featureId"] + itemEdit,
                    sending: "application/merge-patch+json"),
                "delete": operation(
                    "deleteFeature", "Hide a feature", Link.json,
                    ["collectionId", "featureId", "dependents"] + itemEdit),
            ],
        ]
    }()

    private static func operation(
        _ id: String, _ summary: String, _ type: String, _ parameters: [String], sending body: String? = nil,
        status: String = "200"
    ) -> JSONValue {
        let object: JSONValue = ["schema": ["type": "object"]]
        func answers(_ type: String) -> JSONValue { .object([type: object]) }
        var operation: JSONObject = [
            "operationId": .string(id), "summary": .string(summary), "tags": ["OGC API – Features"],
            "parameters": .array(parameters.map { ["$ref": .string("#/components/parameters/\($0)")] }),
            "responses": .object([
                status: ["description": .string(summary), "content": answers(type)],
                "default": ["description": "A problem (RFC 9457)", "content": answers("application/problem+json")],
            ]),
        ]
        if let body { operation["requestBody"] = ["required": true, "content": answers(body)] }
        return .object(operation)
    }

    private static let parameters: JSONObject = {
        let text: JSONValue = ["type": "string"]
        let systems: JSONValue = [
            "type": "string", "format": "uri",
            "enum": .array(CoordinateSystem.allCases.map { .string($0.rawValue) }),
        ]
        let number: JSONValue = ["type": "integer", "minimum": 1]
        let box: JSONValue = [
            "type": "array", "items": ["type": "number"], "minItems": 4, "maxItems": 6,
        ]
        let limit: JSONValue = [
            "type": "integer", "minimum": 1, "default": .number(Double(ItemsQuery.defaultLimit)),
            "maximum": .number(Double(ItemsQuery.maximumLimit)),
        ]
        let list: [(name: String, place: String, schema: JSONValue)] = [
            ("collectionId", "path", text), ("featureId", "path", ["type": "string", "format": "uuid"]),
            ("limit", "query", limit), ("offset", "query", ["type": "integer", "minimum": 0]), ("bbox", "query", box),
            ("bbox-crs", "query", systems), ("crs", "query", systems), ("datetime", "query", text),
            ("level", "query", text), ("category", "query", text), ("revision", "query", text),
            ("f", "query", ["type": "string", "enum": ["json", "html"]]), ("message", "query", text),
            ("until", "query", ["type": "string", "format": "date-time"]), ("base", "query", number),
            ("dry_run", "query", ["type": "boolean"]), ("dependents", "query", ["type": "string", "enum": ["hide"]]),
            ("If-Match", "header", text),
        ]
        return JSONObject(
            list.map { name, place, schema in
                var parameter: JSONObject = ["name": .string(name), "in": .string(place), "schema": schema]
                if place == "path" { parameter["required"] = true }
                if name == "bbox" { parameter["explode"] = false }
                return .init(key: name, value: .object(parameter))
            })
    }()
}
