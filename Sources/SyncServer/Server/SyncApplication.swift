import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import RevisionStore
package import ServiceLifecycle
package import SyncModel

/// The server: creates what the routes need, and hands each of them what it uses.
package struct SyncApplication: Sendable {
    package let readModel: ReadModel
    package let longPolls: LongPolls
    package let eventFeed = EventFeed()
    package let settings: ServerSettings
    /// An archive takes a core while it is made, and up to 45 MB of memory for each million features.
    package let exportPermits = FairSemaphore<VenueKey>(permits: 2, queueLimit: 256, queueLimitPerKey: 16)
    /// A comparison takes a core and some megabytes. The other cores and the database connections are left to polls.
    private let comparisonPermits = FairSemaphore<VenueKey>(
        permits: max(2, ProcessInfo.processInfo.activeProcessorCount / 2), queueLimit: 256, queueLimitPerKey: 32)
    /// Reading features and parsing them for a response takes a core and some megabytes. While a response is sent, it waits for each batch
    /// anew, and is not refused any more.
    let featurePermits = FairSemaphore<VenueKey>(
        permits: max(2, ProcessInfo.processInfo.activeProcessorCount / 2), permitsPerKey: 1, queueLimit: 4_096,
        queueLimitPerKey: 1_024)
    /// Some edits read many features. A venue has one edit at a time, because the next one needs its result.
    private let editPermits = FairSemaphore<VenueKey>(permits: 2, queueLimit: 256, queueLimitPerKey: 32)
    let chunks: ChunkCache
    private let responseCache = ResponseCache()
    private let authorizer: Authorizer
    private let middleware: RequestMiddleware
    private let listing: VenueListing
    let tiles: TileService
    let searchIndexes: SearchIndexes
    let wayfindingMaps: PreparedVenues<WayfindingVenue>
    private let statements: StatementService
    let featureTables: FeatureTableService

    package init(readModel: ReadModel, settings: ServerSettings) {
        self.readModel = readModel
        self.settings = settings
        self.longPolls = LongPolls { readModel.key($0) != nil }
        self.authorizer = Authorizer(readModel: readModel, adminKey: settings.adminKey)
        self.middleware = RequestMiddleware(settings, authorizer: self.authorizer)
        self.listing = VenueListing(readModel: readModel)
        self.statements = StatementService(readModel: readModel)
        self.featureTables = FeatureTableService(readModel: readModel)
        self.tiles = TileService(readModel: readModel, fonts: settings.tileFonts, tileLimit: settings.tileLimit)
        self.searchIndexes = SearchIndexes(
            readModel: readModel, bytes: settings.searchIndexBytes, clock: settings.preparationClock,
            metrics: settings.metrics)
        self.wayfindingMaps = PreparedVenues(readModel: readModel, clock: settings.preparationClock)
        self.chunks = ChunkCache { selections in try await readModel.bodies(of: selections) }
    }

    /// The server and the services that it needs, in the order in which a service group starts them.
    package func services(
        logger: Logger, onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> [any Service] {
        [
            self.changeNotifier(logger: logger),
            self.httpServer(logger: logger, onServerRunning: onServerRunning),
            LongPollCloser(longPolls: self.longPolls, readiness: self.settings.readiness),
        ]
    }

    /// Refreshes the read model and wakes long polls.
    package func changeNotifier(logger: Logger) -> any Service {
        ChangeNotifier(
            readModel: self.readModel, longPolls: self.longPolls, eventFeed: self.eventFeed, logger: logger)
    }

    /// The HTTP server alone. Without a change notifier, requests refresh the read model themselves and long polls do not wait.
    package func httpServer(
        logger: Logger, onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let settings = self.settings
        return Application(
            router: self.router(), server: self.serverBuilder(logger: logger),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: ConnectionLimit(
                    limit: settings.maxConnections, metrics: settings.metrics)),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? settings.port) },
            logger: logger)
    }

    package func immediateResponder(logger: Logger) -> ImmediateResponder {
        ImmediateResponder(
            readModel: self.readModel, cache: self.responseCache, middleware: self.middleware,
            longPolls: self.longPolls, logger: logger)
    }

    private func serverBuilder(logger: Logger) -> HTTPServerBuilder {
        let settings = self.settings
        let timeout = TimeAmount(settings.idleTimeout)
        // The longest address is that of a sync which names every level of a large venue.
        return LoopHTTPChannel.builder(
            .init(
                additionalChannelHandlers: [StalledWriteHandler(timeout: timeout)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 48 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100)),
            self.immediateResponder(logger: logger)
        ) { slices in
            ConnectionHandler(
                slices: slices, readiness: settings.readiness, grace: TimeAmount(settings.shutdownGrace),
                idleTimeout: timeout)
        }
    }
}

extension SyncApplication {
    package func router() -> Router<AppRequestContext> {
        let router = Router(context: AppRequestContext.self, options: [.autoGenerateHeadEndpoints])
        let authorizer = self.authorizer
        let executor = RequestExecutor(readModel: self.readModel)
        let requestMetrics = self.middleware.metrics
        router.add(middleware: self.middleware)
        self.registerGauges()
        let groups = RouteGroups(of: router, executor: executor, authorizer: authorizer)
        self.addOperationRoutes(to: groups, requestMetrics: requestMetrics)
        self.addUploadRoutes(to: groups, authorizer: authorizer)
        self.addReadRoutes(to: groups, authorizer: authorizer, executor: executor)
        let routes = router.routes.map { ($0.path, $0.method) }
        requestMetrics.register(routes: routes)
        // Added last, so that it applies to requests that no route matches.
        router.add(middleware: MethodMiddleware(routes: routes))
        return router
    }

