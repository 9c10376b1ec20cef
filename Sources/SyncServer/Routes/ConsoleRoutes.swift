import Hummingbird
import SyncModel
import WebConsole

/// Where the console's files come from, when not from where they were installed.
package struct ConsoleSettings: Sendable {
    /// A folder that is read for every request.
    package var folder: String?
    /// The folder of MapLibre GL JS.
    package var mapLibrary: String?

    package init(folder: String? = nil, mapLibrary: String? = nil) {
        self.folder = folder
        self.mapLibrary = mapLibrary
    }
}

/// The console: a page for browsers, which then asks the same API as everybody else. No part of the API, and not in its document.
struct ConsoleRoutes {
    private let files: ConsoleFiles
    private let library: MapLibrary

    init(settings: ConsoleSettings) {
        self.files = ConsoleFiles(folder: settings.folder)
        self.library = MapLibrary(folder: settings.mapLibrary)
    }

    func add(to router: Router<VenueContext>) {
        router.get("/", use: self.page)
        router.get("console/library/{name}", use: self.libraryFile)
        router.get("console/**", use: self.file)
    }

    /// `GET /`
    @Sendable func page(_ request: Request, _ context: VenueContext) async throws -> Response {
        guard let page = try self.files.file("index.html") else { throw Problem.noConsole }
        return page.response(to: request)
    }

    /// `GET /console/map/map-page.js` and its like
    @Sendable func file(_ request: Request, _ context: VenueContext) async throws -> Response {
        let name = context.parameters.getCatchAll().joined(separator: "/")
        guard let file = try self.files.file(name) else { throw Problem.notFound }
        return file.response(to: request)
    }

    /// `GET /console/library/maplibre-gl.js`, and its style sheet
    @Sendable func libraryFile(_ request: Request, _ context: VenueContext) async throws -> Response {
        guard let file = try self.library.file(context.parameters.get("name") ?? "") else { throw Problem.noMapLibrary }
        return file.response(to: request)
    }
}

extension Problem {
    fileprivate static let noConsole = Problem(
        "not-found", status: 404, title: "The console is not installed",
        detail: "Its files are in the folder VenueSync_WebConsole.resources, which belongs beside the program.")
    fileprivate static let noMapLibrary = Problem(
        "not-found", status: 404, title: "The map library is not installed",
        detail: "Scripts/install-map-library brings it.")
}
