/// How a change set is written: the parameter `form` of `sync`.
package enum SyncForm: String, Hashable, Sendable {
    /// JSON with whole bodies.
    case plain
    /// Binary, with what differs from the bodies that the client holds.
    case delta
}
