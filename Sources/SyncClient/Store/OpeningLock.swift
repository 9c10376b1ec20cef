import Foundation

/// Lets one opener of a replica's file, of all processes and of all replicas in one, create, repair or replace it after the other. SQLite's own
/// locks are those of a file that is there and stays.
///
/// It is a lock of the folder, so that no further file is needed. The system ends it with the process that has it.
struct OpeningLock {
    private let descriptor: Int32

    /// Waits for whoever has the lock. Without permission to read the folder there is none.
    init(folderOf file: URL) {
        self.descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard self.descriptor >= 0 else { return }
        while flock(self.descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func release() {
        if self.descriptor >= 0 { close(self.descriptor) }
    }
}
