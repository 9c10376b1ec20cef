import SampleVenue
import SyncModel
import Testing

struct CatalogueCursorTests {
    /// Sparse, dense or in long runs.
    private static func venues(using random: inout SplitMix64) -> Set<Int64> {
        var venues: Set<Int64> = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let start = Int64.random(in: 0...200, using: &random)
            let step = Int64.random(in: 1...3, using: &random)
            venues.formUnion((0..<Int64.random(in: 1...40, using: &random)).map { start + $0 * step })
        }
        return venues
    }

    private static func random(using random: inout SplitMix64) -> CatalogueCursor {
        func checkpoint() -> CatalogueCursor.Checkpoint {
            .init(position: .random(in: 0...(.max), using: &random), chain: random.next())
        }
        let holding = CatalogueCursor.Holding(checkpoint: checkpoint(), venues: VenueSet(Self.venues(using: &random)))
        let from = Bool.random(using: &random) ? Int64.random(in: 1...(.max), using: &random) : nil
        let sent = CatalogueCursor.Part(
            from: from, to: .random(in: 1...(.max), using: &random), offset: .random(in: 0...1_000_000, using: &random))
        let page = CatalogueCursor.Page(
            to: checkpoint(), selected: VenueSet(Self.venues(using: &random)),
            venue: .random(in: 1...(.max), using: &random),
            sent: Bool.random(using: &random) ? sent : nil)
        let kind = Int.random(in: 0..<3, using: &random)
        return CatalogueCursor(
            holding: kind == 1 ? nil : holding, page: kind == 0 ? nil : page, seal: random.next())
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `VenueSet behaves like a set`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let (left, right) = (Self.venues(using: &random), Self.venues(using: &random))
            let (first, second) = (VenueSet(left), VenueSet(right))
            #expect(Array(first.indices) == left.sorted() && first.isEmpty == left.isEmpty)
            #expect(first.union(second) == VenueSet(left.union(right)))
            #expect(first.subtracting(second) == VenueSet(left.subtracting(right)))
            #expect(first.intersection(second) == VenueSet(left.intersection(right)))
            #expect((0..<350 as Range<Int64>).allSatisfy { first.contains($0) == left.contains($0) })
            #expect(zip(first.runs, first.runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `catalogue cursor survives a round trip through its token, which needs no escaping in URLs`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for _ in 0..<500 {
            let cursor = Self.random(using: &random)
            #expect(CatalogueCursor(cursor.description) == cursor)
            #expect(cursor.description.allSatisfy(allowed.contains))
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `catalogue token: parsing a damaged one never traps and never gives the original cursor`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            var altered = Array(Self.random(using: &random).description.utf8)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: altered.removeLast(Int.random(in: 1...altered.count, using: &random))
            case 1: altered.append(contentsOf: "AQ".utf8)
            default:
                altered[Int.random(in: 0..<altered.count, using: &random)] =
                    Array("AQgw_-z0".utf8).randomElement(using: &random) ?? 0
            }
            let text = String(decoding: altered, as: UTF8.self)
            if let cursor = CatalogueCursor(text) { #expect(cursor.description == text) }
        }
        for text in ["", "Ag", "AgAA", "====", "Ag==", String(repeating: "Ag", count: 50_000)] {
            #expect(CatalogueCursor(text) == nil)
        }
    }

    @Test func `cursors: neither kind parses as the other`() {
        let ofVenue = Cursor(epoch: 1, holding: .init(revision: 41, digestPrefix: 2, levels: .all))
        let ofAll = CatalogueCursor(holding: .init(checkpoint: .init(position: 41, chain: 2), venues: VenueSet([1])))
        #expect(CatalogueCursor(ofVenue.description) == nil && Cursor(ofAll.description) == nil)
    }

    @Test func `catalogue token is short for all or few venues, and needs at most one bit per venue`() {
        func length(_ venues: VenueSet) -> Int {
            CatalogueCursor(holding: .init(checkpoint: .init(position: 5_000_000, chain: 2), venues: venues))
                .description
                .count
        }
        #expect(length(VenueSet(runs: [1..<100_001])) < 40)
        #expect(length(VenueSet([7, 99, 1_000, 50_000, 99_999])) < 60)
        #expect(length(VenueSet(stride(from: 1, through: 100_000, by: 2))) < 100_000 / 6 + 40)
    }
}
