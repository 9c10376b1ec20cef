/// The one way in which compressing fails. It is up to us.
package enum CompressionError: Error, Hashable, Sendable {
    case outOfMemory
}
