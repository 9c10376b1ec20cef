package import IMDF
import IMDFArchive

/// Writes features of a collection, with their properties as columns.
package struct FeatureWriter: Sendable {
    let type: FeatureType
    /// Those that every feature has.
    let columns: [String]
    /// Of the venue.
    let language: String?
    let crs: CoordinateSystem

    package init(type: FeatureType, columns: [String], language: String?, crs: CoordinateSystem) {
        (self.type, self.columns, self.language, self.crs) = (type, columns, language, crs)
    }

    /// A feature in the requested coordinate system.
    ///
    /// - Parameters:
    ///   - body: The canonical body.
    ///   - level: Where the feature is.
    package func feature(_ id: FeatureID, on level: FeatureID?, body: [UInt8]) throws -> JSONObject {
        let value = try JSONReader.value(of: body)
        return [
            "type": "Feature", "id": .string(id.description),
            "geometry": self.crs.geometry(value["geometry"] ?? .null),
            "properties": .object(
                FeatureColumns.properties(
                    value["properties"]?.object ?? [:], type: self.type, level: level, columns: self.columns,
                    language: self.language)),
        ]
    }

    /// What precedes the features of a page. The members that programs look for to recognize GeoJSON are at the beginning.
    package static func opening(of page: RevisionTables.Page, links: [JSONValue]) -> [UInt8] {
        let head = """
            {"type":"FeatureCollection","numberMatched":\(page.matched),"numberReturned":\(page.items.count),"links":
            """
        return Array(head.utf8) + CanonicalJSON.data(.array(links)) + Array(",\"features\":[".utf8)
    }

    package static let closing = Array("\n]}\n".utf8)

    /// A part of the features of a page, each on a line of its own.
    ///
    /// - Parameter isFirst: Whether no feature precedes them.
    package func text(
        of features: some Sequence<(item: RevisionTables.Item, body: [UInt8])>, isFirst: Bool
    ) throws -> [UInt8] {
        var text: [UInt8] = []
        for (item, body) in features {
            text += (isFirst && text.isEmpty ? "\n" : ",\n").utf8
            CanonicalJSON.append(try self.feature(item.id, on: item.level, body: body), to: &text)
        }
        return text
    }
}

/// The links of a page of features.
package struct PageLinks: Sendable {
    let address: ServiceAddress
    let type: FeatureType
    let isHTML: Bool

    package init(address: ServiceAddress, type: FeatureType, isHTML: Bool) {
        (self.address, self.type, self.isHTML) = (address, type, isHTML)
    }

    /// Links to this page, its collection, and the pages before and after it. The latter repeat all parameters and name the revision, so
    /// that pages belong together whatever is published meanwhile.
    ///
    /// - Parameters:
    ///   - query: The parameters of the request.
    ///   - revision: The revision of the page.
    package func links(
        of page: RevisionTables.Page, query: ServiceAddress.Query, limit: Int, revision: Int64
    ) -> [JSONValue] {
        let path = ["collections", self.type.rawValue, "items"]
        var links = Link.representations(
            of: path, query: query, at: self.address, type: Link.geoJSON, isHTML: self.isHTML)
        let kept = query.filter { !["revision", "offset", "limit"].contains($0.name) }
        func link(_ relation: String, from offset: Int, limit: Int) -> JSONValue {
            let position: ServiceAddress.Query = [
                ("limit", "\(limit)"), ("offset", "\(offset)"), ("revision", "\(revision)"),
            ]
            let href = self.address.address(path, query: kept + position)
            return Link.value(relation, href, self.isHTML ? Link.html : Link.geoJSON)
        }
        if let next = page.next { links.append(link("next", from: next, limit: limit)) }
        if page.offset > 0 {
            links.append(link("prev", from: max(0, page.offset - limit), limit: min(limit, page.offset)))
        }
        let collection = self.address.address("collections", self.type.rawValue)
        return links + [Link.value("collection", collection, Link.json, self.type.rawValue)]
    }

    /// The address of a feature at a revision.
    package func address(of id: FeatureID, revision: Int64) -> String {
        let query: ServiceAddress.Query = [("f", "html"), ("revision", "\(revision)")]
        return self.address.address(["collections", self.type.rawValue, "items", id.description], query: query)
    }

    /// Links of a single feature.
    package func links(of id: FeatureID, query: ServiceAddress.Query) -> [JSONValue] {
        let path = ["collections", self.type.rawValue, "items", id.description]
        let collection = self.address.address("collections", self.type.rawValue)
        return Link.representations(
            of: path, query: query, at: self.address, type: Link.geoJSON, isHTML: self.isHTML
        ) + [Link.value("collection", collection, Link.json, self.type.rawValue)]
    }
}
