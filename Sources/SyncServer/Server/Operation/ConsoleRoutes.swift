import FloorTiles
import Hummingbird
import RevisionStore
import SyncModel
import WebConsole

/// Folders for the files of the console, where they are not the installed ones.
package struct ConsoleSettings: Sendable {
    /// Read for every request, for people who work on the console.
    package var folder: String?
    /// The folder of MapLibre GL JS.
    package var mapLibrary: String?

    package init(folder: String? = nil, mapLibrary: String? = nil) {
        self.folder = folder
        self.mapLibrary = mapLibrary
    }
}

/// The console: a web page that uses the API. It is not part of the API.
struct ConsoleRoutes: Sendable {
    private let files: ConsoleFiles
    private let library: MapLibrary
    private let readModel: ReadModel

    init(settings: ConsoleSettings, readModel: ReadModel) {
        self.readModel = readModel
        self.files = ConsoleFiles(folder: settings.folder, cartography: CartographyDocument.json)
        self.library = MapLibrary(folder: settings.mapLibrary)
    }

    func add(to routes: RouteGroups) {
        routes.open.get("/", use: self.page)
        routes.open.get("embed/{venue}", use: self.embeddedPage)
        routes.open.get("console/library/{name}", use: self.libraryFile)
        routes.open.get("console/**", use: self.file)
    }

    /// `GET /`, and the page of a venue whose map is loaded from other hosts too; see ``VenuePage``.
    @Sendable func page(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let page = try self.files.page() else { throw Problem.consoleNotInstalled }
        var policy = PagePolicy()
        let query = QueryValues(request)
        // The database has the secret of the codes. Without it, the page shows what the browser has stored.
        if try query.text("code") != nil, (try? await self.readModel.ensureFresh()) != nil {
            try VenuePage(query, sealedBy: self.readModel.cursorSeal)?.permitOrigins(in: &policy)
        }
        return page.response(to: request, policy: policy)
    }

    /// `GET /embed/{venue}`: the same page for frames of the sites that the venue's setting `embed_origins` names. The page of a venue that
    /// is not public, or does not exist, cannot be shown in a frame; nothing else tells them apart.
    @Sendable func embeddedPage(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let page = try self.files.page() else { throw Problem.consoleNotInstalled }
        var policy = PagePolicy()
        if let venue = try await self.venue(context.parameters.get("venue") ?? ""), venue.settings.public,
            self.readModel.isConfirmed(forPublic: true)
        {
            policy.frameAncestors = venue.settings.embedOrigins ?? []
            VenuePage(of: venue).permitOrigins(in: &policy)
        }
        return page.response(to: request, policy: policy)
    }

    /// A venue with a revision; nil for any other text.
    private func venue(_ text: String) async throws -> VenueRecord? {
        guard let key = VenueKey(text) else { return nil }
        try await self.readModel.ensureFresh()
        guard let entry = self.readModel.entry(for: key), !entry.isDeleted, entry.venue.head > 0 else { return nil }
        return entry.venue
    }

    /// `GET /console/map/map-page.js` and all other files; below a version, such as `/console/9f2c51d07ab86e31c402/app.js`, they are
    /// immutable.
    ///
    /// A page that was opened before the server was updated requests files of an older version. It gets the newest ones, which notice
    /// that and open the page again (`build/loader.js`).
    @Sendable func file(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        var path = context.parameters.getCatchAll()[...]
        let (isVersion, isCurrent) = try path.first.map { try self.files.version($0) } ?? (false, false)
        if isVersion { path = path.dropFirst() }
        if isVersion, path.count == 2, path.first == "library" {
            return try self.libraryFile(String(path[path.endIndex - 1]), request, isImmutable: isCurrent)
        }
        guard let file = try self.files.file(path.joined(separator: "/"), isVersioned: isVersion) else {
            throw Problem.notFound
        }
        return file.response(to: request, isImmutable: isCurrent)
    }

    /// `GET /console/library/maplibre-gl.js`, and its style sheet
    @Sendable func libraryFile(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try self.libraryFile(context.parameters.get("name") ?? "", request, isImmutable: false)
    }

    private func libraryFile(_ name: String, _ request: Request, isImmutable: Bool) throws -> Response {
        guard let file = try self.library.file(name) else { throw Problem.mapLibraryNotInstalled }
        return file.response(to: request, isImmutable: isImmutable)
    }
}
