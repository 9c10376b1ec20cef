import Foundation

#if os(Linux)
    import CScheduler
#endif

/// The order of threads when there are fewer cores than threads with work. Does nothing on other systems than Linux.
enum ThreadPriority {
    /// The calling thread gives way to those of connections.
    static func giveWay() {
        #if os(Linux)
            // On Linux this sets the priority of the calling thread.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        #endif
    }

    /// The calling thread, which works for microseconds at a time, interrupts others as soon as it has work.
    static func comeFirst() {
        #if os(Linux)
            _ = set_time_slice(100_000)
        #endif
    }
}
