import NIOCore
import Synchronization

/// Runs tasks on an event loop, so that reading a request and writing its response takes no hop between threads.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop
    let turns: EventLoopTurns

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.turns = EventLoopTurns(of: eventLoop)
    }

    /// One for each event loop of the process; there are as many as cores.
    private static let executors = Mutex<[ObjectIdentifier: EventLoopExecutor]>([:])

    static func on(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        Self.executors.withLock { executors in
            let id = ObjectIdentifier(eventLoop)
            if let executor = executors[id] { return executor }
            let executor = EventLoopExecutor(eventLoop)
            executor.turns.openPipe()
            executors[id] = executor
            return executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Suspends a task that runs on an event loop until the loop has handled the events of other connections. A task that runs elsewhere
    /// continues at once.
    static func waitForTurn() async {
        let executor = Self.executors.withLock { $0.values.first { $0.eventLoop.inEventLoop } }
        await executor?.turns.wait()
    }
}
