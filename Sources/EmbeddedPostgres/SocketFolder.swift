import Foundation

/// A fresh folder, closed to everybody but its owner and root, that holds the database's socket.
///
/// PostgreSQL trusts whoever reaches the socket; that nobody else can is this folder's doing.
struct SocketFolder: Sendable {
    private static let prefix = "venue-"
    private static let socket = ".s.PGSQL.5432"

    /// Bytes that a socket address holds, its closing zero apart.
    #if os(Linux)
        private static let longestPath = 107
    #else
        private static let longestPath = 103
    #endif

    let path: String

    /// Makes the folder in the first place that is open to us and short enough, wherever the data lives.
    init(for account: Account) throws(EmbeddedPostgresError) {
        let tried = Self.places
        for place in tried where "\(place)/\(Self.prefix)XXXXXX/\(Self.socket)".utf8.count <= Self.longestPath {
            var template = Array("\(place)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard !account.isOther || chown(path, account.userID, account.groupID) == 0 else {
                rmdir(path)
                continue
            }
            self.path = path
            return
        }
        throw .noPlaceForSocket(tried: tried)
    }

    /// The folder that a process that was killed left behind, if it is still there and was made by us.
    init?(leftAt path: String, by account: Account) {
        var status = stat()
        guard Self.places.contains(where: { path.hasPrefix("\($0)/\(Self.prefix)") }), !path.contains("/../"),
            lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == account.userID
        else { return nil }
        self.path = path
    }

    /// Removes the socket, should a killed server have left it, and the folder; nothing else.
    func remove() {
        unlink("\(self.path)/\(Self.socket)")
        unlink("\(self.path)/\(Self.socket).lock")
        rmdir(self.path)
    }

    private static var places: [String] {
        if geteuid() == 0 { return ["/run", "/tmp"] }
        let own = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []
        return own.filter { $0.hasPrefix("/") } + ["/tmp"]
    }

    /// The address of a database behind this socket. The port is named because PGPORT would count otherwise.
    func url(of database: String) -> String {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~/")))
                ?? text
        }
        return "postgresql:///\(escaped(database))?host=\(escaped(self.path))&port=5432&user=\(Cluster.superuser)"
    }
}
