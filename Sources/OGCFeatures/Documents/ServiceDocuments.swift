package import Foundation
package import IMDF
import SyncModel

/// The documents that describe the service of a venue, at one revision.
package struct ServiceDocuments: Sendable {
    private let address: ServiceAddress
    private let revision: Int64
    private let publishedAt: Date
    private let isHTML: Bool

    package init(address: ServiceAddress, revision: Int64, publishedAt: Date, isHTML: Bool) {
        (self.address, self.revision, self.publishedAt, self.isHTML) = (address, revision, publishedAt, isHTML)
    }

    /// To be increased with every change of the documents and columns, so that clients do not keep the earlier ones.
    package static let edition = 4

    /// What the service conforms to.
    package static let conformanceClasses = [
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
        "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
        "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/create-replace-delete",
        "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update",
        "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/optimistic-locking-etags",
        "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/features",
    ]

    private func representations(_ path: String...) -> [JSONValue] {
        Link.representations(
            of: path, query: self.address.pinned, at: self.address, type: Link.json, isHTML: self.isHTML)
    }

    package var landingPage: JSONValue {
        let html = self.address.address([], query: self.address.pinned + [("f", "html")])
        return [
            "title": .string("Venue \(self.address.venue)"),
            "description": "The features of an indoor map (IMDF), a collection for each feature type, at any revision.",
            "revision": .number(Double(self.revision)),
            "published_at": .string(Timestamp.text(of: self.publishedAt)),
            "links": .array(
                self.representations() + [
                    Link.value("conformance", self.address.address("conformance"), Link.json, "Conformance classes"),
                    Link.value("data", self.address.address("collections"), Link.json, "Collections"),
                    Link.value(
                        "service-desc", self.address.address("api"), APIDocument.contentType, "OpenAPI document"),
                    Link.value("service-doc", html, Link.html, "This service for people"),
                ]),
        ]
    }

    package var api: JSONValue { APIDocument(address: self.address).value }

    package var conformance: JSONValue {
        [
            "conformsTo": .array(Self.conformanceClasses.map { .string($0) }),
            "links": .array(self.representations("conformance")),
        ]
    }

    /// - Parameter first: When the oldest revision that is kept was published.
    package func collections(of tables: RevisionTables, since first: Date) -> JSONValue {
        let collections = tables.types.compactMap { tables.collection(of: $0) }
        return [
            "crs": .array(CoordinateSystem.allCases.map { .string($0.rawValue) }),
            "collections": .array(collections.map { self.collection($0, since: first, links: []) }),
            "links": .array(self.representations("collections")),
        ]
    }

    package func collection(_ collection: RevisionTables.Collection, since first: Date) -> JSONValue {
        self.collection(
            collection, since: first,
            links: [Link.value("parent", self.address.address("collections"), Link.json, "All collections")])
    }

    private func collection(
        _ collection: RevisionTables.Collection, since first: Date, links: [JSONValue]
    ) -> JSONValue {
        let name = collection.type.rawValue
        var extent: JSONObject = [
            "temporal": [
                "interval": [[.string(Timestamp.text(of: first)), .null]],
                "trs": "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian",
            ]
        ]
        if let numbers = collection.extent?.map({ JSONValue.number($0) }) {
            extent["spatial"] = ["bbox": [.array(numbers)], "crs": .string(CoordinateSystem.crs84.rawValue)]
        }
        let items = Link.value("items", self.address.address("collections", name, "items"), Link.geoJSON, "Features")
        return [
            "id": .string(name), "title": .string(name), "itemType": "feature",
            "features": .number(Double(collection.count)), "extent": .object(extent),
            "crs": .array(CoordinateSystem.allCases.map { .string($0.rawValue) }),
            "storageCrs": .string(CoordinateSystem.crs84.rawValue),
            "links": .array(self.representations("collections", name) + [items] + links),
        ]
    }
}
