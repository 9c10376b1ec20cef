/// The settings of the server, for a small service on the same machine with occasional large imports.
enum PostgresSettings {
    static let defaults = [
        "shared_buffers": "128MB",
        "effective_cache_size": "1GB",
        "random_page_cost": "1.1",
        "jit": "off",
        "max_wal_size": "2GB",
        "checkpoint_timeout": "15min",
        "log_checkpoints": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
    ]

    /// The given settings override the defaults, except for those that keep the server private.
    static func all(chosen: [String: String], walCompression: String, socketFolder: SocketFolder) -> [String: String] {
        var settings = Self.defaults
        settings["wal_compression"] = walCompression
        settings.merge(chosen) { $1 }
        settings.merge([
            "listen_addresses": "",
            "port": "5432",
            "unix_socket_directories": socketFolder.path,
            "unix_socket_permissions": "0700",
            "log_destination": "stderr",
            "logging_collector": "off",
        ]) { $1 }
        return settings
    }

    static func arguments(_ settings: [String: String]) -> [String] {
        settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    /// `lz4`, which needs the least CPU, if this PostgreSQL was built with it; otherwise `on`. The only way to find out is to try.
    static func walCompression(of programs: Programs, in cluster: Cluster, as account: Account) async -> String {
        guard programs.version >= 15 else { return "on" }
        let arguments = ["-D", cluster.path, "-C", "wal_compression", "-c", "wal_compression=lz4"]
        let result = try? await Command(program: programs.postgres, arguments: arguments, account: account).run()
        return result?.succeeded == true ? "lz4" : "on"
    }
}
