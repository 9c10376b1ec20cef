package import Hummingbird
package import Logging
package import RevisionStore
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
    package static func router(store: RevisionStore, settings: ServerSettings) -> Router<VenueContext> {
        let router = Router(context: VenueContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(middleware: LogRequestsMiddleware(.debug))
        router.add(middleware: ProblemMiddleware())
        let gate = Gate(store: store, adminKey: settings.adminKey)
        HealthRoutes(store: store).add(to: router)
        DocumentRoutes().add(to: router)
        KeyRoutes(store: store, gate: gate).add(to: router)
        let uploads = UploadRoutes(store: store, gate: gate, largestArchive: settings.largestArchive)
        uploads.add(to: router)
        StagingRoutes(store: store, uploads: uploads).add(to: router)
        MatchRoutes(store: store, uploads: uploads).add(to: router)
        VenueRoutes(store: store, gate: gate).add(to: router)
        SyncRoutes(store: store, gate: gate).add(to: router)
        CatalogueSyncRoutes(store: store, gate: gate, catalogue: CatalogueMirror(store: store)).add(to: router)
        RevisionRoutes(store: store, gate: gate).add(to: router)
        FeatureRoutes(store: store, gate: gate).add(to: router)
        ArchiveRoutes(store: store, gate: gate).add(to: router)
        RollbackRoutes(store: store, gate: gate).add(to: router)
        // Last, so that it stands before nothing but the answer to what no route takes.
        router.add(middleware: MethodMiddleware(routes: router.routes.map { ($0.path, $0.method) }))
        return router
    }

    package static func application(
        store: RevisionStore, settings: ServerSettings, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: Self.router(store: store, settings: settings),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "VenueSync"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? settings.port) },
            logger: logger)
    }
}

/// One request.
package struct VenueContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    package init(source: Source) {
        self.coreContext = .init(source: source)
    }
}
