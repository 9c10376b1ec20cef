import NIOCore
import Synchronization

/// Runs tasks on an event loop: what reads a request and writes its answer then needs no hop to another thread and back.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// One for each event loop of the process, of which there are as many as cores.
    private static let known = Mutex<[ObjectIdentifier: EventLoopExecutor]>([:])

    static func on(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        Self.known.withLock { known in
            let name = ObjectIdentifier(eventLoop)
            if let executor = known[name] { return executor }
            let executor = EventLoopExecutor(eventLoop)
            known[name] = executor
            return executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
