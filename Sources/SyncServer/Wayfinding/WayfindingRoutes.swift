import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel
import VenueRouting
import Wayfinding

/// Routes in a venue, and what can be reached in it.
struct WayfindingRoutes: Sendable {
    let maps: PreparedVenues<WayfindingVenue>
    let readModel: ReadModel

    /// Changes whenever the library gives another result.
    private static let edition = "2"

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/route", use: self.route)
        routes.readers.get("venues/{venue}/reachability", use: self.reachability)
    }

    /// `GET /venues/{venue}/route?from=&to=&profile=&at=&lang=&closed=`: in the newest revision.
    @Sendable func route(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let parameters = try RouteRequest(request)
        let generation = context.permission.generation
        let venue = context.venue
        return try await venue.readHead {
            let revision = try await self.readModel.revisions(of: venue, at: venue.head)
                .revision(venue.head, of: venue)
            let prepared = try await self.maps.content(of: venue, at: revision, generation: generation)
            let parameters = try await self.resolved(parameters, prepared, venue)
            let timeZone = venue.settings.timeZone.flatMap { TimeZone(identifier: $0) }
            // States of opening hours change at whole minutes.
            let minute = (parameters.at.time.timeIntervalSince1970 / 60).rounded(.down) * 60
            let instant = parameters.at.isNow ? Date(timeIntervalSince1970: minute) : parameters.at.time
            // Rounded down, so that the response is not used after the next change.
            let seconds = max(0, Int(minute + 60 - parameters.at.time.timeIntervalSince1970))
            let control = parameters.at.isNow ? "max-age=\(seconds)" : "no-cache"
            let query = parameters.json(at: instant)
            let tag = Self.tag([
                "route \(venue.key) \(revision.number) \(revision.digest.hex)", revision.about.language ?? "",
                venue.settings.timeZone ?? "", Self.text(of: venue.settings), Self.text(of: query),
            ])
            let map = prepared.currentMap(of: venue)
            return try await self.response(
                tag, control, request, context, venue, generation,
                type: parameters.isGeoJSON ? "application/geo+json" : "application/json"
            ) { shouldStop in
                let route = VenueRoute(
                    parameters.query, at: instant, in: timeZone, map, prepared.hours, venue: venue.key,
                    revision: revision.number, shouldStop: shouldStop)
                return CanonicalJSON.data(.object(parameters.isGeoJSON ? route.geoJSON : route.json))
            }
        }
    }

    /// `GET /venues/{venue}/reachability?revision=&egress=`
    @Sendable func reachability(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let values = QueryValues(request)
        try values.refuseUnknown(except: ["revision", "egress"])
        let number = try values.number("revision", in: 1...Int64.max)
        let withEgress = try values.flag("egress")
        let generation = context.permission.generation
        let venue = context.venue
        return try await venue.readHead {
            let number = number ?? venue.head
            let revision = try await self.readModel.revisions(of: venue, at: number).revision(number, of: venue)
            let tag = Self.tag([
                "reachability \(venue.key) \(revision.number) \(revision.digest.hex)",
                revision.about.language ?? "", "\(withEgress)", Self.text(of: venue.settings),
            ])
            // Clients check it, also for a numbered revision: after a restore another one may have the number.
            let unchanged = Response(status: .ok).cached("no-cache", isPublic: context.isPublic)
                .tagged(tag, for: request)
            guard unchanged.status == .ok else { return unchanged }
            let prepared = try await self.maps.content(of: venue, at: revision, generation: generation)
            let map = prepared.currentMap(of: venue)
            return try await self.response(tag, "no-cache", request, context, venue, generation) { shouldStop in
                var report = map.reachabilityReport(shouldStop: shouldStop)
                if withEgress { report.egress = map.egressReport(shouldStop: shouldStop) }
                var object = report.json
                object["venue"] = .string("\(venue.key)")
                object["revision"] = .number(Double(revision.number))
                return CanonicalJSON.data(.object(object))
            }
        }
    }

    private func response(
        _ tag: String, _ control: String, _ request: Request, _ context: ReaderContext, _ venue: VenueRecord,
        _ generation: Int, type: String = "application/json",
        _ work: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> [UInt8]
    ) async throws -> Response {
        func finished(_ response: Response) -> Response {
            response.cached(control, isPublic: context.isPublic).varying(by: .accept).tagged(tag, for: request)
        }
        let unchanged = finished(Response(status: .ok))
        guard unchanged.status == .ok else { return unchanged }
        let body = try await self.maps.response(tagged: tag, of: venue, generation: generation, work)
        return finished(
            Response(status: .ok, headers: [.contentType: type], body: try .held(body)))
    }

    /// Replaces aliases, under which a producer delivered features, by the ids of these.
    ///
    /// An end that does not exist is part of the response; but something that does not exist, or is no part of a way, cannot be closed, and a
    /// route that ignored it could lead through what is closed.
    private func resolved(
        _ parameters: RouteRequest, _ prepared: WayfindingVenue, _ venue: VenueRecord
    ) async throws -> RouteRequest {
        let unknown = parameters.ids.map(\.id).filter { !prepared.map.contains($0) }
        let known = try await self.readModel.reader(of: venue).targets(ofAliases: unknown, in: venue) {
            $0.filter { prepared.map.contains($0) }
        }.filter { prepared.map.contains($0.value) }
        for (name, id) in parameters.ids where name == "closed" && known[id] == nil && !prepared.map.contains(id) {
            throw Problem.parameter(name, "The venue has no feature \(id).")
        }
        var parameters = parameters
        parameters.replaceIDs(known)
        if let id = parameters.closed.first(where: { !prepared.map.canClose($0) }) {
            throw Problem.parameter("closed", "The feature \(id) is no part of a way, so that it cannot be closed.")
        }
        return parameters
    }

    private static func text(of value: JSONValue) -> String {
        String(decoding: CanonicalJSON.data(value), as: UTF8.self)
    }

    private static func text(of settings: Venue.Settings) -> String {
        settings.wayfinding.map { Self.text(of: $0) } ?? ""
    }

    private static func tag(_ parts: [String]) -> String {
        EntityTag.of([Self.edition] + parts)
    }
}

extension VenueRoute {
    /// The JSON of the route as a FeatureCollection with a feature for each leg.
    fileprivate var geoJSON: JSONObject {
        var collection = self.json
        let legs = collection["legs"]?.array ?? []
        collection["legs"] = nil
        collection["type"] = "FeatureCollection"
        collection["features"] = .array(
            legs.enumerated().map { index, leg in
                var properties = leg.object ?? [:]
                properties["geometry"] = nil
                properties["leg"] = .number(Double(index + 1))
                return [
                    "type": "Feature", "geometry": leg["geometry"] ?? .null, "properties": .object(properties),
                ]
            })
        return collection
    }
}
