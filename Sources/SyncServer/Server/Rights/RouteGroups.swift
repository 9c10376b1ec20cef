import Hummingbird
import SyncModel

/// The groups of routes, by what a request must be allowed to do.
struct RouteGroups {
    /// Routes that run on the event loop of the connection, and use a ``RequestExecutor`` themselves for all but trivial work.
    let onEventLoop: any RouterMethods<AppRequestContext>
    /// Routes that need no permission.
    let open: RouterGroup<AppRequestContext>
    let keyHolders: RouterGroup<KeyHolderContext>
    /// Readers of the venue in the path.
    let readers: RouterGroup<ReaderContext>
    /// Readers of the venue in the path, also with a tile token.
    let tileReaders: RouterGroup<ReaderContext>
    /// Those who may upload to the venue in the path.
    let uploaders: RouterGroup<UploaderContext>
    /// Those who may publish to the venue in the path.
    let publishers: RouterGroup<PublisherContext>
    /// Administrators of the venue in the path.
    let venueAdmins: RouterGroup<VenueAdminContext>
    /// Administrators of every venue.
    let admins: RouterGroup<AdminContext>
    /// Those who may change the upload in the path.
    let uploads: RouterGroup<UploadContext>
    /// Those who may see the preview of the upload in the path, also with a preview token.
    let previews: RouterGroup<PreviewContext>

    init(of router: Router<AppRequestContext>, executor: RequestExecutor, authorizer: Authorizer) {
        let open = router.group().add(middleware: RequestExecutorMiddleware(executor: executor))
        func group<Context: AuthorizedContext>(
            _ context: Context.Type, _ authorize: @escaping AuthorizationMiddleware.Authorize
        ) -> RouterGroup<Context> {
            open.group().add(middleware: AuthorizationMiddleware(authorize: authorize)).group(context: Context.self)
        }
        self.onEventLoop = router
        self.open = open
        self.keyHolders = group(KeyHolderContext.self) { .keyHolder(try await authorizer.keyHolder($0, $1)) }
        self.readers = group(ReaderContext.self) { .reader(try await authorizer.reader($0, $1)) }
        self.tileReaders = group(ReaderContext.self) { .reader(try await authorizer.tileReader($0, $1)) }
        self.uploaders = group(UploaderContext.self) { .uploader(try await authorizer.uploader($0, $1)) }
        self.publishers = group(PublisherContext.self) { .publisher(try await authorizer.writer($0, $1, .publish)) }
        self.venueAdmins = group(VenueAdminContext.self) { .venueAdmin(try await authorizer.writer($0, $1, .admin)) }
        self.admins = group(AdminContext.self) { .admin(try await authorizer.admin($0, $1)) }
        self.uploads = group(UploadContext.self) { .upload(try await authorizer.upload($0, $1)) }
        self.previews = group(PreviewContext.self) { .preview(try await authorizer.preview($0, $1)) }
    }
}

/// Decides what a request may do, before the context of its group is made.
struct AuthorizationMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext
    typealias Authorize = @Sendable (Request, AppRequestContext) async throws -> Access

    let authorize: Authorize

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.access = try await self.authorize(request, context)
        return try await next(request, context)
    }
}
