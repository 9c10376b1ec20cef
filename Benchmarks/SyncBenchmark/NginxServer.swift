import BenchmarkSupport
import Foundation

/// nginx with static files and, if the module is installed, nchan. Access logs are off, and it may use every core.
final class NginxServer {
    let port: Int
    private let folder: URL
    private let program: Program

    /// Nil when nginx is not installed.
    init?(in folder: URL) async throws {
        guard let nginx = Tools.nginx else { return nil }
        self.port = try freePort()
        self.folder = folder.appending(path: "nginx-\(self.port)")
        try FileManager.default.createDirectory(
            at: self.folder.appending(path: "files"), withIntermediateDirectories: true)
        let file = self.folder.appending(path: "nginx.conf")
        try Data(Self.configuration(port: self.port, folder: self.folder.path).utf8).write(to: file)
        self.program = try Program(
            nginx, ["-p", self.folder.path, "-c", file.path, "-e", self.folder.appending(path: "error.log").path])
        try self.serve(Array("ready".utf8), as: "ready")
        try await waitUntilResponding(port: self.port, path: "/files/ready")
    }

    func stop() { self.program.stop() }

    /// Serves these bytes and returns their path.
    @discardableResult
    func serve(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: self.folder.appending(path: "files/\(name)"))
        return "/files/\(name)"
    }

    /// Serves these bytes, and a compressed version to clients that accept gzip.
    func serve(_ bytes: [UInt8], gzip: [UInt8], as name: String) throws -> String {
        try self.serve(gzip, as: "\(name).gz")
        return try self.serve(bytes, as: name)
    }

    private static func configuration(port: Int, folder: String) -> String {
        let channels =
            Tools.nchan == nil
            ? ""
            : """
            location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 100; }
                    location = /listen {
                        nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest;
                    }
            """
        return """
            daemon off;
            \(Tools.nchan.map { "load_module \($0);" } ?? "")
            worker_processes auto;
            worker_rlimit_nofile 20000;
            \(geteuid() == 0 ? "user root;" : "")
            pid \(folder)/nginx.pid;
            events { worker_connections 19000; }
            http {
                access_log off;
                default_type application/json;
                sendfile on;
                tcp_nopush on;
                gzip_static on;
                keepalive_requests 1000000000;
                open_file_cache max=100 inactive=600s;
                open_file_cache_valid 600s;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                server {
                    listen 127.0.0.1:\(port) backlog=4096;
                    location /files/ { root \(folder); }
                    \(channels)
                }
            }

            """
    }
}
