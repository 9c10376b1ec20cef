package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import RevisionStore
package import ServiceLifecycle
import SyncModel

/// What the server has to be told.
package struct ServerSettings: Sendable {
    package var host: String
    package var port: Int
    /// A key that is always an admin's, hashed.
    package var adminKey: KeyHash?
    /// Bytes of an archive that are taken at most.
    package var largestArchive: Int64
    /// How many uploads may wait.
    package var queueLimits = QueueLimits()
    /// Web pages whose scripts may read the answers.
    package var origins = AllowedOrigins.none
    /// Of one key at one address; nil for none.
    package var rateLimit: RateLimit?
    /// Proxies in front of the server, each of which adds to `X-Forwarded-For`.
    package var proxies = 0
    /// Connections that are open at once; more wait.
    package var mostConnections = 10_000
    /// How long a connection may be silent while it owes us a request, or we owe it nothing, and how long it may take nothing of
    /// what is sent.
    package var patience = Duration.seconds(60)
    /// How long a connection that is idle when the server stops stays open for a request that is on its way.
    package var grace = Duration.seconds(1)
    /// Where the console's files are.
    package var console = ConsoleSettings()
    /// What the server tells those who watch it. Whoever has something to tell asks for a gauge.
    package var metrics = Metrics()
    package var readiness = Readiness()

    package init(
        host: String = "127.0.0.1", port: Int = 8080, adminKey: KeyHash? = nil, largestArchive: Int64 = 512 << 20
    ) {
        self.host = host
        self.port = port
        self.adminKey = adminKey
        self.largestArchive = largestArchive
    }
}

/// Everything that answers over HTTP, put together.
package enum SyncApplication {
    package static func router(_ live: Live, settings: ServerSettings) -> Router<VenueContext> {
        let store = live.node.store
        let router = Router(context: VenueContext.self, options: [.autoGenerateHeadEndpoints])
        let meter = RequestMetrics(metrics: settings.metrics)
        let authorizer = Authorizer(node: live.node, adminKey: settings.adminKey)
        // From the outside in: everything is counted and has a name; whatever is said, web pages may read it; who sends too much
        // is refused; what goes wrong becomes a problem; who waits, waits there.
        router.add(middleware: RequestRecordMiddleware(meter: meter))
        router.add(middleware: OriginMiddleware(origins: settings.origins))
        router.add(
            middleware: RateLimitMiddleware(
                limiter: RateLimiter(
                    limit: settings.rateLimit, behind: settings.proxies, metrics: settings.metrics,
                    isRight: authorizer.knows)))
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: LongPollMiddleware(room: live.room))
        router.add(middleware: ResponseCacheMiddleware(live: live))
        router.add(middleware: DisconnectMiddleware())
        router.add(middleware: OffLoopMiddleware())
        router.add(middleware: HistoryChangeMiddleware(node: live.node))
        router.add(middleware: AccessDecisionsMiddleware())
        router.add(middleware: ReplicaFailoverMiddleware(node: live.node))
        router.add(middleware: ReadYourWritesMiddleware(node: live.node))
        live.tell(settings.metrics)
        HealthRoutes(node: live.node, readiness: settings.readiness, database: DatabaseHealthCheck(store: store))
            .add(to: router)
        MetricsRoutes(metrics: settings.metrics, meter: meter, store: store).add(to: router)
        DocumentRoutes().add(to: router)
        ConsoleRoutes(settings: settings.console).add(to: router)
        KeyRoutes(store: store, authorizer: authorizer).add(to: router)
        let uploads = UploadRoutes(
            live: live, authorizer: authorizer, largestArchive: settings.largestArchive,
            queueLimits: settings.queueLimits)
        uploads.add(to: router)
        StagingRoutes(store: store, uploads: uploads).add(to: router)
        MatchRoutes(store: store, uploads: uploads).add(to: router)
        VenueRoutes(live: live, authorizer: authorizer).add(to: router)
        SyncRoutes(live: live, authorizer: authorizer).add(to: router)
        CatalogueSyncRoutes(live: live, authorizer: authorizer).add(to: router)
        EventRoutes(live: live, authorizer: authorizer).add(to: router)
        RevisionRoutes(live: live, authorizer: authorizer).add(to: router)
        FeatureRoutes(live: live, authorizer: authorizer).add(to: router)
        ArchiveRoutes(live: live, authorizer: authorizer).add(to: router)
        RollbackRoutes(store: store, authorizer: authorizer).add(to: router)
        meter.begin(with: router.routes.map { ($0.path, $0.method) })
        // Last, so that it stands before nothing but the answer to what no route takes.
        router.add(middleware: MethodMiddleware(routes: router.routes.map { ($0.path, $0.method) }))
        return router
    }

    /// Who tells a node of news.
    package static func watch(_ live: Live, logger: Logger) -> any Service { ChangeNotifier(live, logger: logger) }

    /// The server and what it needs to run, in the order in which a service group starts them.
    package static func services(
        _ live: Live, settings: ServerSettings, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> [any Service] {
        let application = Self.application(live, settings: settings, logger: logger, onServerRunning: onServerRunning)
        return [ChangeNotifier(live, logger: logger), application, LongPollCloser(live, readiness: settings.readiness)]
    }

    /// The server alone. Nobody tells its node of news.
    package static func application(
        _ live: Live, settings: ServerSettings, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: Self.router(live, settings: settings), server: Self.server(settings),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "VenueSync",
                availableConnectionsDelegate: ConnectionLimit(
                    most: settings.mostConnections, metrics: settings.metrics)),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? settings.port) },
            logger: logger)
    }

    private static func server(_ settings: ServerSettings) -> HTTPServerBuilder {
        let patience = TimeAmount(settings.patience)
        // The longest address of a sync names every level of a large venue; nothing else comes near these bounds.
        return LoopHTTPChannel.builder(
            .init(
                additionalChannelHandlers: [StalledWriteHandler(patience: patience), DisconnectHandler()],
                idleTimeout: patience,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 48 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100)),
            connectionHandler: ConnectionHandler(readiness: settings.readiness, grace: TimeAmount(settings.grace)))
    }
}

/// One request.
package struct VenueContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection that it came over.
    let channel: any Channel
    var wait = Wait()
    let decisions = AccessDecisions()
    /// False when the sender has guessed too many keys: what is not known here is not looked up in the database then.
    var mayLookUp = true

    package init(source: Source) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
    }
}
