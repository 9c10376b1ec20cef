import Foundation

/// The limit on files and sockets that the process may have open.
enum OpenFiles {
    /// Reserved for everything but clients: database connections, standard streams, event loops.
    private static let others = 100

    /// Raises the limit as far as the system allows, and returns how many of the wanted connections it permits. A server that
    /// reaches the limit while accepting would stop accepting altogether.
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
