import Foundation

/// The limit on files and sockets that the process may have open.
enum OpenFiles {
    /// Reserved for everything but clients: database connections, standard streams, event loops.
    private static let reserved = 100

    /// Raises the limit as far as the system allows, and returns how many of the requested connections it permits. A server that
    /// reaches the limit while accepting would stop accepting altogether.
    static func connections(requested: Int) -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return requested }
        let needed = rlim_t(requested + Self.reserved)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            _ = setrlimit(resource, &limit)
            guard getrlimit(resource, &limit) == 0 else { return requested }
        }
        return max(min(requested, Int(clamping: limit.rlim_cur) - Self.reserved), 1)
    }
}
