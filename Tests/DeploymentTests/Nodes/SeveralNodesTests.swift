import Foundation
import IMDF
import Postgres
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Several nodes on one database and on a lagging read replica.
@Suite(.serialized)
struct SeveralNodesTests {
    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(2))
    func `several nodes: clients that switch between them never go back in time`(seed: UInt64) async throws {
        try await Deployment.run(nodes: 2, settings: PostgresServer.withoutDurability) { deployment in
            try await Self.switchNodes(between: deployment.services, seed: seed) { _ in }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(2))
    func `several nodes: clients that switch never go back in time when one node reads from a lagging replica`(
        seed: UInt64
    )
        async throws
    {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let standby = try #require(deployment.standby)
            try await Self.switchNodes(between: deployment.services, seed: seed) { random in
                try await standby.pauseReplay()
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...1_500, using: &random)))
                try await standby.resumeReplay()
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...300, using: &random)))
            }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `read replica that lags is bypassed for newer revisions`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let (primary, reader) = (deployment.services[0], deployment.services[1])
            let standby = try #require(deployment.standby)
            try await primary.publish(.tiny)
            var held = Follower()
            try await held.pull { try await reader.request("GET", $0).body }
            try await standby.pauseReplay()
            let next = SampleVenue.tiny.edited(Edit(.rename, 2))
            #expect(try await primary.publish(next).revision == 2)
            // A client of the primary knows revision 2, so the reader must not answer with an older one.
            var ahead = held
            try await ahead.pull { try await primary.request("GET", $0).body }
            #expect(ahead.revision == 2)
            try await ahead.pull { try await reader.request("GET", $0).body }
            let cursor = try #require(held.replica.cursor)
            let pinned = try await reader.request("GET", "/venues/mall/sync?since=\(cursor)&to=2").body
            #expect(try ChangeSet(json: pinned).to == 2)
            try await standby.resumeReplay()
            try await eventually("revision 2 at the reader") {
                try await held.pull { try await reader.request("GET", $0).body }
                return held.revision == 2
            }
            try await held.verifyFinalState { try await reader.request("GET", $0).body }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `venue is read as before its newest revision while only a lagging replica responds`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let (primary, reader) = (deployment.services[0], deployment.services[1])
            let standby = try #require(deployment.standby)
            for venue in ["hall", "mall"] { try await primary.publish(.tiny, to: venue) }
            try await Self.wait(for: 2, in: standby)
            var held = Follower()
            try await held.pull { try await reader.request("GET", $0).body }
            try await standby.pauseReplay()
            // The hall has another setting besides, which must not be forgotten.
            for venue in ["hall", "mall"] { try await primary.publish(.tiny.edited(Edit(.rename, 2)), to: venue) }
            try await primary.set("public", to: true, of: "hall")
            var ahead = held
            try await ahead.pull { try await primary.request("GET", $0).body }
            try await eventually("revision 2 at the reader") {
                try await reader.get(Venue.self, "/venues/mall").head == 2
            }
            await deployment.database.kill()
            let fresh = try await reader.steady("/venues/mall/sync?limit=1000")
            #expect(try ChangeSet(json: fresh.body).to == 1)
            try await held.pull { try await reader.steady($0).body }
            #expect(held.revision == 1)
            // A client that has seen the newer revision is never sent back.
            let cursor = try #require(ahead.replica.cursor)
            #expect(try await reader.send("GET", "/venues/mall/sync?since=\(cursor)").status == 503)
            #expect(try await reader.send("GET", "/venues/hall/sync").status == 503)
            try await deployment.database.start()
            try await standby.resumeReplay()
            try await eventually("revision 2 after the outage", within: .seconds(30)) {
                try await held.pull { try await reader.steady($0).body }
                return held.revision == 2
            }
            try await held.verifyFinalState { try await reader.steady($0).body }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `read replica that is killed does not interrupt reads`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let (primary, reader) = (deployment.services[0], deployment.services[1])
            let standby = try #require(deployment.standby)
            for venue in ["airport", "hall", "mall"] { try await primary.publish(.tiny, to: venue) }
            try await Self.wait(for: 3, in: standby)
            let warm = "/venues/airport/revisions/1/features"
            let before = try await reader.request("GET", warm).body
            await standby.kill()
            // None of these is cached, so all have to be read.
            for path in [warm, "/venues/hall/sync", "/venues/mall/diff?from=1", "/venues/mall/revisions/1", "/sync"] {
                let response = try await reader.send("GET", path)
                #expect(response.status == 200, "\(path): \(response.text.prefix(200))")
                if path == warm { #expect(response.body == before) }
            }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `read replica: requests in progress survive its loss`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let (primary, reader) = (deployment.services[0], deployment.services[1])
            let standby = try #require(deployment.standby)
            for round in 0..<3 {
                let venue = "mall-\(round)"
                try await primary.publish(SampleVenue(.init(levels: 2, unitsPerLevel: 60)), to: venue)
                try await eventually("the venue at the reader") {
                    try await reader.send("GET", "/venues/\(venue)").status == 200
                }
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for limit in 1...40 {
                        group.addTask { try await reader.send("GET", "/venues/\(venue)/sync?limit=\(limit)").status }
                        if limit == 20 {
                            group.addTask {
                                await standby.kill(); return 200
                            }
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
                try await standby.start()
            }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `read replica keeps serving all reads while the primary is down`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let reader = deployment.services[1]
            for venue in ["hall", "mall"] {
                try await deployment.services[0].publish(.tiny, to: venue)
                try await reader.request("GET", "/venues/\(venue)")
            }
            try await Self.wait(for: 2, in: try #require(deployment.standby))
            await deployment.database.kill()
            // The reader does not know this venue and cannot ask the primary.
            #expect(try await reader.send("GET", "/venues/nowhere").status == 503)
            for path in ["/venues/hall/sync", "/venues/mall/revisions/1/features", "/venues/mall/sync"] {
                let response = try await reader.send("GET", path)
                #expect(response.status == 200, "\(path): \(response.text.prefix(200))")
            }
            try await deployment.database.start()
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `promotion without loss: cursors stay valid in the new epoch`() async throws {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let standby = try #require(deployment.standby)
            try await deployment.services[0].publish(.tiny)
            var follower = Follower()
            try await follower.pull { try await deployment.services[0].request("GET", $0).body }
            try await Self.wait(for: 1, in: standby)
            await deployment.database.kill()
            try await standby.promote()
            try await Self.withSurvivor(on: standby, of: deployment) { survivor in
                let cursor = try #require(follower.replica.cursor)
                let kept = try await survivor.request("GET", "/venues/mall/sync?since=\(cursor)")
                let set = try ChangeSet(json: kept.body)
                #expect(set.to == 1 && set.blocks.isEmpty && set.cursor.epoch != cursor.epoch)
                #expect(try await survivor.publish(SampleVenue.tiny.edited(Edit(.rename, 1))).revision == 2)
                try await follower.pull { try await survivor.request("GET", $0).body }
                #expect(follower.revision == 2)
                try await follower.verifyFinalState { try await survivor.request("GET", $0).body }
            }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `promotion that loses a revision: only its cursors are answered 410, and no number has two contents`()
        async throws
    {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let (primary, standby) = (deployment.services[0], try #require(deployment.standby))
            try await primary.publish(.tiny)
            var behind = Follower()
            try await behind.pull { try await primary.request("GET", $0).body }
            try await Self.wait(for: 1, in: standby)
            // The standby is away while the second revision is published and read.
            await standby.stop()
            try await primary.publish(SampleVenue.tiny.edited(Edit(.rename, 2)))
            var ahead = behind
            try await ahead.pull { try await primary.request("GET", $0).body }
            #expect(ahead.revision == 2)
            let (lostCursor, keptCursor) = (
                try #require(ahead.replica.cursor), try #require(behind.replica.cursor)
            )
            await deployment.database.kill()
            try await standby.start()
            try await standby.promote()
            try await Self.withSurvivor(on: standby, of: deployment) { survivor in
                let lost = try await survivor.send("GET", "/venues/mall/sync?since=\(lostCursor)")
                #expect(lost.status == 410 && lost.text.contains("/problems/history-lost"), "\(lost.text)")
                let kept = try await survivor.send("GET", "/venues/mall/sync?since=\(keptCursor)")
                #expect(kept.status == 200, "\(kept.text)")
                // The number of the lost revision is given again, and its cursor still does not match.
                #expect(try await survivor.publish(SampleVenue.tiny.edited(Edit(.rename, 1))).revision == 2)
                let again = try await survivor.send("GET", "/venues/mall/sync?since=\(lostCursor)")
                #expect(again.status == 410, "\(again.text)")
                try await behind.pull { try await survivor.request("GET", $0).body }
                #expect(behind.revision == 2 && behind.replica != ahead.replica)
                try await behind.verifyFinalState { try await survivor.request("GET", $0).body }
            }
        }
    }

    /// Runs a node and a worker on a server that was promoted.
    private static func withSurvivor(
        on database: PostgresServer, of deployment: Deployment, _ test: (RemoteService) async throws -> Void
    ) async throws {
        let survivor = try ServedNode(
            databaseURL: database.url, log: deployment.workplace.folder.appending(path: "survivor.log"))
        let worker = WorkerNode(
            databaseURL: database.url, log: deployment.workplace.folder.appending(path: "survivor-worker.log"))
        try await survivor.start()
        try await worker.start()
        do {
            try await test(survivor.service)
        } catch {
            await worker.stop()
            await survivor.stop()
            throw error
        }
        await worker.stop()
        await survivor.stop()
    }

    @Test(.timeLimit(.minutes(30)))
    func `several nodes: a revision published on one node reaches long polls and events on another`() async throws {
        try await Deployment.run(nodes: 2, settings: PostgresServer.withoutDurability) { deployment in
            let (here, there) = (deployment.services[0], deployment.services[1])
            try await here.publish(.tiny)
            var follower = Follower()
            try await follower.pull { try await there.request("GET", $0).body }
            let cursor = try #require(follower.replica.cursor)
            async let waited = there.request("GET", "/venues/mall/sync?since=\(cursor)&wait=50")
            async let listened = Self.listen(to: there, until: 2)
            #expect(try await here.publish(SampleVenue.tiny.edited(Edit(.rename, 1))).revision == 2)
            #expect(try await ChangeSet(json: waited.body).to == 2)
            #expect(try await listened == 2)
        }
    }

    /// Waits until the read replica has `count` revisions.
    private static func wait(for count: Int64, in standby: PostgresServer) async throws {
        let pool = ConnectionPool(standby.configuration, size: 1)
        try await eventually("\(count) revisions in the read replica") {
            try await pool.query("SELECT count(*) FROM revision").decode(Int64.self) == [count]
        }
        await pool.close()
    }

    private static func listen(to node: RemoteService, until position: Int64) async throws -> Int64 {
        var listener = Listener()
        try await eventually("event \(position)") {
            try await listener.listen(to: node, for: .seconds(1))
            return listener.position >= position
        }
        return listener.position
    }

    /// Publishes on random nodes while clients follow on random nodes and `disturb` is repeated.
    private static func switchNodes(
        between nodes: [RemoteService], seed: UInt64,
        disturb: @escaping @Sendable (_ random: inout SplitMix64) async throws -> Void
    ) async throws {
        try await nodes[0].publish(.tiny)
        try await nodes[0].set("removal_guard", to: false)
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Follower?.self) { group in
            for number in 0..<4 as Range<UInt64> {
                group.addTask {
                    var random = SplitMix64(seed: seed << 8 | number)
                    return try await Self.follow(until: isOver, between: nodes, using: &random)
                }
            }
            group.addTask {
                var random = SplitMix64(seed: seed << 8 | 0x80)
                while !isOver.isSet { try await disturb(&random) }
                return nil
            }
            group.addTask {
                defer { isOver.set() }
                var random = SplitMix64(seed: seed)
                try await Self.publish(at: nodes, using: &random)
                return nil
            }
            for try await follower in group {
                guard var follower else { continue }
                for node in nodes.shuffled() {
                    try await follower.verifyFinalState { try await node.request("GET", $0).body }
                }
            }
        }
    }

    private static func follow(
        until isOver: Flag, between nodes: [RemoteService], using random: inout SplitMix64
    ) async throws -> Follower {
        var follower = Follower()
        while !isOver.isSet {
            // Even pages of one change set come from different nodes.
            var nodeChoice = SplitMix64(seed: random.next())
            let wait = Int.random(in: 0..<4, using: &random) == 0 ? "&wait=1" : ""
            try await follower.pull(using: &random) { path in
                try await nodes[Int.random(in: nodes.indices, using: &nodeChoice)].request("GET", path + wait).body
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
        }
        return follower
    }

    private static func publish(at nodes: [RemoteService], using random: inout SplitMix64) async throws {
        var (venue, head) = (SampleVenue.tiny, 1 as Int64)
        for _ in 0..<8 {
            let node = nodes[Int.random(in: nodes.indices, using: &random)]
            if Int.random(in: 0..<3, using: &random) == 0 {
                head = try await node.rollBack(to: Int64.random(in: 1...head, using: &random))?.number ?? head
            } else {
                venue.editRandomly(using: &random)
                head = try await node.publish(venue, query: "?identity=trust").revision ?? head
            }
        }
    }
}
