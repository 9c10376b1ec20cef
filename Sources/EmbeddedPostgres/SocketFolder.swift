import Foundation

/// A new folder for the socket of the server, accessible only to its owner and root.
///
/// PostgreSQL trusts every connection through the socket; the permissions of this folder restrict access to it.
struct SocketFolder: Sendable {
    private static let prefix = "venue-"
    private static let socket = ".s.PGSQL.5432"

    /// The longest path of a socket in bytes, without the terminating zero.
    #if os(Linux)
        private static let longestPath = 107
    #else
        private static let longestPath = 103
    #endif

    let path: String

    /// Creates the folder in the first parent that is writable and short enough, independent of the data folder.
    init(for account: Account) throws(EmbeddedPostgresError) {
        let tried = Self.parents
        for parent in tried where "\(parent)/\(Self.prefix)XXXXXX/\(Self.socket)".utf8.count <= Self.longestPath {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard !account.isOther || chown(path, account.userID, account.groupID) == 0 else {
                rmdir(path)
                continue
            }
            self.path = path
            return
        }
        throw .noSocketFolder(tried: tried)
    }

    /// The folder that a killed process left behind, if it still exists and this type created it.
    init?(leftAt path: String, by account: Account) {
        var status = stat()
        guard Self.parents.contains(where: { path.hasPrefix("\($0)/\(Self.prefix)") }), !path.contains("/../"),
            lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == account.userID
        else { return nil }
        self.path = path
    }

    /// Removes the folder, and the socket files if a killed server left them; nothing else.
    func remove() {
        unlink("\(self.path)/\(Self.socket)")
        unlink("\(self.path)/\(Self.socket).lock")
        rmdir(self.path)
    }

    private static var parents: [String] {
        if geteuid() == 0 { return ["/run", "/tmp"] }
        let runtimeFolder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []
        return runtimeFolder.filter { $0.hasPrefix("/") } + ["/tmp"]
    }

    /// The URL of a database at this socket. It names the port, because otherwise PGPORT would be used.
    func url(of database: String) -> String {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~/")))
                ?? text
        }
        return "postgresql:///\(escaped(database))?host=\(escaped(self.path))&port=5432&user=\(Cluster.superuser)"
    }
}
