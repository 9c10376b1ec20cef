package import IMDF

/// Why an archive cannot be taken. It is up to the person who made it.
package struct ArchiveRejection: Error, Hashable, Sendable {
    /// What blocks, in the order in which it was found; at least one.
    package let findings: [Finding]
}

/// Why an archive could not be read although it may be right. It is up to us.
package enum ArchiveReadingError: Error, Hashable, Sendable {
    /// The file cannot be read. The text is the system's.
    case unreadable(String)
    case outOfMemory
}
