import Foundation

/// Lets one opener of a replica's file, of all processes and of all replicas in one, create, repair or replace it after the other. SQLite's own
/// locks are those of a file that is there and stays.
///
/// It is a lock of the folder, so that no further file is needed. The system ends it with the process that has it.
struct OpeningLock {
    private let descriptor: Int32

    /// How long to wait, as for a lock of SQLite: a process that has the lock may be suspended, and must not keep others from opening files.
    private static let patience = Duration.seconds(10)

    /// Waits for whoever has the lock. After that time, or without permission to read the folder, there is none.
    init(folderOf file: URL) {
        self.descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard self.descriptor >= 0 else { return }
        let end = ContinuousClock.now + Self.patience
        while flock(self.descriptor, LOCK_EX | LOCK_NB) != 0, [EWOULDBLOCK, EINTR].contains(errno),
            ContinuousClock.now < end
        {
            usleep(5_000)
        }
    }

    func release() {
        if self.descriptor >= 0 { close(self.descriptor) }
    }
}
