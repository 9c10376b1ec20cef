import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Clients of `GET /sync` compared with a model while venues and rights change.
@Suite(.server)
struct CatalogueModelTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `sync over all venues leaves clients with exactly what their key may read`(
        seed: UInt64
    ) async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: seed)
        var model = try await CatalogueModel(harness: harness)
        var clients = [CatalogueReplica](repeating: CatalogueReplica(), count: 4)
        for _ in 0..<30 {
            try await model.change(using: &random)
            let index = Int.random(in: 0..<clients.count, using: &random)
            // Some changes happen between two pages.
            try await Self.pull(
                &clients[index], of: &model, changes: .random(in: 0...3, using: &random), using: &random)
            if Bool.random(using: &random) { try await Self.pull(&clients[index], of: &model, using: &random) }
        }
        // Clients with equal contents have equal cursors.
        for key in model.keys {
            for index in clients.indices {
                try await Self.pull(&clients[index], of: &model, key: key, using: &random)
            }
            #expect(Set(clients.map(\.cursor)).count == 1)
        }
    }

    /// Brings a client up to date. When nothing changed meanwhile, its contents equal the model.
    private static func pull(
        _ client: inout CatalogueReplica, of model: inout CatalogueModel, changes: Int = 0,
        key fixed: CatalogueModel.Key? = nil, using random: inout SplitMix64
    ) async throws {
        var left = changes
        var isSwitched = false
        var pages: [CatalogueChangeSet] = []
        var key = fixed ?? model.keys.randomElement(using: &random) ?? model.keys[0]
        repeat {
            let page = try await model.harness.catalogue(
                since: pages.last?.cursor ?? client.cursor,
                limit: Int.random(in: 0..<8, using: &random).nonzero, key: key.secret)
            let readable = model.readable(by: key)
            #expect(page.venues.allSatisfy { readable[$0.venue] != nil }, "a venue that the key may not read")
            #expect(page.gone.allSatisfy { name in !page.venues.contains { $0.venue == name } })
            let known = Set(client.venues.keys).union(pages.flatMap(\.venues).map(\.venue))
            #expect(known.isSuperset(of: page.gone), "the name of a venue that the client does not know")
            pages.append(page)
            guard !page.isComplete, left > 0 else { continue }
            try await model.change(using: &random)
            left -= 1
            // The change may have replaced the key. A cursor is not bound to a key, so another one may request the next
            // page.
            key = model.keys.randomElement(using: &random) ?? key
            isSwitched = true
        } while pages.last?.isComplete == false
        try client.apply(pages)
        if !isSwitched { #expect(client.bodies == model.readable(by: key)) }
    }
}

extension Int {
    fileprivate var nonzero: Int? { self == 0 ? nil : self }
}
