import Synchronization

/// How long a node serves the last state that it knows while the database cannot confirm it.
///
/// A key may be revoked and a venue made private or deleted meanwhile, by another node: an outage may be one of this node alone.
package struct UnconfirmedLimits: Sendable {
    /// For everything that takes a key.
    package var withKey = Duration.seconds(30)
    /// For public venues.
    package var publicVenues = Duration.seconds(3_600)

    package init() {}
}

/// The state that is known here is older than ``UnconfirmedLimits`` allow for what is requested.
struct UnconfirmedState: Error {}

extension ReadModel {
    /// Whether the last refresh that succeeded is recent enough to serve what it found.
    ///
    /// - Parameter isPublic: Whether what is served was public then. Otherwise it takes a key, which may have been revoked since.
    func isConfirmed(forPublic isPublic: Bool) -> Bool {
        let limit = isPublic ? self.unconfirmedLimits.publicVenues : self.unconfirmedLimits.withKey
        let now = self.now()
        return self.state.withLock { state in state.readAt.map { now - $0 <= limit } ?? false }
    }

    /// - Throws: ``UnconfirmedState``
    func requireConfirmation(forPublic isPublic: Bool) throws {
        guard self.isConfirmed(forPublic: isPublic) else { throw UnconfirmedState() }
    }
}
