import BenchmarkSupport
import Foundation

/// External programs for controls and loads. If one is missing, its measurements are skipped and reported as missing.
enum Tools {
    static let nginx = Self.find("nginx")
    static let wrk = Self.find("wrk")
    static let gzip = Self.find("gzip")
    static let zstd = Self.find("zstd")
    static let psql = Self.find("psql")
    static let nchan = ["/usr/lib/nginx/modules/ngx_nchan_module.so", "/usr/share/nginx/modules/ngx_nchan_module.so"]
        .first { FileManager.default.fileExists(atPath: $0) }

    static var missing: [(program: String, package: String)] {
        let all = [
            ("nginx", "nginx", Self.nginx), ("wrk", "wrk", Self.wrk), ("nchan", "libnginx-mod-nchan", Self.nchan),
            ("gzip", "gzip", Self.gzip), ("zstd", "zstd", Self.zstd),
            ("psql", "postgresql-client", Self.psql),
        ]
        return all.filter { $0.2 == nil }.map { ($0.0, $0.1) }
    }

    /// Executes statements, each in a transaction of its own.
    static func execute(_ statements: String, in databaseURL: String) throws {
        guard let psql = Self.psql else { return }
        let commands = statements.split(separator: ";").flatMap { ["-c", String($0)] }
        _ = try Program.output(of: psql, ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", databaseURL] + commands)
    }

    private static func find(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
