import Foundation
import Hummingbird
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel
import VenueMap
import Wayfinding

/// Venues and their settings.
struct VenueRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let listing: VenueListing

    func add(to routes: RouteGroups) {
        routes.keyHolders.get("venues", use: self.list)
        routes.readers.get("venues/{venue}", use: self.show)
        routes.venueAdmins.patch("venues/{venue}", use: self.change)
        routes.venueAdmins.delete("venues/{venue}", use: self.remove)
        routes.venueAdmins.post("venues/{venue}/prune", use: self.prune)
        routes.venueAdmins.post("venues/{venue}/epoch", use: self.renewEpoch)
    }

    /// `GET /venues?limit=&after=&unpublished=`: the venues that the key may read, ordered by venue key.
    @Sendable func list(_ request: Request, _ context: KeyHolderContext) async throws -> Response {
        let principal = context.permission
        let query = QueryValues(request)
        let limit = try query.limit(default: 1_000, max: 10_000)
        let after = try query.text("after").map { text in
            guard let key = VenueKey(text) else { throw Problem.parameter("after", "It must be a venue key.") }
            return key
        }
        let includesUnpublished = try query.flag("unpublished") && principal.mayPublish
        try await self.readModel.ensureFresh()
        let venues = self.readModel.venues(after: after, limit: limit + 1) { venue in
            venue.head > 0
                ? venue.settings.public || principal.isFor(venue.key)
                : includesUnpublished && principal.isFor(venue.key)
        }
        var page = JSONPage()
        var last = after
        for (venue, json) in try await self.descriptions(of: Array(venues.prefix(limit)), for: principal) {
            guard page.append(encoded: json) else { break }
            last = venue
        }
        let isLast = last == venues.last?.key || venues.isEmpty
        let next =
            isLast ? nil : last.map { request.address(with: ["after": "\($0)", "limit": "\(limit)"], at: "/venues") }
        return try page.response("venues", beside: NextPage(next: next))
            .cached(includesUnpublished ? "no-store" : "no-cache", isPublic: false)
    }

    /// The first venues as JSON, as many as fit on a page.
    private func descriptions(
        of venues: [VenueRecord], for principal: Principal
    ) async throws -> [(venue: VenueKey, json: [UInt8])] {
        let uploads = try await self.firstUploads(of: venues.filter { $0.head == 0 })
        var entries = try await self.listing.entries(for: venues.filter { $0.head > 0 }).makeIterator()
        var descriptions: [(VenueKey, [UInt8])] = []
        for venue in venues {
            if venue.head == 0 {
                let unpublished = UnpublishedVenue(venue: venue.key, upload: uploads[venue.id])
                descriptions.append((venue.key, Array(try WireJSON.data(unpublished))))
            } else {
                guard let entry = entries.next() else { break }
                let showsSettings = principal.isAdmin(of: venue.key)
                descriptions.append((venue.key, try Self.json(of: entry, withSettings: showsSettings)))
            }
        }
        return descriptions
    }

    private func firstUploads(of venues: [VenueRecord]) async throws -> [Int64: Upload] {
        // A replica that has the newest change has all of them.
        guard let newest = venues.max(by: { $0.changeNumber < $1.changeNumber }) else { return [:] }
        return try await self.readModel.read(newest) { try await $0.firstUploads(of: venues) }
    }

    /// A venue without a revision, in lists for those who may publish to it.
    private struct UnpublishedVenue: Encodable {
        let venue: VenueKey
        let head = 0
        @OrNull var upload: Upload?
    }

    /// `GET /venues/{venue}`
    @Sendable func show(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let seesSettings = try await self.authorizer.seesSettings(request, context)
        return try await self.response(for: venue, withSettings: seesSettings)
            .cached("no-cache", isPublic: venue.settings.public && !seesSettings)
    }

    private func response(for venue: VenueRecord, withSettings: Bool) async throws -> Response {
        let entry = try await self.listing.entries(for: [venue]).first ?? nil
        return try Response.bytes(Self.json(of: entry, withSettings: withSettings), type: "application/json")
    }

    /// - Throws: `historyChanged` without an entry, because the venue was deleted, or published and pruned, since its record was read.
    private static func json(of entry: VenueListing.Entry?, withSettings: Bool) throws -> [UInt8] {
        guard let entry else { throw StoreError.historyChanged }
        return entry.json(withSettings: withSettings)
    }

    /// The body of `PATCH`. An absent member stays unchanged; null resets a setting that is optional.
    private struct SettingsMembers: Decodable {
        let members: [String: JSONValue]

        init(from decoder: any Decoder) throws {
            self.members = try [String: JSONValue](from: decoder)
        }
    }

    /// `PATCH /venues/{venue}` (admin)
    @Sendable func change(_ request: Request, _ context: VenueAdminContext) async throws -> Response {
        let members = try await request.json(SettingsMembers.self).members
        var change = SettingsChange()
        for (name, value) in members {
            let pointer = "/\(SettingFault.escaped(name))"
            guard let setting = VenueSetting(rawValue: name) else {
                throw Problem.body(
                    "there is no setting “\(name.prefix(100))”. \(Self.settings(like: name))", at: pointer)
            }
            guard setting.accepts(value), setting != .timeZone || value.string.map(TimeZoneName.isKnown) ?? true else {
                throw Problem.body("“\(name)” must be \(setting.valueDescription)", at: pointer)
            }
            if !value.isNull {
                do throws(SettingFault) {
                    if setting == .appearance { _ = try MapAppearance(value) }
                    if setting == .basemap { _ = try Basemap(value) }
                    if setting == .wayfinding { _ = try TravelTimes(validating: value) }
                } catch {
                    throw Problem.body("“\(name)” at “\(error.pointer)”: \(error.detail)", at: pointer + error.pointer)
                }
            }
            change[setting] = value
        }
        try await self.readModel.store.change(change, of: context.venue, by: context.authorization)
        return try await self.response(afterChangeOf: context.venue.key)
    }

    /// Names the setting that was probably meant; all of them if none is similar.
    private static func settings(like name: String) -> String {
        let names = VenueSetting.allCases.map(\.rawValue)
        return name.nearest(of: names).map { "Did you mean “\($0)”?" }
            ?? "The settings are \(names.joined(separator: ", "))."
    }

    /// The venue for an administrator of it; of a venue without a revision only the settings.
    func response(afterChangeOf key: VenueKey) async throws -> Response {
        let changed = try await self.readModel.store.venue(key)
        guard changed.head > 0 else { return try Response.json(changed.settings).cached("no-store", isPublic: false) }
        return try await self.readModel.store.withHead(of: changed) {
            try await self.response(for: $0, withSettings: true)
        }.cached("no-store", isPublic: false)
    }

    private struct Removal: Decodable {
        let confirm: String?
    }

    /// `DELETE /venues/{venue}` `{"confirm": key}` (admin): leaves a tombstone.
    @Sendable func remove(_ request: Request, _ context: VenueAdminContext) async throws -> Response {
        let venue = context.venue
        guard try await request.json(Removal.self).confirm == venue.key.description else {
            throw Problem.confirmationRequired(venue.key)
        }
        try await self.readModel.store.delete(venue, by: context.authorization)
        return Response(status: .noContent)
    }
}

/// Names of the IANA time zone database.
private enum TimeZoneName {
    /// Abbreviations and offsets are refused, because they have no daylight saving time.
    static func isKnown(_ name: String) -> Bool {
        (name.contains("/") || name == "UTC") && name.utf8.count <= 64 && name.utf8.allSatisfy(Self.isAllowed)
            && TimeZone(identifier: name) != nil
    }

    /// Foundation stops reading at a NUL and would accept whatever follows.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/_+-".utf8.contains(byte)
        }
    }
}
