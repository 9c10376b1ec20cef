/// The epoch of a venue as an opaque token in URLs. Responses about a revision may be cached for ever, and a venue that was deleted
/// and created again numbers its revisions from 1.
package struct EpochToken: Hashable, Sendable, LosslessStringConvertible {
    package let epoch: Int64

    package init(_ epoch: Int64) {
        self.epoch = epoch
    }

    /// Parses a token; nil unless it is exactly what ``description`` returns for some epoch.
    package init?(_ token: String) {
        guard var reader = TokenReader(token: token), let bits = reader.fixed(), reader.isAtEnd else { return nil }
        self.epoch = Int64(bitPattern: bits)
        guard self.description == token else { return nil }
    }

    package var description: String {
        var writer = TokenWriter()
        writer.append(fixed: UInt64(bitPattern: self.epoch))
        return writer.token
    }
}
