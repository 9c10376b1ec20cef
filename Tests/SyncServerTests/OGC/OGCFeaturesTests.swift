import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A venue as a service by OGC API – Features.
@Suite(.server)
struct OGCFeaturesTests {
    private static let items = "/ogc/mall/collections/unit/items"

    private static func links(_ value: JSONValue) -> [String: String] {
        let links = (value["links"]?.array ?? []).compactMap { link -> (String, String)? in
            guard let relation = link["rel"]?.string, let href = link["href"]?.string else { return nil }
            return (relation, href)
        }
        return Dictionary(links) { first, _ in first }
    }

    /// The path and query of an address of the server.
    static func path(_ address: String) throws -> String {
        let url = try #require(URLComponents(string: address))
        return url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    static func ids(_ page: JSONValue) -> [String] { (page["features"]?.array ?? []).compactMap { $0["id"]?.string } }

    /// All pages from an address on.
    private static func pages(_ first: String) async throws -> [JSONValue] {
        var (pages, next): ([JSONValue], String?) = ([], first)
        while let path = next {
            let page = try await Harness.current.send(.get, path).json
            pages.append(page)
            #expect(page["numberReturned"] == .number(Double(Self.ids(page).count)))
            next = try Self.links(page)["next"].map { try Self.path($0) }
        }
        return pages
    }

    @Test func `the landing page leads to all resources, and collections are the feature types`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let landing = try await harness.send(.get, "/ogc/mall/")
        #expect(landing.headers[.contentType] == "application/json")
        let links = try Self.links(landing.json)
        for relation in ["self", "alternate", "conformance", "data", "service-desc", "service-doc"] {
            let path = try Self.path(try #require(links[relation], "\(relation)"))
            #expect(try await harness.send(.get, path).status == .ok, "\(relation)")
        }
        let classes = try await harness.send(.get, "/ogc/mall/conformance").json["conformsTo"]?.array ?? []
        #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"))
        let collections = try await harness.send(.get, "/ogc/mall/collections").json["collections"]?.array ?? []
        let counts = Dictionary(grouping: venue.features, by: \.type.rawValue).mapValues(\.count)
        #expect(Set(collections.compactMap { $0["id"]?.string }) == Set(counts.keys))
        for collection in collections {
            let type = try #require(collection["id"]?.string)
            #expect(collection["features"] == .number(Double(counts[type] ?? 0)))
            let own = try await harness.send(.get, try Self.path(try #require(Self.links(collection)["self"]))).json
            #expect(own["id"] == collection["id"] && own["extent"] == collection["extent"])
            let pages = try await Self.pages("\(try Self.path(try #require(Self.links(own)["items"])))?limit=3")
            let bodies = Dictionary(
                venue.features.filter { $0.type.rawValue == type }.map { ($0.id.description, $0) }
            ) { first, _ in first }
            let features = pages.flatMap { $0["features"]?.array ?? [] }
            #expect(Set(features.compactMap { $0["id"]?.string }) == Set(bodies.keys) && features.count == bodies.count)
            for feature in features {
                let body = try #require(bodies[feature["id"]?.string ?? ""])
                #expect(feature["geometry"] == body.geometry && feature["type"] == "Feature")
                #expect(feature["properties"]?["feature_type"] == .string(type))
            }
        }
        // A type of IMDF that the venue has no features of is an empty collection; other names are none.
        let name = try #require(FeatureType.standard.first { counts[$0.rawValue] == nil } ?? .kiosk).rawValue
        #expect(try await harness.send(.get, "/ogc/mall/collections/\(name)/items").status == .ok)
        for path in ["collections/nothing", "collections/nothing/items", "collections/%00"] {
            let problem = try await harness.send(.get, "/ogc/mall/\(path)").problem(404)
            #expect(problem.type == "/problems/collection-not-found")
        }
    }

    @Test func `the OpenAPI document has the type that QGIS looks for, and no broken reference`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let type = "application/vnd.oai.openapi+json;version=3.0"
        let link = try await harness.send(.get, "/ogc/mall").json["links"]?.array?.first { $0["type"] == .string(type) }
        #expect(link?["rel"] == "service-desc")
        let response = try await harness.send(.get, try Self.path(link?["href"]?.string ?? ""))
        #expect(response.headers[.contentType] == type)
        let document = try response.json
        #expect(document["openapi"] == "3.0.3" && document["paths"]?["/collections/{collectionId}/items"] != nil)
        let parameters = document["components"]?["parameters"]?.object ?? [:]
        #expect(parameters["limit"]?["schema"]?["maximum"] == 10_000)
        for (path, methods) in (document["paths"]?.object?.members ?? []).map({ ($0.key, $0.value) }) {
            for method in methods.object?.members ?? [] {
                for parameter in method.value["parameters"]?.array ?? [] {
                    let name = parameter["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? ""
                    #expect(parameters[name]?["name"] == .string(name), "\(method.key) \(path)")
                }
            }
        }
    }

    @Test func `all features of a collection have the same columns`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.extended.archive())
        for type in ["unit", "occupant", "venue", "level"] {
            let page = try await harness.send(.get, "/ogc/mall/collections/\(type)/items?limit=10000").json
            let columns = (page["features"]?.array ?? []).map { feature in
                feature["properties"]?.object?.members.map(\.key) ?? []
            }
            #expect(Set(columns).count == 1 && columns[0].contains("name_en") && columns[0].contains("level_id"))
        }
    }

    @Test func `pages cover a revision once and keep the filters while another one is published`() async throws {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 60))
        let archives = try [venue, venue.edited(Edit(.remove, 5), Edit(.add, 5), Edit(.rename, 3))].map {
            try $0.archive()
        }
        try await harness.push(archives[0])
        try await harness.set("removal_guard", to: false)
        let box = try await Self.middle(of: "unit")
        let categories = Dictionary(grouping: venue.features.filter { $0.type == .unit }) {
            $0["category"]?.string ?? ""
        }
        let category = try #require(categories.max { $0.value.count < $1.value.count }?.key)
        let turned = box.split(separator: ",")
        let latitudeFirst = "\(turned[1]),\(turned[0]),\(turned[3]),\(turned[2])"
        let filters = [
            "", "&level=0", "&bbox=\(box)", "&category=\(category)", "&level=0&bbox=\(box)&crs=\(Self.epsg4326)",
            "&bbox=\(latitudeFirst)&bbox-crs=\(Self.epsg4326)&datetime=2999-01-01T00:00:00Z",
        ]
        for (index, filter) in filters.enumerated() {
            let revision = index + 1
            let whole = try await harness.send(.get, "\(Self.items)?limit=10000&revision=\(revision)\(filter)").json
            #expect(whole["numberMatched"] == .number(Double(Self.ids(whole).count)))
            #expect(Self.ids(whole).count > 4 && Set(Self.ids(whole)).count == Self.ids(whole).count, "\(filter)")
            let first = try await harness.send(.get, "\(Self.items)?limit=4\(filter)").json
            #expect(try await harness.push(archives[(index + 1) % 2]).state == .published)
            let rest = try await Self.pages(try Self.path(try #require(Self.links(first)["next"])))
            let pages = [first] + rest
            #expect(pages.flatMap(Self.ids) == Self.ids(whole), "\(filter)")
            #expect(
                pages.flatMap { $0["features"]?.array ?? [] }.count == pages.dropLast().count * 4
                    + Self.ids(pages[pages.count - 1]).count)
            // And back to the beginning.
            let previous = try Self.path(try #require(Self.links(pages[1])["prev"]))
            #expect(Self.ids(try await harness.send(.get, previous).json) == Self.ids(first))
        }
    }

    @Test func `level selects what is on a level, touches it, or is it`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let level = try #require(venue.features.first { $0.type == .level && $0["ordinal"] == 0 })
        // Several levels have the ordinal 0: those of the buildings, and the ground around them.
        let ground = venue.features.filter { $0.type == .level && $0["ordinal"] == 0 }.map(\.id.description)
        for name in ["0", "ordinal:0", level.id.description] {
            let isOne = name == level.id.description
            for type in try await harness.send(.get, "/ogc/mall/collections").json["collections"]?.array ?? [] {
                let type = try #require(type["id"]?.string)
                let path =
                    "/venues/mall/revisions/1/features?level=\(isOne ? name : "ordinal:0")&spanning=true&type=\(type)"
                var expected = Set(Self.ids(try await harness.send(.get, path).json))
                if type == "level" { expected.formUnion(isOne ? [name] : ground) }
                let page = try await harness.send(.get, "/ogc/mall/collections/\(type)/items?limit=9999&level=\(name)")
                    .json
                #expect(Set(Self.ids(page)) == expected, "\(type)")
            }
        }
        let wide = try await harness.send(.get, "/ogc/mall/collections/level/items?level=venue").json
        #expect(Self.ids(wide).count == venue.ids(of: .level).count)
        for name in ["77", Handmade.id(5).description] {
            let page = try await harness.send(.get, "\(Self.items)?level=\(name)")
            #expect(try page.status == .ok && page.json["numberMatched"] == 0)
        }
    }

