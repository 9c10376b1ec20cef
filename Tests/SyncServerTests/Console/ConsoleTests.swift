import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The files of the console as they are served. `Tests/Browser` tests their behaviour in a browser.
@Suite(.database)
struct ConsoleTests {
    private static let policy = HTTPField.Name.contentSecurityPolicy

    /// Settings with this console.
    private static func settings(_ console: ConsoleSettings) -> ServerSettings {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.console = console
        return settings
    }

    @Test func `console page needs no key, and its policy forbids loading anything from elsewhere`() async throws {
        try await Harness.run { harness in
            let page = try await harness.send(.get, "/", key: nil)
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains(/"\/console\/[0-9a-f]{20}\/app\.js"/))
            let policy = try #require(page.headers[Self.policy])
            #expect(policy.contains("default-src 'none';") && policy.contains("script-src 'self';"))
            #expect(policy.contains("worker-src 'self' blob:;") && policy.contains("manifest-src 'self';"))
            for word in ["unsafe", "*", "http"] { #expect(!policy.contains(word)) }
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            #expect(page.headers[HTTPField.Name("Referrer-Policy")!] == "no-referrer")
        }
    }

    @Test func `console files: every file that another one refers to exists`() async throws {
        try await Harness.run { harness in
            var open = ["/console/app.js"]
            let page = try await harness.send(.get, "/", key: nil).text
            open += page.matches(of: /(?:href|src)="(\/console\/[^"]+)"/).map { String($0.output.1) }
                .filter { !$0.hasPrefix("/console/library/") }
            var seen: Set<String> = []
            while let path = open.popLast() {
                guard seen.insert(path).inserted else { continue }
                let file = try await harness.send(.get, path, key: nil)
                #expect(file.status == .ok, "\(path)")
                guard path.hasSuffix(".js") else { continue }
                #expect(file.headers[.contentType] == "text/javascript; charset=utf-8")
                for name in file.text.matches(of: /(?:from|import\(|import) ?"(\.[^"]+)"/).map(\.output.1) {
                    let base = URL(string: "http://localhost\(path)")!
                    open.append(URL(string: String(name), relativeTo: base)!.absoluteURL.path)
                }
            }
            #expect(seen.count > 40)
        }
    }

    @Test func `console files support conditional requests in every content encoding`() async throws {
        try await Harness.run { harness in
            var tags: Set<String> = []
            for coding in ["identity", "gzip", "br"] {
                let asked: HTTPFields = [.acceptEncoding: coding]
                let file = try await harness.send(.get, "/console/app.js", key: nil, headers: asked)
                #expect(file.headers[.contentEncoding] == (coding == "identity" ? nil : coding))
                #expect(file.headers[.cacheControl] == "no-cache" && file.headers[.vary] == "Accept-Encoding")
                let tag = try #require(file.headers[.eTag])
                #expect(tag.hasPrefix("\""), "strong: every coding has its own")
                tags.insert(tag)
                let again = try await harness.send(
                    .get, "/console/app.js", key: nil, headers: [.acceptEncoding: coding, .ifNoneMatch: tag])
                #expect(again.status == .notModified && again.data.isEmpty && again.headers[.eTag] == tag)
            }
            #expect(tags.count == 3)
        }
    }

    @Test func `console files below the version are immutable, and those of another version are the newest ones`()
        async throws
    {
        try await Harness.run { harness in
            let page = try await harness.send(.get, "/", key: nil)
            #expect(page.headers[.cacheControl] == "no-cache")
            let version = try #require(page.text.firstMatch(of: /data-version="([0-9a-f]{20})"/)?.output.1)
            let other = String(repeating: "0", count: 20)
            for name in ["app.js", "console.css", "desk/desk-page.js", "client/index.js", "icon-512.png"] {
                let file = try await harness.send(.get, "/console/\(version)/\(name)", key: nil)
                #expect(
                    file.status == .ok && file.headers[.cacheControl] == "public, max-age=31536000, immutable",
                    "\(name)")
                let newest = try await harness.send(.get, "/console/\(other)/\(name)", key: nil)
                #expect(newest.headers[.cacheControl] == "no-cache" && newest.data == file.data, "\(name)")
            }
            for path in [
                "/console/\(version)", "/console/\(version)/nothing.js", "/console/\(version)/\(version)/app.js",
            ] {
                #expect(try await harness.send(.get, path, key: nil).status == .notFound, "\(path)")
            }
        }
    }

    @Test func `console bundles: every module that one needs is in it or in the first one, behind what it needs`()
        async throws
    {
        try await Harness.run { harness in
            let page = try await harness.send(.get, "/", key: nil)
            let version = try #require(page.text.firstMatch(of: /data-version="([0-9a-f]{20})"/)?.output.1)
            func definitions(_ name: String) async throws -> (text: String, defined: [String]) {
                let text = try await harness.send(.get, "/console/\(version)/\(name)", key: nil).text
                return (text, text.matches(of: /\ndefine\("([^"]+)"/).map { String($0.output.1) })
            }
            let first = try await definitions("app.js")
            #expect(first.defined.contains("map/map-page.js") && !first.defined.contains("desk/desk-page.js"))
            #expect(first.text.contains("const version = \"\(version)\";"))
            var open = first.text.matches(of: /load\("([^"]+)"\)/).map { String($0.output.1) }
            var seen: Set<String> = ["app.js"]
            try self.checkOrder(first.text, known: [])
            while let name = open.popLast() {
                guard seen.insert(name).inserted, !first.defined.contains(name) else { continue }
                let more = try await definitions(name)
                #expect(more.defined.last == name && more.text.contains("venueModules(\"\(version)\")"), "\(name)")
                try self.checkOrder(more.text, known: Set(first.defined))
                open += more.text.matches(of: /load\("([^"]+)"\)/).map { String($0.output.1) }
            }
            #expect(seen.count > 15)
        }
    }

    /// Checks that no module needs one that is defined behind it, which is also so if modules import each other in a circle.
    private func checkOrder(_ bundle: String, known: Set<String>) throws {
        var defined = known
        for part in bundle.split(separator: "\ndefine(\"").dropFirst() {
            let name = try #require(part.split(separator: "\"").first)
            for needed in part.matches(of: /need\("([^"]+)"\)/).map(\.output.1) where needed != "app.js" {
                #expect(defined.contains(String(needed)), "\(name) needs \(needed)")
            }
            defined.insert(String(name))
        }
    }

    @Test(arguments: [false, true])
    func `console draws with the colours, groups and pictograms of the cartography`(isDevelopment: Bool) async throws {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        let folder = isDevelopment ? root.appending(path: "Sources/WebConsole/Web").path : nil
        try await Harness.run(settings: Self.settings(ConsoleSettings(folder: folder))) { harness in
            let cartography = try await harness.send(.get, "/cartography.json", key: nil).json
            let sheet = try await harness.send(.get, "/console/css/palette.css", key: nil)
            #expect(sheet.headers[.contentType] == "text/css; charset=utf-8")
            let palette = try #require(cartography["palette"]?.object)
            let modes = sheet.text.split(separator: "@media (prefers-color-scheme: dark)")
            #expect(modes.count == 2 && palette.members.count > 20)
            for color in palette.members {
                for (mode, text) in zip(["light", "dark"], modes) {
                    let shade = try #require(color.value[mode]?.string)
                    #expect(text.contains("--map-\(color.key): \(shade);"), "\(color.key), \(mode)")
                }
            }
            let module = try await harness.send(.get, "/console/map/cartography.js", key: nil).text
            let start = try #require(module.firstIndex(of: "{"))
            let content = try JSONReader.value(of: Array(module[start...].utf8.dropLast(2)))
            #expect(
                content["pictograms"] == cartography["pictograms"]
                    && content["icons"]?["restroom.female"] == "restroom-female"
                    && content["marksUnits"]?["restroom"] == .bool(true) && content["marksUnits"]?["office"] == nil
                    && content["namesUnits"]?["wall"] == .bool(false) && content["namesUnits"]?["office"] == nil)
            for labelClass in ["occupant", "unit", "nonpublic"] {
                let (own, served) = (content["labels"]?[labelClass], cartography["labels"]?[labelClass])
                #expect(own?["priority"] != nil && own?["priority"] == served?["priority"], "\(labelClass)")
                #expect(own?["groups"] == served?["groups"], "\(labelClass)")
            }
            let groups = try #require(cartography["groups"]?.array)
            #expect(content["groups"]?.array?.map { $0["units"] } == groups.map { $0["units"] })
            #expect(content["groups"]?.array?.map { $0["occupants"] } == groups.map { $0["occupants"] })
        }
    }

    @Test func `console service worker may control the page, and installs files that exist`() async throws {
        try await Harness.run { harness in
            let worker = try await harness.send(.get, "/console/service-worker.js", key: nil)
            #expect(worker.headers[HTTPField.Name("Service-Worker-Allowed")!] == "/")
            #expect(worker.headers[.cacheControl] == "no-cache")
            let build = try #require(worker.text.firstMatch(of: /version: "([0-9a-f]{20})", files: \[(.*)\]/)?.output)
            let names = build.2.matches(of: /"([^"]+)"/).map(\.output.1).filter { !$0.hasPrefix("library/") }
            #expect(names.contains("app.js") && !names.contains { $0.hasPrefix("desk/") })
            for name in names {
                #expect(try await harness.send(.get, "/console/\(build.1)/\(name)", key: nil).status == .ok, "\(name)")
            }
            let manifest = try await harness.send(.get, "/console/\(build.1)/manifest.webmanifest", key: nil)
            #expect(manifest.headers[.contentType] == "application/manifest+json")
        }
    }

    @Test func `console folder: a path cannot leave it`() async throws {
        try await Harness.run { harness in
            for path in [
                "/console/nothing.js", "/console/", "/console/map", "/console/../openapi.yaml",
                "/console/%2e%2e/openapi.yaml", "/console/..%2f..%2fPackage.swift",
                "/console/map/../../../../Package.swift", "/console//etc/passwd", "/console/app.js%00",
                "/console/library/passwd", "/console/library/..%2fmaplibre-gl.js", "/index.html",
            ] {
                let response = try await harness.send(.get, path, key: nil)
                let problem = try response.problem(404, path)
                #expect(problem.type == "/problems/not-found", "\(path)")
            }
        }
    }

    @Test func `console folder is read on every request, and serves only files of the console`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("one".utf8).write(to: folder.appending(path: "index.html"))
        try Data("secret".utf8).write(to: folder.appending(path: ".env"))
        try Data("secret".utf8).write(to: folder.appending(path: "notes.txt"))
        try await Harness.run(settings: Self.settings(ConsoleSettings(folder: folder.path))) { harness in
            #expect(try await harness.send(.get, "/", key: nil).text == "one")
            try Data("two".utf8).write(to: folder.appending(path: "index.html"))
            #expect(try await harness.send(.get, "/", key: nil).text == "two")
            for path in ["/console/.env", "/console/notes.txt"] {
                #expect(try await harness.send(.get, path, key: nil).status == .notFound)
            }
        }
    }

    @Test func `map library with the wrong hash is not served, and the response names the script to run`() async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("alert(1)".utf8).write(to: folder.appending(path: "maplibre-gl.js"))
        try await Harness.run(settings: Self.settings(ConsoleSettings(mapLibrary: folder.path))) { harness in
            let response = try await harness.send(.get, "/console/library/maplibre-gl.js", key: nil)
            let problem = try response.problem(404)
            #expect(problem.detail?.contains("Scripts/install-map-library") == true)
        }
    }

    @Test func `console files: loading many of them does not count against the rate limit`() async throws {
        var settings = Self.settings(ConsoleSettings())
        settings.rateLimit = RateLimit(perSecond: 0.001, burst: 1)
        try await Harness.run(settings: settings) { harness in
            for path in ["/", "/console/app.js", "/console/api.js", "/console/session.js"] {
                let response = try await harness.send(.get, path)
                #expect(response.status == .ok)
            }
        }
    }
}
