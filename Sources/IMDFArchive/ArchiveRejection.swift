package import IMDF

/// Why an archive was rejected. Only a changed archive can be accepted.
package struct ArchiveRejection: Error, Sendable {
    /// The blocking findings in the order in which they were found; at least one.
    package let findings: [Finding]
    /// What could be read, for the report: of several features with one id the first. It is not versioned. Nil if it is nothing.
    package var readable: Archive?
    /// Whether ``readable`` lacks features of the archive.
    package var isIncomplete = true
}

/// Why an archive could not be read although it may be correct. Reading it again may succeed.
package enum ArchiveReadingError: Error, Hashable, Sendable {
    /// The file cannot be read. The value is the message of the system.
    case unreadable(String)
    case outOfMemory
}
