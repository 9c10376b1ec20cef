import Logging
import RevisionStore
import ServiceLifecycle
import Synchronization

/// Keeps what a node knows fresh and tells those who wait: listens on one connection, and looks every second in case that a
/// notification was lost.
struct ChangeNotifier: Service {
    let live: Live
    let logger: Logger

    init(_ live: Live, logger: Logger) {
        self.live = live
        self.logger = logger
    }

    private var node: Node { self.live.node }

    func run() async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.live.room.open()
        signal.yield()
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    for await kind in self.node.store.changeNotifications {
                        if kind == .connected { await self.lookWhere() }
                        signal.yield()
                    }
                }
                tasks.addTask { await self.tick(signal) }
                tasks.addTask {
                    var sight = Sight()
                    for await _ in signals where await self.look(&sight) { look.yield() }
                }
                // Apart, because it waits for the replica, and the next look should not.
                tasks.addTask {
                    var progress = Progress()
                    for await _ in looks { await self.tell(&progress) }
                }
            }
        }
        self.live.room.close()
    }

    /// Behind a new connection may be another server: a restored one, or a replica that was promoted.
    private func lookWhere() async {
        var isBlind = false
        while !Task.isCancelled {
            do {
                return try await self.node.store.checkLineage(telling: self.logger)
            } catch {
                if !isBlind {
                    self.logger.warning("Where the database is cannot be seen", metadata: ["error": "\(error)"])
                }
                isBlind = true
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// The clock of everything that has a deadline here.
    private func tick(_ signal: AsyncStream<Void>.Continuation) async {
        var ticks = 0
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            ticks += 1
            self.live.room.expire(at: .now)
            if ticks % 4 == 0 { signal.yield() }
        }
    }

    /// Whether the last try failed. That is logged once, not every second.
    private struct Sight {
        var isLost = false
        /// The history for which it was looked where the database is.
        var history = 0
    }

    /// Looks for news, and vouches for what is known. False when nothing can be seen.
    private func look(_ sight: inout Sight) async -> Bool {
        let moment = ContinuousClock.now
        let hasSeen = await self.trying(&sight) {
            try await self.node.refresh()
            self.node.confirm(asOf: moment)
        }
        let history = self.node.histories
        if hasSeen, history != sight.history {
            // Restored in the same place, perhaps, and then every venue needs another epoch. Tried again at the next look.
            let isSettled = await self.trying(&sight) {
                try await self.node.store.checkLineage(telling: self.logger)
            }
            if isSettled { sight.history = history }
        }
        // Also when there was nothing to see: who reads from the replica goes on.
        await self.node.pollReplica()
        return hasSeen
    }

    private struct Progress {
        /// The number of the last news that were told.
        var announced: Int64 = -1
        /// The history that they were of.
        var history = 0
        var sight = Sight()
    }

    /// Tells of what is known and was not told yet.
    private func tell(_ progress: inout Progress) async {
        if self.node.histories != progress.history { self.beginAnew(&progress) }
        guard self.node.news > progress.announced else { return }
        await self.waitForReplica()
        let (news, position, history) = (self.node.news, self.node.position, progress.history)
        let isRead = await self.trying(&progress.sight) { try await self.readEvents(upTo: position, of: history) }
        // Whether what was read is of the history that began meanwhile cannot be told: that is looked at anew.
        guard isRead, self.node.histories == history else { return }
        self.announce(after: progress.announced, upTo: news, of: history)
        progress.announced = news
    }

    private func trying(_ sight: inout Sight, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            if sight.isLost { self.logger.notice("News are seen again") }
            sight.isLost = false
            return true
        } catch {
            guard !sight.isLost, !Task.isCancelled else { return false }
            sight.isLost = true
            self.logger.warning("News cannot be seen", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Whoever is woken reads, and had better read from the replica. One that lags is not waited for long.
    private func waitForReplica() async {
        let deadline = ContinuousClock.now + Node.trust
        while self.node.hasReplica, !self.node.isReplicaLevel, .now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
            await self.node.pollReplica()
        }
    }

    /// The database is another copy than the one that was known.
    private func beginAnew(_ progress: inout Progress) {
        progress.announced = -1
        progress.history = self.node.histories
        self.live.responseCache.removeAll()
        self.live.feed.begin(at: self.node.position, of: progress.history)
        self.live.room.beginAnew()
    }

    /// - Parameter last: The position that the node knows of. Of what came since, it does not know who may read it.
    private func readEvents(upTo last: Int64, of history: Int) async throws {
        guard let end = self.live.feed.end(of: history) else { return self.live.feed.begin(at: last, of: history) }
        var position = end
        while true {
            let notices = try await self.node.store.publications(after: position, limit: 500)
                .prefix { $0.position <= last }
            guard let newest = notices.last else { return }
            self.live.feed.append(try notices.map(EventFeed.Event.init), of: history)
            position = newest.position
        }
    }

    private func announce(after announced: Int64, upTo number: Int64, of history: Int) {
        var news: [LongPollRegistry.Subject: Int64] = [.anything: number]
        for venue in self.node.venues(changedAfter: announced) { news[.venue(venue.id)] = venue.changeNumber }
        if let end = self.live.feed.end(of: history) { news[.revisions(of: history)] = end }
        self.live.room.announce(news)
    }
}

/// Ends all waiting as soon as the server is asked to stop, so that every request that waits is answered and none holds it up.
/// Put it behind the server in a service group, which stops its services from the last to the first.
struct LongPollCloser: Service {
    let room: LongPollRegistry
    let readiness: Readiness

    init(_ live: Live, readiness: Readiness) {
        self.room = live.room
        self.readiness = readiness
    }

    func run() async throws {
        try? await gracefulShutdown()
        // First, so that those who are answered now are told that their connection ends.
        self.readiness.drain()
        self.room.close()
    }
}
