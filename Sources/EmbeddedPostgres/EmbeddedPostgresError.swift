/// Why the private PostgreSQL could not be started. Each description says how to fix it.
package enum EmbeddedPostgresError: Error, Hashable, Sendable {
    /// No folder contains all of `initdb`, `postgres` and `psql`.
    case missingPrograms(searched: [String])
    /// PostgreSQL is installed, but none of the versions fits the data.
    case unsuitableVersion(found: [Int], required: String)
    /// PostgreSQL refuses to run under root, and this system has no other user for it.
    case noOtherUser(tried: [String])
    /// `setpriv`, which root needs to start PostgreSQL as another user, is not installed.
    case missingSetpriv
    /// The user that runs PostgreSQL cannot traverse this folder, which is on the path of the data.
    case cannotEnter(folder: String, user: String)
    /// The data belongs to another user.
    case foreignData(folder: String, owner: String)
    /// The cluster's folder exists and is not a cluster.
    case notACluster(folder: String)
    /// A file or folder could not be created, opened or renamed.
    case cannotWrite(path: String, reason: String)
    /// Another process holds this data folder.
    case inUse(folder: String, processID: Int?)
    /// A leftover server in this data folder could not be stopped.
    case cannotStop(folder: String, processID: Int)
    /// No folder is writable and has a path short enough for a socket address.
    case noSocketFolder(tried: [String])
    /// One of PostgreSQL's programs failed; `output` is the end of its output.
    case failed(program: String, output: String)
    /// The running server ended although nobody stopped it; `output` is the end of its log.
    case ended(status: String, output: String)
}

extension EmbeddedPostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingPrograms(let searched):
            """
            PostgreSQL is not installed: no folder contains initdb, postgres and psql (searched \(searched.list)). \
            Install it with `\(Self.installation)`, or set VENUE_DATABASE_URL to a running server.
            """
        case .unsuitableVersion(let found, let required):
            """
            PostgreSQL \(required) is needed, but only \(found.map(String.init).list) is installed. \
            Install it with `\(Self.installation)` or install the package of exactly that version.
            """
        case .noOtherUser(let tried):
            "PostgreSQL refuses to run as root, and none of the users \(tried.list) exists. Add one of them."
        case .missingSetpriv:
            "PostgreSQL refuses to run as root, and setpriv is missing. Install it with `apt-get install util-linux`."
        case .cannotEnter(let folder, let user):
            """
            The user \(user), which runs PostgreSQL, cannot enter \(folder). Allow it with `chmod o+x \(folder)`, \
            or choose another data folder.
            """
        case .foreignData(let folder, let owner):
            "The data in \(folder) belongs to \(owner). Run as that user, change the owner, or choose another folder."
        case .notACluster(let folder):
            "\(folder) exists and is not a PostgreSQL cluster. Move it, or choose another data folder."
        case .cannotWrite(let path, let reason):
            "Cannot write \(path): \(reason)."
        case .inUse(let folder, let processID):
            """
            \(folder) is in use by another process\(processID.map { " (process \($0))" } ?? ""). \
            Stop that process first, or choose another data folder.
            """
        case .cannotStop(let folder, let processID):
            "A leftover PostgreSQL server in \(folder) (process \(processID)) does not stop. End that process, and start again."
        case .noSocketFolder(let tried):
            "No folder is suitable for the socket of the database: tried \(tried.list)."
        case .failed(let program, let output):
            output.isEmpty ? "\(program) failed without any output." : "\(program) failed:\n\(output)"
        case .ended(let status, let output):
            """
            The private PostgreSQL has ended (\(status)), so nothing can be served. No published change is lost: start \
            again, and it recovers. Its last messages:
            \(output)
            """
        }
    }

    private static var installation: String {
        #if os(macOS)
            "brew install postgresql@16"
        #else
            "apt-get install postgresql"
        #endif
    }
}

extension [String] {
    fileprivate var list: String { self.isEmpty ? "nothing" : self.joined(separator: ", ") }
}
