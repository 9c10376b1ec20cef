import ArgumentParser
import BenchmarkSupport
import CLibpq  // for epoll
import Foundation
import Glibc
import IMDF

/// Thousands of clients in one thread: each sends one request and waits for events.
struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open many connections and report when all of them have received an event.", shouldDisplay: false)

    @Option(help: "The port of the server.")
    var port: Int

    @Option(help: "The path that each client requests.")
    var path: String

    @Option(help: "The number of clients.")
    var count: Int

    /// A long poll is not answered before something changes.
    @Flag(help: "A client counts as connected when its request is sent, not when a response begins.")
    var unanswered = false

    func run() throws {
        raiseFileLimit()
        let clients = try WaitingConnections(
            port: self.port, path: self.path, count: self.count, awaitsResponse: !self.unanswered)
        try clients.connect()
        report([
            "event": "ready", "count": .number(Double(self.count)), "refused": .number(Double(clients.refused)),
        ])
        try clients.listen()
    }
}

/// The connections of all clients, and the events that they have received.
final class WaitingConnections {
    /// The bytes at which the data of an event begins: a field at the start of a line.
    private static let dataPrefix = Array("\ndata:".utf8)
    /// How many connections are established concurrently.
    private static let window = 128
    /// The number of source addresses, so that there are enough ports.
    private static let sources: UInt32 = 8

    private struct Client {
        var socket: Int32
        var isReady = false
        /// How many bytes of `dataPrefix` the last bytes match.
        var matched = 0
        var events = 0
    }

    private let port: Int
    private let request: [UInt8]
    private let awaitsResponse: Bool
    private let poller: Int32
    private var clients: [Client]
    private var ready = 0
    private(set) var refused = 0
    /// By number of the event, when each client received it, in microseconds since 1970.
    private var arrivals: [Int: [Int64]] = [:]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(port: Int, path: String, count: Int, awaitsResponse: Bool) throws {
        self.port = port
        self.request = requestHead(path, port: port, extra: ["Accept: text/event-stream"])
        self.awaitsResponse = awaitsResponse
        self.poller = epoll_create1(0)
        guard self.poller >= 0 else { throw SocketFailure("epoll_create1") }
        self.clients = []
        self.clients.reserveCapacity(count)
        for _ in 0..<count { self.clients.append(Client(socket: -1)) }
    }

    func connect() throws {
        var next = 0
        while self.ready < self.clients.count {
            while next < self.clients.count, next - self.ready < Self.window {
                try self.open(next)
                next += 1
            }
            if self.ready < self.clients.count { try self.poll(milliseconds: 10_000) }
        }
        // Events received while other clients were still connecting are not counted.
        self.arrivals = [:]
        for index in self.clients.indices { self.clients[index].events = 0 }
    }

    private func open(_ index: Int) throws {
        let socket = try newSocket()
        // IP_BIND_ADDRESS_NO_PORT: the port is chosen on connect, so every source address can use all ports.
        var enabled: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_IP), 24, &enabled, socklen_t(MemoryLayout<Int32>.size))
        let source = sockaddr_in.loopback(0, host: 1 + UInt32(index) % Self.sources)
        guard source.with({ bind(socket, $0, $1) }) == 0,
            sockaddr_in.loopback(self.port).with({ Glibc.connect(socket, $0, $1) }) == 0,
            write(socket, self.request, self.request.count) == self.request.count,
            fcntl(socket, F_SETFL, O_NONBLOCK) == 0
        else { throw SocketFailure("connect") }
        self.clients[index].socket = socket
        if !self.awaitsResponse { self.becomeReady(index) }
        try self.watch(socket, as: UInt64(index))
    }

    private func watch(_ socket: Int32, as number: UInt64) throws {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: number))
        guard epoll_ctl(self.poller, EPOLL_CTL_ADD, socket, &event) == 0 else { throw SocketFailure("epoll_ctl") }
    }

    private func becomeReady(_ index: Int) {
        guard !self.clients[index].isReady else { return }
        self.clients[index].isReady = true
        self.ready += 1
    }

    /// Listens until standard input ends. Each line there requests a report on the event with this number, counted from now on.
    func listen() throws {
        let standardInput = UInt64.max
        try self.watch(STDIN_FILENO, as: standardInput)
        var (expected, deadline): (Int?, ContinuousClock.Instant) = (nil, .now)
        while true {
            if try self.poll(milliseconds: 50, and: standardInput) {
                let count = Glibc.read(STDIN_FILENO, &self.buffer, self.buffer.count)
                guard count > 0 else { return }
                let lines = String(decoding: self.buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
                expected = lines.last.flatMap { Int($0) }
                deadline = .now + .seconds(10)
            }
            guard let number = expected else { continue }
            let received = self.arrivals[number]?.count ?? 0
            if received == self.clients.count || deadline < .now {
                self.reportEvent(number)
                expected = nil
            }
        }
    }

    private func reportEvent(_ number: Int) {
        let times = (self.arrivals.removeValue(forKey: number) ?? []).map(Double.init)
        report([
            "event": "heard", "number": .number(Double(number)), "count": .number(Double(times.count)),
            "first_us": .number(times.min() ?? 0), "p50_us": .number(times.percentile(50)),
            "p99_us": .number(times.percentile(99)), "last_us": .number(times.max() ?? 0),
        ])
    }

    /// Reads all available data; returns true when the socket with this number is readable.
    @discardableResult
    private func poll(milliseconds: Int32, and other: UInt64? = nil) throws -> Bool {
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        let count = epoll_wait(self.poller, &events, Int32(events.count), milliseconds)
        guard count >= 0 || errno == EINTR else { throw SocketFailure("epoll_wait") }
        if count == 0, other == nil { throw SocketFailure("connecting took too long") }
        var isOtherReadable = false
        for event in events.prefix(max(0, Int(count))) {
            if event.data.u64 == other { isOtherReadable = true } else { self.read(Int(event.data.u64)) }
        }
        return isOtherReadable
    }

    private func read(_ index: Int) {
        let socket = self.clients[index].socket
        let count = Glibc.read(socket, &self.buffer, self.buffer.count)
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else {
            // The connection was closed. The event will be missing in the count.
            epoll_ctl(self.poller, EPOLL_CTL_DEL, socket, nil)
            close(socket)
            self.refused += self.clients[index].isReady ? 0 : 1
            self.becomeReady(index)
            return
        }
        if !self.clients[index].isReady {
            let isOK = String(decoding: self.buffer[..<min(count, 12)], as: UTF8.self) == "HTTP/1.1 200"
            self.refused += isOK ? 0 : 1
            self.becomeReady(index)
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var (matched, events) = (self.clients[index].matched, self.clients[index].events)
        for byte in self.buffer[..<count] {
            if byte == Self.dataPrefix[matched] { matched += 1 } else { matched = byte == Self.dataPrefix[0] ? 1 : 0 }
            guard matched == Self.dataPrefix.count else { continue }
            matched = 0
            events += 1
            self.arrivals[events, default: []].append(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)
        }
        (self.clients[index].matched, self.clients[index].events) = (matched, events)
    }
}
