/// The only way in which compression fails.
package enum CompressionError: Error, Hashable, Sendable {
    case outOfMemory
}
