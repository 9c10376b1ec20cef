/// Why the private PostgreSQL could not be started. Each description says what to do about it.
package enum EmbeddedPostgresError: Error, Hashable, Sendable {
    /// No folder holds `initdb`, `postgres` and `psql` together.
    case missingPrograms(searched: [String])
    /// PostgreSQL is there, but none of the versions found can serve the data.
    case unsuitableVersion(found: [Int], wanted: String)
    /// PostgreSQL refuses to run under root, and this system has no other user for it.
    case noOtherUser(tried: [String])
    /// Without `setpriv` root cannot start PostgreSQL as that user.
    case missingSetpriv
    /// The user who runs PostgreSQL cannot pass through this folder on the way to the data.
    case cannotEnter(folder: String, user: String)
    /// The data belongs to someone else.
    case foreignData(folder: String, owner: String)
    /// The folder where the data is to live holds something that is no cluster.
    case notACluster(folder: String)
    /// A file or folder could not be made, opened or renamed.
    case cannotWrite(path: String, reason: String)
    /// Another process holds this data folder.
    case inUse(folder: String, processID: Int?)
    /// A server left over in this data folder does not go away.
    case cannotStop(folder: String, processID: Int)
    /// No folder for the socket is short enough for a socket address and open to us.
    case noPlaceForSocket(tried: [String])
    /// One of PostgreSQL's programs failed; `output` is the end of what it said.
    case failed(program: String, output: String)
}

extension EmbeddedPostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingPrograms(let searched):
            """
            PostgreSQL is not installed: no folder holds initdb, postgres and psql (searched \(searched.list)). \
            Install it with `\(Self.installation)`, or set VENUE_DATABASE_URL to a server that runs already.
            """
        case .unsuitableVersion(let found, let wanted):
            """
            PostgreSQL \(wanted) is needed here, and only \(found.map(String.init).list) is installed. \
            Install it with `\(Self.installation)` or the package of exactly that version.
            """
        case .noOtherUser(let tried):
            "PostgreSQL refuses to run under root, and none of the users \(tried.list) exists. Add one of them."
        case .missingSetpriv:
            "PostgreSQL refuses to run under root, and setpriv is missing. Install it with `apt-get install util-linux`."
        case .cannotEnter(let folder, let user):
            """
            The user \(user), who runs PostgreSQL, cannot enter \(folder). Allow it with `chmod o+x \(folder)`, \
            or choose another data folder.
            """
        case .foreignData(let folder, let owner):
            "The data in \(folder) belongs to \(owner). Run as that user, give the folder away, or choose another one."
        case .notACluster(let folder):
            "\(folder) exists and is not a PostgreSQL cluster. Move it away, or choose another data folder."
        case .cannotWrite(let path, let reason):
            "Cannot write \(path): \(reason)."
        case .inUse(let folder, let processID):
            """
            \(folder) is in use by another process\(processID.map { " (process \($0))" } ?? ""). \
            Stop that one first, or choose another data folder.
            """
        case .cannotStop(let folder, let processID):
            "A PostgreSQL left over in \(folder) (process \(processID)) does not stop."
        case .noPlaceForSocket(let tried):
            "No folder can take the database's socket: tried \(tried.list)."
        case .failed(let program, let output):
            output.isEmpty ? "\(program) failed without a word." : "\(program) failed:\n\(output)"
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
