import IMDF
import SampleVenue
import SyncModel
import Testing

struct CursorTests {
    private static func random(using random: inout SplitMix64) -> Cursor {
        func levels() -> Cursor.Levels {
            Bool.random(using: &random)
                ? .all
                : .some(
                    (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
        let holding = Cursor.Holding(
            revision: Int64.random(in: 0...(.max), using: &random), digestPrefix: random.next(), levels: levels())
        let page = Cursor.Page(
            to: .random(in: 0...(.max), using: &random), selected: levels(),
            offset: .random(in: 0...1_000_000, using: &random))
        let kind = Int.random(in: 0..<3, using: &random)
        return Cursor(
            epoch: Int64(bitPattern: random.next()), holding: kind == 1 ? nil : holding, page: kind == 0 ? nil : page,
            seal: random.next())
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `cursor survives a round trip through its token`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let cursor = Self.random(using: &random)
            #expect(Cursor(cursor.description) == cursor)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `cursor token: parsing a damaged one never traps and never gives the original cursor`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let token = Self.random(using: &random).description
            var altered = Array(token.utf8)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: altered.removeLast(Int.random(in: 1...altered.count, using: &random))
            case 1: altered.append(contentsOf: "AQ".utf8)
            default:
                altered[Int.random(in: 0..<altered.count, using: &random)] = UInt8.random(in: 33...126, using: &random)
            }
            let text = String(decoding: altered, as: UTF8.self)
            if let cursor = Cursor(text) { #expect(cursor.description == text) }
        }
        for text in [
            "", "A", "AQ", "AQPUjoIdxNINXALuHbwtT-vhWg", "====", "ＡＱ", "AQ==", String(repeating: "A", count: 100_000),
        ] {
            #expect(Cursor(text) == nil)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `cursor token: a flipped bit makes it invalid`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let token = Self.random(using: &random).description
            for (index, bit) in token.utf8.indices.flatMap({ index in (0..<8).map { (index, $0) } }) {
                var flipped = Array(token.utf8)
                flipped[token.utf8.distance(from: token.startIndex, to: index)] ^= 1 << UInt8(bit)
                let text = String(decoding: flipped, as: UTF8.self)
                #expect(Cursor(text) == nil, "\(token) \(text)")
            }
        }
    }

    @Test func `cursor token needs no escaping in URLs`() {
        var random = SplitMix64(seed: 9)
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for _ in 0..<200 { #expect(Self.random(using: &random).description.allSatisfy(allowed.contains)) }
    }

    @Test func `cursor with all levels has a short token for any number of levels`() {
        let cursor = Cursor(
            epoch: 1, holding: .init(revision: 41, digestPrefix: 2, levels: .init(.all(of: 10_000))))
        #expect(cursor.description.count < 50)
    }

    @Test func `LevelSet refuses bits for another number of levels`() {
        #expect(LevelSet(bytes: [0b111], count: 3) != nil)
        #expect(LevelSet(bytes: [0b1000], count: 3) == nil)
        #expect(LevelSet(bytes: [], count: 3) == nil)
        #expect(LevelSet(bytes: [1, 1], count: 3) == nil)
        #expect(LevelSet.all(of: 8).bytes == [255] && LevelSet.all(of: 0).isAll)
    }
}
