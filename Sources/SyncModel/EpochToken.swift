/// Which of a venue's histories an address is about, as a token that says nothing to the client: an answer about a revision may be
/// kept for ever, and a venue that was deleted and made again counts its revisions anew.
public struct EpochToken: Hashable, Sendable, LosslessStringConvertible {
    public let epoch: Int64

    public init(_ epoch: Int64) {
        self.epoch = epoch
    }

    /// Reads a token; nil for anything that this code would not have written.
    public init?(_ token: String) {
        guard var reader = TokenReader(token: token), let bits = reader.fixed(), reader.isAtEnd else { return nil }
        self.epoch = Int64(bitPattern: bits)
        guard self.description == token else { return nil }
    }

    public var description: String {
        var writer = TokenWriter()
        writer.append(fixed: UInt64(bitPattern: self.epoch))
        return writer.token
    }
}
