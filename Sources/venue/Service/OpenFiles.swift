import Foundation

/// Files and sockets that the process may have open.
enum OpenFiles {
    /// What is open besides connections to clients: the database, standard streams, event loops.
    private static let others = 100

    /// How many connections can be served of those that are wanted, after asking the system for as many as it gives. A server
    /// that accepts more than it can open stops accepting altogether.
    static func connections(wanted: Int) -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + Self.others)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            _ = setrlimit(resource, &limit)
            guard getrlimit(resource, &limit) == 0 else { return wanted }
        }
        return max(min(wanted, Int(clamping: limit.rlim_cur) - Self.others), 1)
    }
}
