import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

/// Buildings with numbered rooms: who searches for a number finds that one, or nothing.
@Suite struct RoomNumberTests {
    private struct Room {
        let id: Int
        let number: String
        let floor: Int
    }

    private static let words = ["Room", "Gate", "Hall", "Suite", "Platform", "会議室", "Salle", "Raum"]

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a search for a number finds the room with it, with the floor or the building too, and no other`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let word = try #require(Self.words.randomElement(using: &random))
        let floors = Int.random(in: 1...4, using: &random)
        var rooms: [Room] = []
        var entries = [VenueMap.Entry(1, .building, ["name": ["en": "Main Hall"], "category": "unspecified"])]
        for floor in 0..<floors {
            entries.append(
                VenueMap.Entry(
                    2 + floor, .level,
                    [
                        "ordinal": .number(Double(floor)), "name": ["en": .string("Level \(floor)")],
                        "short_name": ["en": .string("L\(floor)")], "building_ids": [Make.id(1)],
                    ]))
            for _ in 0..<8 {
                let number = "\(Int.random(in: 10...999, using: &random))"
                guard !rooms.contains(where: { $0.number == number }) else { continue }
                let room = Room(id: 100 + rooms.count, number: number, floor: floor)
                rooms.append(room)
                entries.append(
                    VenueMap.Entry(
                        room.id, .unit, on: 2 + floor,
                        ["name": ["en": .string("\(word) \(number)")], "category": "room"]))
            }
        }
        let map = VenueMap(entries)
        let index = SearchIndex(map)
        func found(_ text: String) -> Set<FeatureID> {
            var conditions = SearchIndex.Conditions()
            (conditions.text, conditions.types, conditions.limit) = (text, [.unit], 1_000)
            let indexed = Set(index.search(conditions).map(\.place.id))
            let listed = Set(map.search(text, types: [.unit], limit: 1_000, isRelated: true).map(\.id))
            #expect(indexed == listed, "“\(text)”")
            return listed
        }
        for room in rooms {
            let id: Set = [FeatureID(room.id)]
            let number = room.number
            for text in [
                "\(word) \(number)", "\(word)\(number)", "\(word.uppercased()) \(number)",
                "\(word) \(number) L\(room.floor)",
                "L\(room.floor) \(word) \(number)", "main hall \(number)", "main hall \(word) \(number) L\(room.floor)",
            ] {
                // A number may begin a longer one.
                let longer = rooms.filter { $0.number.hasPrefix(number) && $0.id != room.id }.map { FeatureID($0.id) }
                let results = found(text)
                #expect(
                    results.isSuperset(of: id) && results.subtracting(id).isSubset(of: longer), "“\(text)” \(results)")
            }
            let other = "L\(room.floor + 1)"
            #expect(!found("\(word) \(number) \(other)").contains(FeatureID(room.id)), "“\(word) \(number) \(other)”")
        }
        for _ in 0..<40 {
            let number = "\(Int.random(in: 10...9_999, using: &random))"
            // A part of a number finds it, too.
            guard !rooms.contains(where: { $0.number.contains(number) }) else { continue }
            for text in ["\(word)\(number)", "\(word) \(number)", "main hall \(number)", "\(number)"] {
                #expect(found(text).isEmpty, "“\(text)” \(rooms.map(\.number))")
            }
        }
    }
}
