import BenchmarkSupport
import Foundation

/// nginx in front of a server, with the configuration that is deployed.
enum ReverseProxy {
    private static let template = "deploy/nginx/nginx.conf.template"

    /// Runs nginx while `body` sends its requests to it.
    static func run(before service: Service, _ body: (Service) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-proxy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try freePort()
        let node = "127.0.0.1:\(service.port)"
        let configuration = try String(contentsOfFile: Self.template, encoding: .utf8)
            .replacing("${LISTEN}", with: "127.0.0.1:\(port)")
            .replacing("${APP1}:8080", with: node).replacing("${APP2}:8080", with: node)
            .replacing("${CACHE}", with: folder.path)
        let file = folder.appending(path: "nginx.conf").path
        try Data(configuration.utf8).write(to: URL(filePath: file))
        let program = try Program("/usr/sbin/nginx", ["-c", file])
        defer { program.stop() }
        let proxied = service.reached(through: port)
        try await proxied.waitUntilReady()
        try await body(proxied)
    }
}
