package import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The turns of tasks that send long responses from one event loop, and of connections that receive many parts or requests.
///
/// An event loop looks for events of its connections only when none of its tasks is ready, and a task whose client reads as fast as it
/// sends always is: a few such clients would delay all other connections of the loop for as long as their responses take. So these
/// tasks wait for a turn after every few parts. Some turns are an event: a byte in a pipe, so that before the next ones the loop has looked for
/// the events of all connections. Nobody has two turns in one event.
package final class EventLoopTurns: Sendable {
    private struct State {
        var waiting: CircularBuffer<@Sendable () -> Void> = []
        var isScheduled = false
        /// What is written to it is read from it. Nil before it is made, and for event loops without files.
        var pipe: (any Channel)?
    }

    /// One turn takes some hundred microseconds at most. With one turn for each look at the events of all connections, an upload would take seconds
    /// while others send many parts.
    private static let turnsOfAnEvent = 3

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    /// Later than now, so that a loop without a pipe looks for events before, unless it is busy for longer.
    private static let pause = TimeAmount.microseconds(20)

    package init(of eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Opens the pipe of an event loop that lives as long as the process.
    func openPipe() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        NIOPipeBootstrap(group: self.eventLoop)
            .channelInitializer { channel in
                channel.pipeline.addHandler(PipeHandler(turns: self))
            }
            .takingOwnershipOfDescriptors(input: ends[0], output: ends[1])
            .whenSuccess { channel in self.state.withLock { $0.pipe = channel } }
    }

    private final class PipeHandler: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let turns: EventLoopTurns

        init(turns: EventLoopTurns) { self.turns = turns }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { self.turns.takeNext() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in self.next { continuation.resume() } }
    }

    /// Calls a function on the event loop when its turn has come.
    func next(_ body: @escaping @Sendable () -> Void) {
        let isScheduled = self.state.withLock { state in
            state.waiting.append(body)
            defer { state.isScheduled = true }
            return state.isScheduled
        }
        if !isScheduled { self.scheduleNext() }
    }

    /// The same for a handler of the event loop.
    func next(in context: ChannelHandlerContext, _ body: @escaping (ChannelHandlerContext) -> Void) {
        let turn = NIOLoopBound((context: context, body: body), eventLoop: context.eventLoop)
        self.next { turn.value.body(turn.value.context) }
    }

    private func scheduleNext() {
        if let pipe = self.state.withLock(\.pipe) {
            pipe.writeAndFlush(ByteBuffer(bytes: [0]), promise: nil)
        } else {
            self.eventLoop.scheduleTask(in: Self.pause) { self.takeNext() }
        }
    }

    private func takeNext() {
        let next = self.state.withLock { state in
            let turns = state.waiting.prefix(Self.turnsOfAnEvent)
            state.waiting.removeFirst(turns.count)
            state.isScheduled = !state.waiting.isEmpty
            return (bodies: Array(turns), hasMore: state.isScheduled)
        }
        if next.hasMore { self.scheduleNext() }
        for body in next.bodies { body() }
    }
}