    @Test func `datetime selects the revision of a time`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.rename, 4)).archive())
        var times: [String] = []
        for number in 1...2 {
            let revision = try await harness.send(.get, "/venues/mall/revisions/\(number)").json
            times.append(try #require(revision["published_at"]?.string))
        }
        func features(_ query: String) async throws -> JSONValue? {
            try await harness.send(.get, "\(Self.items)?limit=10000&\(query)").json["features"]
        }
        let states = [try await features("revision=1"), try await features("revision=2")]
        #expect(states[0] != states[1])
        #expect(try await features("datetime=\(times[0])") == states[0])
        #expect(try await features("datetime=\(times[1])") == states[1])
        #expect(try await features("datetime=../\(times[0])") == states[0])
        #expect(try await features("datetime=\(times[0])/\(times[1])") == states[1])
        #expect(try await features("datetime=\(times[0])/..") == states[1])
        #expect(try await features("datetime=2999-01-01T00:00:00Z") == states[1])
        #expect(try await features("revision=head") == states[1])
        // The named revision decides, as in links to the next page.
        #expect(try await features("datetime=\(times[1])&revision=1") == states[0])
        let before = try await harness.send(.get, "\(Self.items)?datetime=2001-01-01T00:00:00Z&level=0")
        #expect(try before.json["numberMatched"] == 0 && before.json["features"] == [])
        try await harness.prune("mall", before: 2)
        try await harness.send(.get, "\(Self.items)?datetime=\(times[0])").problem(410)
        try await harness.send(.get, "\(Self.items)?revision=1").problem(410)
    }

    @Test func `coordinates, boxes and the header field follow the coordinate reference system`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.extended.archive())
        let path = "/ogc/mall/collections/amenity/items"
        let plain = try await harness.send(.get, "\(path)?limit=1")
        let crs = HTTPField.Name("Content-Crs")!
        #expect(plain.headers[crs] == "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>")
        let feature = try #require(try plain.json["features"]?.array?.first)
        let point = (feature["geometry"]?["coordinates"]?.array ?? []).compactMap(\.number)
        try #require(point.count == 2)
        let turned = try await harness.send(.get, "\(path)?limit=1&crs=\(Self.epsg4326)")
        #expect(turned.headers[crs] == "<\(Self.epsg4326)>")
        #expect(
            try turned.json["features"]?.array?.first?["geometry"]?["coordinates"] == [
                .number(point[1]), .number(point[0]),
            ])
        let id = try #require(feature["id"]?.string)
        let single = try await harness.send(.get, "\(path)/\(id)?crs=\(Self.epsg4326)")
        #expect(try single.json["geometry"]?["coordinates"] == [.number(point[1]), .number(point[0])])
        let box = "\(point[1] - 1e-6),\(point[0] - 1e-6),\(point[1] + 1e-6),\(point[0] + 1e-6)"
        let found = try await harness.send(.get, "\(path)?bbox=\(box)&bbox-crs=\(Self.epsg4326)")
        #expect(try Self.ids(found.json).contains(id))
        #expect(try Self.ids(await harness.send(.get, "\(path)?bbox=\(box)").json).isEmpty)
    }

    private static let epsg4326 = "http://www.opengis.net/def/crs/EPSG/0/4326"

    /// The middle ninth of a collection, as a box.
    private static func middle(of type: String) async throws -> String {
        let extent = try await Harness.current.send(.get, "/ogc/mall/collections/\(type)").json["extent"]
        let box = (extent?["spatial"]?["bbox"]?.array?[0].array ?? []).compactMap(\.number)
        try #require(box.count == 4)
        let (width, height) = ((box[2] - box[0]) / 3, (box[3] - box[1]) / 3)
        return "\(box[0] + width),\(box[1] + height),\(box[2] - width),\(box[3] - height)"
    }
}
