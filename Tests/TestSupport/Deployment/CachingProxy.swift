package import Foundation

/// nginx in front of one or more nodes in turn, which caches responses like a CDN and logs the requests that reach a node.
///
/// The configuration is careless: responses without caching headers are kept for ten minutes. A response is only safe
/// when it says itself who may cache it and for how long.
package final class CachingProxy: Sendable {
    package let port: Int
    private let process: ChildProcess
    private let folder: URL

    package struct NotUp: Error {
        let said: String
    }

    package convenience init(before nodes: Int..., in folder: URL) async throws {
        let (port, counter) = (try FreePort.find(), try FreePort.find())
        try await self.init(
            Self.configuration(port: port, counter: counter, nodes: nodes, folder: folder.path), port, in: folder)
    }

    /// nginx with the configuration of deploy/nginx. Everybody must be able to enter the folder.
    package convenience init(deployedBefore node: Int, in folder: URL) async throws {
        let port = try FreePort.find()
        let configuration = try Self.deployedTemplate().replacing("${LISTEN}", with: "127.0.0.1:\(port)")
            .replacing("${APP1}:8080", with: "127.0.0.1:\(node)").replacing("${APP2}:8080", with: "127.0.0.1:\(node)")
            .replacing("${CACHE}", with: folder.path)
        try await self.init(configuration, port, in: folder)
    }

    package static func deployedTemplate() throws -> String {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }
        return try String(contentsOf: root.appending(path: "deploy/nginx/nginx.conf.template"), encoding: .utf8)
    }

    private init(_ configuration: String, _ port: Int, in folder: URL) async throws {
        self.port = port
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let file = folder.appending(path: "nginx.conf")
        try Data(configuration.utf8).write(to: file)
        self.process = try ChildProcess(
            Requirement.path(of: "nginx") ?? "nginx",
            ["-p", folder.path, "-c", file.path, "-e", folder.appending(path: "error.log").path],
            log: folder.appending(path: "output.log"))
        let deadline = ContinuousClock.now + .seconds(120)
        while try await !self.answers() {
            guard self.process.isRunning, ContinuousClock.now < deadline else { throw NotUp(said: self.process.said) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func answers() async throws -> Bool {
        try Task.checkCancellation()
        let response = try? await RemoteService(address: self.address, key: nil).send("GET", "/health")
        return response?.status == 200
    }

    package var address: String { "http://127.0.0.1:\(self.port)" }

    package var service: RemoteService { RemoteService(address: self.address) }

    /// One line for every request that reached the node, as "status path".
    package func requestsToNode() throws -> [Substring] {
        let log = try String(contentsOf: self.folder.appending(path: "node.log"), encoding: .utf8)
        return log.split(separator: "\n").filter { !$0.hasSuffix(" /health") }
    }

    package func stop() async { await self.process.stop() }

    /// Two servers: the outer one caches responses, the inner one logs what reaches the node.
    private static func configuration(port: Int, counter: Int, nodes: [Int], folder: String) -> String {
        """
        daemon off;
        worker_processes 1;
        \(geteuid() == 0 ? "user root;" : "")
        pid \(folder)/nginx.pid;
        events { worker_connections 8192; }
        http {
            access_log off;
            log_format node '$status $request_uri';
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            client_max_body_size 64m;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_read_timeout 60s;
            proxy_cache_path \(folder)/cache keys_zone=sync:8m max_size=256m inactive=10m use_temp_path=off;
            upstream nodes { \(nodes.map { "server 127.0.0.1:\($0);" }.joined(separator: " ")) }
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                keepalive_requests 100000;
                location / {
                    proxy_pass http://127.0.0.1:\(counter);
                    proxy_cache sync;
                    proxy_cache_valid any 10m;
                    proxy_cache_lock on;
                    proxy_cache_lock_timeout 30s;
                    proxy_cache_lock_age 30s;
                    proxy_cache_use_stale updating;
                    proxy_cache_background_update on;
                    proxy_cache_revalidate on;
                    add_header X-Cache $upstream_cache_status always;
                }
            }
            server {
                listen 127.0.0.1:\(counter) backlog=4096;
                access_log \(folder)/node.log node;
                location / { proxy_pass http://nodes; }
            }
        }

        """
    }
}
