#if os(Linux)
    import CMalloc
    import Foundation
    import Synchronization
#endif

/// The memory from which all threads of a worker allocate.
package enum WorkerHeap {
    #if os(Linux)
        /// Where the heap ended before anything was configured.
        private static let start = Atomic(0)
        /// Larger buffers are no part of the heap, and are returned to the system when they are freed.
        private static let largeBuffer: Int32 = 1 << 20
        /// How much address space a large import takes at once. Memory is taken only when it is used.
        private static let reserve: Int32 = 512 << 20
        /// How much it takes at a time otherwise; the default of the library.
        private static let step: Int32 = 128 << 10
        /// As much as `mallopt` allows for `M_MMAP_THRESHOLD`.
        private static let largestThreshold: Int32 = 32 << 20
    #endif

    /// Makes all threads of the process allocate from the heap. Call it before there are any.
    ///
    /// By default, each thread has an arena of its own, which keeps what was freed there: an import leaves behind as much as the rules, on
    /// another thread, allocate again. A worker that imports six archives of 54 MB one after the other has a peak of 350 MiB instead of
    /// 650.
    package static func configure() {
        #if os(Linux)
            self.start.store(self.end, ordering: .relaxed)
            _ = mallopt(M_ARENA_MAX, 1)
            _ = mallopt(M_MMAP_THRESHOLD, self.largeBuffer)
            _ = mallopt(M_TRIM_THRESHOLD, self.reserve)
        #endif
    }

    /// Lets the heap have large pages for a large import, which otherwise spends a seventh of its time on page faults.
    ///
    /// The system keeps that for address space that the heap has already, so the heap is extended first. Where the system refuses as much,
    /// as on a machine with little memory, pages stay small.
    static func useLargePages() {
        #if os(Linux)
            let start = self.start.load(ordering: .relaxed)
            guard start > 0 else { return }  // not configured: the heap is that of a server, or of a test
            let unused = mallinfo2().keepcost
            if unused < self.largestThreshold / 2 {
                _ = mallopt(M_MMAP_THRESHOLD, self.largestThreshold)
                _ = mallopt(M_TOP_PAD, self.reserve)
                let block = malloc(unused + 65_536)
                _ = mallopt(M_TOP_PAD, self.step)
                _ = mallopt(M_MMAP_THRESHOLD, self.largeBuffer)
                // The compiler may leave out the allocation of a block that is not used.
                if malloc_usable_size(block) > 0 { free(block) }
            }
            let largePage = 2 << 20
            let first = (start + largePage - 1) / largePage * largePage
            guard let address = UnsafeMutableRawPointer(bitPattern: first), self.end > first else { return }
            madvise(address, self.end - first, MADV_HUGEPAGE)
        #endif
    }

    /// Returns memory that was freed to the system.
    ///
    /// - Parameter limit: Does nothing if the process has not more than this many bytes.
    static func releaseFreed(above limit: Int = 0) {
        #if os(Linux)
            if self.resident > limit { malloc_trim(0) }
        #endif
    }

    #if os(Linux)
        /// How many bytes of the process are in memory.
        private static var resident: Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * Int(getpagesize()) } ?? .max
        }

        private static var end: Int { Int(bitPattern: sbrk(0)) }
    #endif
}
