import Foundation
import OpeningHours
import Testing

/// The cases that all languages have in common.
@Suite struct SharedHoursTests {
    private struct Cases: Decodable {
        let read: [[String]]
        let refused: [String]
        let states: [State]
    }

    private struct State: Decodable {
        let text: String
        let states: [String: String]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            self.text = try container.decode(String.self)
            self.states = try container.decode([String: String].self)
        }
    }

    private static func cases() throws -> Cases {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Conformance/lenient-opening-hours.json")
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    @Test func `shared cases: texts are read or refused as in every language`() throws {
        let cases = try Self.cases()
        #expect(cases.read.count > 60 && cases.refused.count > 50)
        for texts in cases.read {
            let hours = try OpeningHours(lenient: texts[0])
            #expect(hours.strictText == texts[1] && hours.isLenient, "\(texts[0])")
        }
        for text in cases.refused {
            #expect(throws: OpeningHoursError.self, "\(text)") { try OpeningHours(lenient: text) }
        }
    }

    @Test func `shared cases: open ends and what is closed have the states of every language`() throws {
        let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        let zone = try TimeZone.named("Asia/Tokyo")
        let monday = try Date("2031-06-09T00:00:00+09:00")
        for state in try Self.cases().states {
            let hours = try? OpeningHours(lenient: state.text)
            for (moment, expected) in state.states {
                let parts = moment.split { " :".contains($0) }
                let day = try #require(weekdays.firstIndex(of: String(parts[0])))
                let (hour, minute) = (try #require(Int(parts[1])), try #require(Int(parts[2])))
                let instant = monday + Double((day * 24 + hour) * 3_600 + minute * 60)
                let found = hours?.state(at: instant, in: zone) ?? .unknown
                #expect(found.rawValue == expected, "\(state.text) at \(moment)")
            }
        }
    }
}
