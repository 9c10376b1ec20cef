package import Hummingbird
package import Logging
import NIOCore
import RevisionStore
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
        router.add(middleware: LogRequestsMiddleware(.debug))
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: OwnChangesMiddleware(node: live.node))
        let gate = Gate(node: live.node, adminKey: settings.adminKey)
        HealthRoutes(live: live).add(to: router)
        DocumentRoutes().add(to: router)
        KeyRoutes(store: store, gate: gate).add(to: router)
        let uploads = UploadRoutes(live: live, gate: gate, largestArchive: settings.largestArchive)
        uploads.add(to: router)
        StagingRoutes(store: store, uploads: uploads).add(to: router)
        MatchRoutes(store: store, uploads: uploads).add(to: router)
        VenueRoutes(store: store, gate: gate).add(to: router)
        SyncRoutes(live: live, gate: gate).add(to: router)
        CatalogueSyncRoutes(live: live, gate: gate).add(to: router)
        EventRoutes(live: live, gate: gate).add(to: router)
        RevisionRoutes(live: live, gate: gate).add(to: router)
        FeatureRoutes(live: live, gate: gate).add(to: router)
        ArchiveRoutes(live: live, gate: gate).add(to: router)
        RollbackRoutes(store: store, gate: gate).add(to: router)
        // Last, so that it stands before nothing but the answer to what no route takes.
        router.add(middleware: MethodMiddleware(routes: router.routes.map { ($0.path, $0.method) }))
        return router
    }

    package static func responder(_ live: Live, settings: ServerSettings) -> PollResponder {
        PollResponder(live: live, router: Self.router(live, settings: settings).buildResponder())
    }

    /// Who tells a node of news.
    package static func watch(_ live: Live, logger: Logger) -> any Service { NodeWatch(live, logger: logger) }

    /// The server and what it needs to run, in the order in which a service group starts them.
    package static func services(
        _ live: Live, settings: ServerSettings, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> [any Service] {
        let application = Application(
            responder: Self.responder(live, settings: settings), server: LoopHTTPChannel.builder(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "VenueSync"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? settings.port) },
            logger: logger)
        return [NodeWatch(live, logger: logger), application, WaitingRoomCloser(live)]
    }
}

/// One request.
package struct VenueContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection that it came over.
    let channel: any Channel

    package init(source: Source) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
    }
}
