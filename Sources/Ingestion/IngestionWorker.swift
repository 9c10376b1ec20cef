package import IMDFArchive
package import Logging
package import RevisionStore
import ServiceLifecycle
import SyncModel

/// Works on uploads, one after the other: read, compare, publish. Any number of workers may run beside each other.
package struct IngestionWorker: Service {
    package struct Settings: Sendable {
        /// How long a silent worker keeps its job.
        package var lease: Duration
        /// How often the queue is looked at when nobody said that there is something in it.
        package var patience: Duration
        package var limits: ArchiveLimits

        package init(lease: Duration = .seconds(30), patience: Duration = .seconds(1), limits: ArchiveLimits = .init())
        {
            self.lease = lease
            self.patience = patience
            self.limits = limits
        }
    }

    /// How often it is looked what nobody needs any more.
    private static let sweepInterval = Duration.seconds(60)

    let store: RevisionStore
    let settings: Settings
    let logger: Logger

    package init(store: RevisionStore, settings: Settings = Settings(), logger: Logger) {
        self.store = store
        self.settings = settings
        self.logger = logger
    }

    /// Works until the service is shut down; a job under way is finished first.
    package func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        wake.yield()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { for await _ in self.store.uploadSignals { wake.yield() } }
            tasks.addTask { while (try? await Task.sleep(for: self.settings.patience)) != nil { wake.yield() } }
            var sweep = Sweep(store: self.store)
            for await _ in wakes.cancelOnGracefulShutdown() { await self.work(&sweep) }
            tasks.cancelAll()
        }
    }

    /// Works until there is nothing to do.
    private func work(_ sweep: inout Sweep) async {
        do {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                // By turns, so that neither waits for the other to have nothing to do.
                let hasWorked = try await self.workOnce()
                guard try await sweep.sweepSome() || hasWorked else { return }
            }
        } catch {
            self.logger.error("Queue cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Sweeps until there is nothing to sweep.
    package func sweep() async throws {
        var sweep = Sweep(store: self.store)
        while try await sweep.sweepSome() {}
    }

    /// Forgets what nobody needs: bodies that were left behind, archives of old uploads, revisions that are not to be kept. A bit
    /// at a time.
    private struct Sweep {
        let store: RevisionStore
        private var sweptAt: ContinuousClock.Instant?
        /// The news by which there was nothing to do.
        private var news: Int64?

        init(store: RevisionStore) {
            self.store = store
        }

        /// Whether there was anything to do, so that there may be more. Most calls find that it is not yet time, and that nothing was
        /// published or set since.
        mutating func sweepSome() async throws -> Bool {
            let news = try await self.store.newsNumber()
            let isTime = self.sweptAt.map { $0.duration(to: .now) > IngestionWorker.sweepInterval } ?? true
            guard isTime || news != self.news else { return false }
            if isTime {
                try await self.store.sweepAbandonedArchives()
                if try await self.store.sweepOldArchives() > 0 { return true }
            }
            if try await self.store.pruneSome() { return true }
            if isTime { self.sweptAt = .now }
            self.news = news
            return false
        }
    }

    /// Claims one job and does it; false when there was none.
    package func workOnce() async throws -> Bool {
        let lease = self.settings.lease.inSeconds
        var next = try await self.store.claim(leaseFor: lease)
        // What is published already can wait; nobody waits for it.
        if next == nil { next = try await self.store.claimValidation(leaseFor: lease) }
        guard let job = next else { return false }
        var logger = self.logger
        logger[metadataKey: "upload.id"] = "\(job.upload)"
        logger[metadataKey: "venue"] = "\(job.venue)"
        logger[metadataKey: "attempt"] = "\(job.attempt)"
        await JobRun(job: job, store: self.store, settings: self.settings, logger: logger).run()
        return true
    }
}

extension Duration {
    var inSeconds: Double {
        Double(self.components.seconds) + Double(self.components.attoseconds) * 1e-18
    }
}
