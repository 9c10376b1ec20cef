import Foundation
import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

/// Opening hours over HTTP.
@Suite(.server)
struct HoursTests {
    private func publish(_ hours: JSONValue, validity: JSONValue = nil) async throws {
        let features = [
            Handmade.feature(1, .venue, geometry: Handmade.square()),
            Handmade.feature(
                30, .occupant,
                ["name": ["en": "Shop"], "category": "specialty", "hours": hours, "validity": validity]),
        ]
        let upload = try await Harness.current.push(Handmade.zip(features))
        try #require(upload.state == .published, "\(upload)")
    }

    private func hours(_ query: String = "") async throws -> JSONValue {
        let response = try await Harness.current.send(.get, "/venues/mall/features/\(Handmade.id(30))/hours?\(query)")
        try #require(response.status == .ok, "\(response.text)")
        return try response.json
    }

    @Test func `hours say what is open, and when that changes`() async throws {
        try await self.publish("Mo-Fr 09:00-18:00, Sa 22:00-02:00")
        try await Harness.current.set("time_zone", to: nil)
        let unknown = try await self.hours("at=2031-03-10T03:00:00Z")
        #expect(unknown["state"] == "unknown" && unknown["reason"] == "no-time-zone" && unknown["days"] == [])
        #expect(unknown["time_zone"] == nil as JSONValue && unknown["reading"] == "strict")
        try await Harness.current.set("time_zone", to: "Asia/Tokyo")
        let open = try await self.hours("at=2031-03-10T12:00:00%2B09:00")
        #expect(open["state"] == "open" && open["reason"]?.isNull == true && open["time_zone_source"] == "operator")
        #expect(open["next_change"] == "2031-03-10T09:00:00.000Z" && open["present"] == true)
        let days = try #require(open["days"]?.array)
        #expect(days.count == 7 && days[0]["date"] == "2031-03-10" && days[6]["intervals"] == [])
        #expect(
            days[5]["intervals"] == [
                [
                    "start": "2031-03-15T13:00:00.000Z", "end": "2031-03-15T17:00:00.000Z", "from": "22:00",
                    "to": "26:00", "state": "open", "comment": nil,
                ]
            ])
        #expect(try await self.hours("at=2031-03-16T01:00:00%2B09:00")["state"] == "open")
        #expect(try await self.hours("days=31")["days"]?.array?.count == 31)
    }

    @Test func `hours of a day on which clocks change begin and end by the local time`() async throws {
        try await self.publish("Mo-Su 01:30-03:30")
        try await Harness.current.set("time_zone", to: "Europe/Berlin")
        // 02:00 becomes 03:00 on 30 March, and 03:00 becomes 02:00 on 26 October.
        let spring = try await self.hours("at=2031-03-30T00:00:00Z&days=1")["days"]?[0]?["intervals"]?[0]
        #expect(spring?["start"] == "2031-03-30T00:30:00.000Z" && spring?["end"] == "2031-03-30T01:30:00.000Z")
        let autumn = try await self.hours("at=2031-10-26T00:00:00Z&days=1")["days"]?[0]?["intervals"]?[0]
        #expect(autumn?["start"] == "2031-10-25T23:30:00.000Z" && autumn?["end"] == "2031-10-26T02:30:00.000Z")
    }

    @Test func `hours that are missing, lenient or unreadable are named so`() async throws {
        for (hours, reading, state, reason) in [
            (nil, "none", "unknown", "no-hours"), ("Mon-Fri 9am to 5pm", "lenient", "open", nil),
            ("ask at the desk", "unreadable", "unknown", "unreadable-hours"),
            (7, "unreadable", "unknown", "unreadable-hours"),
            ("Mo-Su \"on request\"", "strict", "unknown", "undetermined"),
        ] as [(JSONValue, JSONValue, JSONValue, JSONValue)] {
            try await self.publish(hours)
            try await Harness.current.set("time_zone", to: "UTC")
            let report = try await self.hours("at=2031-03-10T12:00:00Z")
            #expect(report["hours"] == hours && report["reading"] == reading, "\(hours)")
            #expect(report["state"] == state && report["reason"] == reason, "\(hours): \(report)")
        }
        #expect(try await self.hours("at=2031-03-10T12:00:00Z")["comment"] == "on request")
    }

    @Test func `hostile hours take bounded time, and invalid parameters are refused`() async throws {
        let rule = "Jan 01-Dec 31 week 01-53/2 Mo[1],Tu[-1] 00:00-24:00 off, "
        let text = String(repeating: rule, count: 70).dropLast(2)
        try await self.publish(.string(String(text)))
        try await Harness.current.set("time_zone", to: "Asia/Tokyo")
        let report = try await self.hours("days=31")
        #expect(report["hours"]?.string?.utf8.count == text.utf8.count)
        try await self.publish(.string(String(repeating: "Mo 1", count: 20_000)))
        #expect(try await self.hours()["reason"] == "unreadable-hours")
        let path = "/venues/mall/features/\(Handmade.id(30))/hours"
        for query in ["days=0", "days=32", "days=x", "at=noon", "at=now&at=now"] {
            try await Harness.current.send(.get, "\(path)?\(query)").problem(400, query)
        }
        try await Harness.current.send(.get, path, key: nil).problem(401)
        try await Harness.current.send(.get, "/venues/mall/features/\(Handmade.id(99))/hours").problem(404)
        try await Harness.current.send(.get, "/venues/mall/features/none/hours").problem(404)
    }

    @Test func `the present is cached to the end of the minute, and a time until the next revision`() async throws {
        try await self.publish("24/7", validity: ["start": "2931-01-01T00:00:00Z", "end": "2932-01-01T00:00:00Z"])
        let path = "/venues/mall/features/\(Handmade.id(30))/hours"
        let now = try await Harness.current.send(.get, path)
        let age = try #require(now.headers[.cacheControl]?.firstMatch(of: /max-age=(\d+)/)).1
        #expect(try #require(Int(age)) <= 60)
        #expect(try now.json["present"] == false)
        let fixed = try await Harness.current.send(.get, "\(path)?at=2931-03-10T12:00:00Z")
        #expect(fixed.parts(of: .cacheControl).contains("no-cache"))
        #expect(try fixed.json["present"] == true)
        let tag = try #require(fixed.headers[.eTag])
        let again = try await Harness.current.send(
            .get, "\(path)?at=2931-03-10T12:00:00Z", headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
    }
}
