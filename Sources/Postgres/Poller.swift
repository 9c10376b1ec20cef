internal import CLibpq
internal import Glibc
internal import Synchronization

/// One thread that waits for events of all sockets and wakes the tasks that wait for them.
///
/// Every registration is one-shot, so a socket is only watched while a task waits for it: with a level-triggered registration, an
/// idle connection that the server has closed would keep the thread busy.
final class Poller: Sendable {
    static let shared = Poller()

    private struct Table {
        var next: UInt64 = 1
        var watches: [UInt64: SocketWatch] = [:]
    }

    private let descriptor: Int32
    private let table = Mutex(Table())
    /// How often the thread was woken.
    private let wakeUps = Atomic(0)

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
            self.wakeUps.add(1, ordering: .relaxed)
            for event in events.prefix(max(0, Int(count))) {
                // The socket of an event may have been removed meanwhile.
                self.table.withLock { $0.watches[event.data.u64] }?.wake()
            }
        }
    }

    var wakeUpCount: Int { self.wakeUps.load(ordering: .relaxed) }

    /// Adds a socket, without watching it yet. Remove it before the socket is closed.
    func add(_ socket: Int32) -> SocketWatch? {
        let watch = self.table.withLock { table in
            let watch = SocketWatch(socket: socket, number: table.next, poller: self)
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

    func remove(_ watch: SocketWatch) {
        self.forget(watch)
        _ = self.control(EPOLL_CTL_DEL, watch, 0)
    }

    private func forget(_ watch: SocketWatch) {
        _ = self.table.withLock { $0.watches.removeValue(forKey: watch.number) }
    }

    /// Watches a socket until its next event.
    func arm(_ watch: SocketWatch, _ events: UInt32) -> Bool {
        self.control(EPOLL_CTL_MOD, watch, events | EPOLLONESHOT.rawValue)
    }

    private func control(_ operation: Int32, _ watch: SocketWatch, _ events: UInt32) -> Bool {
        // Even without events of interest a socket reports errors, so this registration is one-shot, too.
        var event = epoll_event(events: events | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: watch.number))
        return epoll_ctl(self.descriptor, operation, watch.socket, &event) == 0
    }
}

extension Connection {
    /// How often the thread that waits for the sockets of all connections was woken.
    package static var pollerWakeUps: Int { Poller.shared.wakeUpCount }
}
