import Foundation
import Hummingbird
import IMDF
import SyncModel
import Testing
import VenueMap

@testable import SyncServer

/// Making the response to a search.
@Suite struct SearchDocumentTests {
    private static let count = 10

    /// Shops that are always open, by different hours.
    private static let index = SearchIndex(
        VenueMap(
            (0..<Self.count).map { number in
                let hours = "Mo-Su 00:00-24:00; Jan \(number + 1) 00:00-24:00"
                let feature = Handmade.feature(
                    10 + number, .occupant,
                    ["name": ["en": .string("Shop \(number)")], "category": "specialty", "hours": .string(hours)])
                return VenueMap.Entry(
                    id: Handmade.id(10 + number), type: .occupant, level: nil, body: CanonicalJSON.data(feature))
            }, language: "en"))

    private static func document(isOpen: Bool, shouldStop: @escaping () -> Bool) throws -> SearchDocument {
        var conditions = SearchIndex.Conditions()
        (conditions.text, conditions.limit) = ("shop", 100)
        if isOpen {
            conditions.openAt = Timestamp.date(of: "2031-06-13T12:00:00Z")
            conditions.timeZone = TimeZone(identifier: "Asia/Tokyo")
        }
        let request = try SearchRequest(QueryValues(Request("/venues/mall/search?q=shop")))
        return SearchDocument(Self.index, conditions, request, shouldStop: shouldStop)
    }

    @Test func `making the response asks before each result, and each day of its opening hours, whether to stop`()
        throws
    {
        for (isOpen, least) in [(false, Self.count), (true, Self.count * 366)] {
            var calls = 0
            let document = try Self.document(isOpen: isOpen) {
                calls += 1
                return false
            }
            let callsOfSearch = calls
            let response = document.json(venue: "mall", revision: 1, query: .null)
            let results = try #require(response["results"]?.array)
            #expect(results.count == Self.count && calls - callsOfSearch >= least)
            if isOpen { #expect(results.allSatisfy { $0["open"]?["next_change"]?.isNull == true }) }
        }
    }

    @Test func `a response that is stopped leaves out the rest`() throws {
        var isStopped = false
        let document = try Self.document(isOpen: true) { isStopped }
        isStopped = true
        let response = document.json(venue: "mall", revision: 1, query: .null)
        #expect(response["count"]?.number == Double(Self.count) && response["results"] == [])
    }
}
