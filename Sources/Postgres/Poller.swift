internal import CLibpq
internal import Glibc
internal import Synchronization

/// One thread that waits for all sockets and does nothing but wake whoever waits for one.
///
/// Every registration is one-shot. A socket that nobody waits for is not watched: with a level-triggered registration, one
/// idle connection closed by the server would keep the thread running.
final class Poller: Sendable {
    static let shared = Poller()

    private struct Table {
        var next: UInt64 = 1
        var watches: [UInt64: Watch] = [:]
    }

    private let descriptor: Int32
    private let table = Mutex(Table())

    private init() {
        self.descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(self.descriptor >= 0, "no epoll descriptor: \(errno)")
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { _ in Poller.shared.run() }, nil)
        precondition(code == 0, "no thread for sockets: \(code)")
        pthread_detach(thread)
    }

    private func run() -> Never {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(self.descriptor, &events, Int32(events.count), -1)
            precondition(count >= 0 || errno == EINTR, "epoll failed: \(errno)")
            for event in events.prefix(max(0, Int(count))) {
                // An event may still be on its way when its socket is taken out: then nobody has the number.
                self.table.withLock { $0.watches[event.data.u64] }?.wake()
            }
        }
    }

    /// Makes a socket known; nothing is watched yet. Take it out before the socket is closed.
    func add(_ socket: Int32) -> Watch? {
        let watch = self.table.withLock { table in
            let watch = Watch(socket: socket, number: table.next, poller: self)
            table.watches[table.next] = watch
            table.next += 1
            return watch
        }
        guard self.control(EPOLL_CTL_ADD, watch, 0) else {
            self.forget(watch)
            return nil
        }
        return watch
    }

    func remove(_ watch: Watch) {
        self.forget(watch)
        _ = self.control(EPOLL_CTL_DEL, watch, 0)
    }

    private func forget(_ watch: Watch) {
        _ = self.table.withLock { $0.watches.removeValue(forKey: watch.number) }
    }

    /// Watches a socket until its next event.
    func arm(_ watch: Watch, _ events: UInt32) -> Bool {
        self.control(EPOLL_CTL_MOD, watch, events | EPOLLONESHOT.rawValue)
    }

    private func control(_ operation: Int32, _ watch: Watch, _ events: UInt32) -> Bool {
        // Without interest a socket still reports errors: one-shot also holds for the registration itself.
        var event = epoll_event(events: events | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: watch.number))
        return epoll_ctl(self.descriptor, operation, watch.socket, &event) == 0
    }
}
