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
        self.files = ConsoleFiles(folder: settings.folder)
        self.library = MapLibrary(folder: settings.mapLibrary)
    }

    func add(to routes: RouteGroups) {
        routes.open.get("/", use: self.page)
        routes.open.get("embed/{venue}", use: self.embeddedPage)
        routes.open.get("console/library/{name}", use: self.libraryFile)
        routes.open.get("console/**", use: self.file)
    }

    /// `GET /`
    @Sendable func page(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let page = try self.files.file("index.html") else { throw Problem.consoleNotInstalled }
        return page.response(to: request)
    }

    /// `GET /embed/{venue}`: the same page for frames of the sites that the venue's setting `embed_origins` names. The page of a venue that
    /// is not public, or does not exist, cannot be shown in a frame; nothing else tells them apart.
    @Sendable func embeddedPage(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let page = try self.files.file("index.html") else { throw Problem.consoleNotInstalled }
        try await self.readModel.ensureFresh()
        let entry = context.parameters.get("venue").flatMap { VenueKey($0) }.flatMap { self.readModel.entry(for: $0) }
        var origins: [String] = []
        if let entry, !entry.isDeleted, entry.venue.head > 0, entry.venue.settings.public {
            origins = entry.venue.settings.embedOrigins ?? []
        }
        return page.response(to: request, frameAncestors: origins)
    }

    /// `GET /console/map/map-page.js` and all other files
    @Sendable func file(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let name = context.parameters.getCatchAll().joined(separator: "/")
        guard let file = try self.files.file(name) else { throw Problem.notFound }
        return file.response(to: request)
    }

    /// `GET /console/library/maplibre-gl.js`, and its style sheet
    @Sendable func libraryFile(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let file = try self.library.file(context.parameters.get("name") ?? "") else {
            throw Problem.mapLibraryNotInstalled
        }
        return file.response(to: request)
    }
}
