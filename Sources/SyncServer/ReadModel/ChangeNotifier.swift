import Logging
import RevisionStore
import ServiceLifecycle
import Synchronization

/// Keeps the read model fresh and wakes long polls.
///
/// It listens on one connection for notifications of PostgreSQL, and polls every second, so that a lost notification costs a
/// second at most.
struct ChangeNotifier: Service {
    let readModel: ReadModel
    let longPolls: LongPolls
    let eventFeed: EventFeed
    let logger: Logger

    func run() async throws {
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (polls, poll) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.longPolls.open()
        wakeUp.yield()
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await self.listen(wakeUp) }
                tasks.addTask { await self.tick(wakeUp) }
                tasks.addTask { await self.recordKeyUse() }
                tasks.addTask {
                    var state = PollState()
                    for await _ in wakeUps where await self.poll(&state) { poll.yield() }
                }
                // A task of its own, because it waits for the replica and must not delay the next poll.
                tasks.addTask {
                    var progress = Progress()
                    for await _ in polls { await self.notify(&progress) }
                }
            }
        }
        self.longPolls.close()
    }

    private func listen(_ wakeUp: AsyncStream<Void>.Continuation) async {
        for await notification in self.readModel.store.notifications {
            switch notification {
            case .connected:
                await self.checkLineage()
                wakeUp.yield()
            case .changed, .queued: wakeUp.yield()
            case .upload(let id): self.longPolls.notifyUpload(id)
            }
        }
    }

    /// Checks the lineage of the database, which a new connection may have changed: a restored server or a promoted replica may
    /// respond under the same address.
    private func checkLineage() async {
        var hasFailed = false
        while !Task.isCancelled {
            do {
                return try await self.readModel.store.checkLineage(logger: self.logger)
            } catch {
                // The end of the server is no failure.
                if !hasFailed, !Task.isCancelled {
                    self.logger.warning("Cannot check the lineage of the database", metadata: ["error": "\(error)"])
                }
                hasFailed = true
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// The clock of all deadlines of long polls, and of the poll every second.
    private func tick(_ wakeUp: AsyncStream<Void>.Continuation) async {
        var ticks = 0
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            ticks += 1
            self.longPolls.expire(at: .now)
            if ticks % 4 == 0 { wakeUp.yield() }
        }
    }

    private func recordKeyUse() async {
        while (try? await Task.sleep(for: ReadModel.keyUseInterval)) != nil {
            do {
                try await self.readModel.recordKeyUse()
            } catch {
                self.logger.warning("Cannot record when keys were last used", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Whether the last attempt failed, so that an outage is logged once and not every second.
    private struct FailureLog {
        var isFailing = false
    }

    private struct PollState {
        var failures = FailureLog()
        /// The generation for which the lineage of the database was checked.
        var generation = 0
    }

    /// Refreshes and confirms the read model. False when the database cannot be read.
    private func poll(_ state: inout PollState) async -> Bool {
        let start = self.readModel.now()
        let isRefreshed = await self.attempt(&state.failures) {
            try await self.readModel.refresh()
            self.readModel.confirm(asOf: start)
        }
        self.longPolls.notify(changed: self.readModel.takeChangedKeys())
        let generation = self.readModel.generation
        if isRefreshed, generation != state.generation {
            // A database that was restored in place needs new epochs. If this fails, the next poll tries again.
            let isChecked = await self.attempt(&state.failures) {
                try await self.readModel.store.checkLineage(logger: self.logger)
            }
            if isChecked {
                self.logger.notice("Another copy of the database is read", metadata: ["generation": "\(generation)"])
                state.generation = generation
            }
        }
        // Also during an outage of the primary: reads from the replica go on.
        await self.readModel.pollReplica()
        return isRefreshed
    }

    private struct Progress {
        /// The last change number that was announced to long polls.
        var changeNumber: Int64 = -1
        /// The generation of that number.
        var generation = 0
        var failures = FailureLog()
    }

    /// Announces what is known and was not announced yet.
    private func notify(_ progress: inout Progress) async {
        if self.readModel.generation != progress.generation { self.reset(&progress) }
        guard self.readModel.changeNumber > progress.changeNumber else { return }
        await self.waitForReplica()
        let (changeNumber, position) = (self.readModel.changeNumber, self.readModel.cataloguePosition)
        let generation = progress.generation
        let hasEvents = await self.attempt(&progress.failures) {
            try await self.readEvents(upTo: position, of: generation)
        }
        // If another generation began meanwhile, the events may belong to it: the next poll starts over.
        guard hasEvents, self.readModel.generation == generation else { return }
        var latest: [LongPolls.Subject: Int64] = [.anyChange: changeNumber]
        for venue in self.readModel.venues(changedAfter: progress.changeNumber) {
            latest[.venue(venue.id)] = venue.changeNumber
        }
        if let end = self.eventFeed.end(of: generation) { latest[.revisions(generation: generation)] = end }
        self.longPolls.notify(latest)
        progress.changeNumber = changeNumber
    }

    private func attempt(_ failures: inout FailureLog, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            if failures.isFailing { self.logger.notice("Changes can be read again") }
            failures.isFailing = false
            return true
        } catch {
            guard !failures.isFailing, !Task.isCancelled else { return false }
            failures.isFailing = true
            self.logger.warning("Changes cannot be read", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Waits until the replica has the changes, because the requests that are woken should read from it. A replica that lags is
    /// not waited for longer than a poll counts as fresh.
    private func waitForReplica() async {
        let deadline = ContinuousClock.now + ReadModel.confirmationLifetime
        while self.readModel.isReplicaAvailable, !self.readModel.isReplicaCurrent, .now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
            await self.readModel.pollReplica()
        }
    }

    /// Starts over with a database that turned out to be another copy.
    private func reset(_ progress: inout Progress) {
        progress.changeNumber = -1
        progress.generation = self.readModel.generation
        self.eventFeed.reset(to: self.readModel.cataloguePosition, of: progress.generation)
        self.longPolls.reset()
    }

    /// - Parameter last: The catalogue position of the read model, which does not know yet who may read later revisions.
    private func readEvents(upTo last: Int64, of generation: Int) async throws {
        guard let end = self.eventFeed.end(of: generation) else {
            return self.eventFeed.reset(to: last, of: generation)
        }
        var position = end
        while true {
            let publications = try await self.readModel.store.publications(after: position, limit: 500)
                .prefix { $0.position <= last }
            guard let newest = publications.last else { return }
            self.eventFeed.append(try publications.map(EventFeed.Event.init), of: generation)
            position = newest.position
        }
    }
}