    private func registerGauges() {
        let (longPolls, readModel) = (self.longPolls, self.readModel)
        self.settings.metrics.reading(
            "venue_waiting_requests",
            help: "Requests that wait for a change of a venue or an upload, and event streams."
        ) { Double(longPolls.count) }
        self.settings.metrics.reading(
            "venue_change_number", help: "The number of the newest change of a venue or a key that this node knows."
        ) { Double(readModel.changeNumber) }
    }

    private func addOperationRoutes(to groups: RouteGroups, requestMetrics: RequestMetrics) {
        let store = self.readModel.store
        HealthRoutes(
            readModel: self.readModel, readiness: self.settings.readiness, database: DatabaseHealthCheck(store: store)
        ).add(to: groups)
        MetricsRoutes(
            metrics: self.settings.metrics, requestMetrics: requestMetrics,
            queueSizes: UploadQueueSizes(store: store, lifetime: self.settings.queueSizesLifetime)
        ).add(to: groups)
        DocumentRoutes().add(to: groups)
        ConsoleRoutes(settings: self.settings.console, readModel: self.readModel).add(to: groups)
        KeyRoutes(store: store).add(to: groups)
        AuditRoutes(store: store).add(to: groups)
    }

    private func addUploadRoutes(to groups: RouteGroups, authorizer: Authorizer) {
        let store = self.readModel.store
        let waiter = UploadWaiter(store: store, longPolls: self.longPolls)
        UploadRoutes(
            readModel: self.readModel, uploadWaiter: waiter, maxArchiveBytes: self.settings.maxArchiveBytes,
            queueLimits: self.settings.queueLimits
        ).add(to: groups)
        let revisions = self.readModel.revisions
        StagingRoutes(revisions: revisions, uploadWaiter: waiter, comparisonPermits: self.comparisonPermits)
            .add(to: groups)
        PreviewRoutes(
            readModel: self.readModel, adminKey: self.settings.adminKey, comparisonPermits: self.comparisonPermits
        ).add(to: groups)
        MatchRoutes(store: store).add(to: groups)
        RollbackRoutes(revisions: revisions, authorizer: authorizer).add(to: groups)
        let runner = EditRunner(revisions: revisions, authorizer: authorizer, permits: self.editPermits)
        EditRoutes(runner: runner).add(to: groups)
        OverrideRoutes(store: store, runner: runner).add(to: groups)
        OGCEditRoutes(
            runner: runner, readModel: self.readModel, authorizer: authorizer, links: self.settings.links
        ).add(to: groups)
    }

    private func addReadRoutes(to groups: RouteGroups, authorizer: Authorizer, executor: RequestExecutor) {
        let (readModel, cache, chunks) = (self.readModel, self.responseCache, self.chunks)
        VenueRoutes(readModel: readModel, authorizer: authorizer, listing: self.listing).add(to: groups)
        let longPollExecutor = LongPollExecutor(executor: executor, longPolls: self.longPolls)
        SyncRoutes(
            readModel: readModel, authorizer: authorizer, executor: longPollExecutor,
            responses: SyncResponses(readModel: readModel, cache: cache, chunks: chunks)
        ).add(to: groups)
        CatalogueSyncRoutes(
            readModel: readModel, authorizer: authorizer, executor: longPollExecutor,
            responses: CatalogueSyncResponses(readModel: readModel, cache: cache, chunks: chunks)
        ).add(to: groups)
        EventRoutes(
            readModel: readModel, authorizer: authorizer, eventFeed: self.eventFeed, longPolls: self.longPolls
        ).add(to: groups)
        RevisionRoutes(readModel: readModel, authorizer: authorizer, comparisonPermits: self.comparisonPermits)
            .add(to: groups)
        StatementRoutes(statements: self.statements, store: readModel.store, authorizer: authorizer).add(to: groups)
        FeatureRoutes(
            readModel: readModel, authorizer: authorizer,
            responses: CollectionResponses(cache: cache, chunks: chunks),
            comparisonPermits: self.comparisonPermits, featurePermits: self.featurePermits
        ).add(to: groups)
        SearchRoutes(indexes: self.searchIndexes, readModel: readModel).add(to: groups)
        WayfindingRoutes(maps: self.wayfindingMaps, readModel: readModel).add(to: groups)
        ArchiveRoutes(
            readModel: readModel, authorizer: authorizer, exportPermits: self.exportPermits
        ).add(to: groups)
        TileRoutes(tiles: self.tiles, readModel: readModel, links: self.settings.links).add(to: groups)
        TileChangeRoutes(tiles: self.tiles, readModel: readModel).add(to: groups)
        TileArchiveRoutes(tiles: self.tiles, readModel: readModel).add(to: groups)
        StyleRoutes(tiles: self.tiles, readModel: readModel, links: self.settings.links).add(to: groups)
        OGCRoutes(
            tables: self.featureTables, readModel: readModel, links: self.settings.links,
            featurePermits: self.featurePermits
        ).add(to: groups)
        TileTokenRoutes(readModel: readModel, adminKey: self.settings.adminKey).add(to: groups)
    }
}
