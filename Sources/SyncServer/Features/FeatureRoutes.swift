import Compression
import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionPlanning
import RevisionStore
import SyncModel

/// The features of a revision, and single features with their history.
struct FeatureRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let responses: CollectionResponses
    /// A strict selection reads the whole revision.
    let comparisonPermits: FairSemaphore<VenueKey>
    let featurePermits: FairSemaphore<VenueKey>

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/revisions/{number}/features", use: self.collection)
        routes.readers.get("venues/{venue}/features/{id}", use: self.show)
        routes.readers.get("venues/{venue}/features/{id}/hours", use: self.hours)
        routes.readers.get("venues/{venue}/features/{id}/history", use: self.history)
    }

    /// `GET /venues/{venue}/revisions/{number}/features?level=&type=&spanning=&strict=&has_geometry=&epoch=`: a FeatureCollection.
    /// With an epoch, the features of that history only, so that a shared cache never keeps those of another one under the address.
    @Sendable func collection(_ request: Request, _ context: ReaderContext) async throws -> Response {
        var access = context.permission
        let query = QueryValues(request)
        let number = try context.revisionNumber()
        if let epoch = try query.epoch(), !access.venue.hasRevision(number, of: epoch.epoch) {
            // Another node may know the epoch already.
            try await self.readModel.refresh()
            access = try await self.authorizer.reader(request, context.parent)
            guard access.venue.hasRevision(number, of: epoch.epoch) else { throw StoreError.historyLost }
        }
        let (venue, generation) = (access.venue, context.permission.generation)
        let revision = try await self.readModel.revisions(of: venue, at: number).revision(number, of: venue)
        let filter = revision.filter(
            levels: try query.levels(), spanning: try query.flag("spanning"), types: try query.types())
        let (isStrict, withGeometry) = (try query.flag("strict"), try query.flag("has_geometry"))
        let tag = revision.tag(isStrict: isStrict)
        // A client that has the features already receives 304 before any work is done.
        let unchanged = Response(status: .ok).tagged(tag, for: request)
        guard unchanged.status == .ok else { return unchanged.cached(immutable, isPublic: venue.settings.public) }
        let selection = CollectionSelection(
            venue: venue, revision: revision.number, filter: filter, isStrict: isStrict, readModel: self.readModel,
            permits: isStrict ? self.comparisonPermits : self.featurePermits)
        let response: Response
        if withGeometry {
            let result = try await selection.result()
            let body = LocatedFeatures(
                readModel: self.readModel, source: result.source, versions: result.versions,
                permits: self.featurePermits, connection: context.parent.connection)
            response = Response(status: .ok, headers: result.headers, body: body.responseBody).tagged(tag, for: request)
        } else {
            response = try await self.responses.response(
                of: selection, tag: tag, generation: generation,
                encoding: .preferred(by: request.headers[.acceptEncoding])
            ).response(for: request, to: context.parent.connection)
        }
        return try await response.cached(immutable, isPublic: venue.settings.public).measured(for: request)
    }

    /// `GET /venues/{venue}/features/{id}`: the current body. The id may be an alias, under which a producer delivered the feature, or an id
    /// of archives that is no UUID; `Content-Location` then has the address of the feature itself.
    @Sendable func show(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let name = try context.featureName()
        let feature = try await venue.readHead {
            let store = self.readModel.reader(of: venue)
            return try await self.find(name, in: venue) { try await store.feature($0, of: venue, at: venue.head) }
        }
        return try Response(status: .ok).cached("no-cache", isPublic: venue.settings.public)
            .tagged("\(Digest(of: feature.found.body).hex.prefix(32))", for: request)
            .with(feature.found.body, type: "application/geo+json")
            .located(feature.id == FeatureID(name) ? nil : "/venues/\(venue.key)/features/\(feature.id)")
    }

    /// Finds something under the id in a path: also under one of archives that is no UUID, in the place of which features have others.
    func find<Found>(
        _ name: String, in venue: VenueRecord, _ found: (FeatureID) async throws -> Found
    ) async throws -> (id: FeatureID, found: Found) {
        if let id = FeatureID(name) { return try await self.find(id, in: venue, found) }
        guard name.utf8.count <= 1_024, venue.head > 0 else { throw StoreError.unknownFeature }
        let revision = try await self.readModel.revisions(of: venue, at: venue.head).revision(venue.head, of: venue)
        for id in revision.venueFeature.map({ FeatureID.assigned(to: name, in: $0) }) ?? [] {
            do { return try await self.find(id, in: venue, found) } catch StoreError.unknownFeature { continue }
        }
        throw StoreError.unknownFeature
    }

    /// Finds something under an id, or under the id that it is an alias of.
    func find<Found>(
        _ id: FeatureID, in venue: VenueRecord, _ found: (FeatureID) async throws -> Found
    ) async throws -> (id: FeatureID, found: Found) {
        do { return (id, try await found(id)) } catch StoreError.unknownFeature {}
        var result: Found?
        let targets = try await self.readModel.reader(of: venue).targets(ofAliases: [id], in: venue) { ids in
            for id in ids { do { result = try await found(id) } catch StoreError.unknownFeature { return [] } }
            return ids
        }
        guard let target = targets[id], let result else { throw StoreError.unknownFeature }
        return (target, result)
    }

    /// `GET /venues/{venue}/features/{id}/history?limit=&before=`: every version with its author and message, the newest first.
    @Sendable func history(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let name = try context.featureName()
        let query = QueryValues(request)
        let limit = try query.limit(default: 100, max: 1_000)
        let before = try query.number("before", in: 1...Int64.max)
        let store = self.readModel.reader(of: venue)
        let (stored, (spans, hasPredecessor)) = try await self.find(name, in: venue) {
            try await store.history(of: $0, in: venue, before: before, limit: limit)
        }
        let seesAuthors = try await self.authorizer.seesAuthors(request, context)
        let origins = try await store.origins(of: stored, in: venue, at: spans.map(\.from))
        let (page, last, isLast) = try await self.featurePermits.withPermit(for: venue.key) {
            try await offSharedThreads { _ in
                var (page, last, isLast) = (JSONPage(), Int64?.none, !hasPredecessor)
                for (index, span) in (hasPredecessor ? spans.dropLast() : spans[...]).enumerated() {
                    let previous = index + 1 < spans.count ? spans[index + 1] : nil
                    let entry = try HistoryEntry(span, after: previous, overrides: origins[span.from] ?? [])
                    guard try page.append(entry.withAuthors(seesAuthors)) else {
                        isLast = false
                        break
                    }
                    last = span.from
                }
                return (page, last, isLast)
            }
        }
        let path = "/venues/\(venue.key)/features/\(stored)/history"
        let next =
            isLast ? nil : last.map { request.address(with: ["before": "\($0)", "limit": "\(limit)"], at: path) }
        return try page.response("versions", beside: NextPage(next: next))
            .cached("no-cache", isPublic: venue.settings.public && !seesAuthors).located(
                stored == FeatureID(name) ? nil : path)
    }
}

extension AuthorizedContext {
    /// The id of the path, which may be one of archives that is no UUID.
    func featureName() throws -> String {
        guard let name = self.parameters.get("id")?.removingPercentEncoding else { throw StoreError.unknownFeature }
        return name
    }

    /// The feature id of the path.
    func featureID() throws -> FeatureID {
        guard let id = self.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownFeature }
        return id
    }
}

extension RevisionRecord {
    /// The entity tag of content that depends on the revision and the address alone.
    var tag: String { "\(self.digest.hex.prefix(32))" }

    /// The entity tag of features, which depend on the edition of the strict profile if they are strict.
    func tag(isStrict: Bool) -> String { isStrict ? "\(self.tag)-s\(StrictProfile.edition)" : self.tag }
}
