import HTTPTypes
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
            _ context: Context.Type, _ authorize: @escaping AuthorizedRoutes<Context>.Authorize
        ) -> RouterGroup<Context> {
            AuthorizedRoutes<Context>(parent: open, authorize: authorize).group()
        }
        self.onEventLoop = router
        self.open = open
        self.keyHolders = group(KeyHolderContext.self) { try await authorizer.keyHolder($0, $1) }
        self.readers = group(ReaderContext.self) { try await authorizer.reader($0, $1) }
        self.tileReaders = group(ReaderContext.self) { try await authorizer.tileReader($0, $1) }
        self.uploaders = group(UploaderContext.self) { try await authorizer.uploader($0, $1) }
        self.publishers = group(PublisherContext.self) { try await authorizer.writer($0, $1, .publish) }
        self.venueAdmins = group(VenueAdminContext.self) { try await authorizer.writer($0, $1, .admin) }
        self.admins = group(AdminContext.self) { try await authorizer.admin($0, $1) }
        self.uploads = group(UploadContext.self) { try await authorizer.upload($0, $1) }
        self.previews = group(PreviewContext.self) { try await authorizer.preview($0, $1) }
    }
}

/// Routes whose handlers get the permission of the request. Without it they do not run.
struct AuthorizedRoutes<Context: AuthorizedContext>: RouterMethods {
    typealias Authorize = @Sendable (Request, AppRequestContext) async throws -> Context.Permission

    let parent: RouterGroup<AppRequestContext>
    let authorize: Authorize

    @discardableResult func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == Context {
        let authorize = self.authorize
        self.parent.on(
            path, method: method,
            responder: CallbackResponder<AppRequestContext> { request, context in
                let permission = try await authorize(request, context)
                return try await ResponseMemory.$venue.withValue(context.parameters.get("venue")) {
                    try await responder.respond(
                        to: request, context: Context(parent: context, permission: permission))
                }
            })
        return self
    }

    func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        preconditionFailure("middleware is added to a group of these routes")
    }
}
