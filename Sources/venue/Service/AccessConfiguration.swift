import Configuration
import RevisionStore
import SyncServer

/// Limits on requests, connections and queued uploads, and the web pages whose scripts may read responses.
struct AccessConfiguration: Sendable {
    var origins = AllowedOrigins.none
    var rateLimit: RateLimit?
    var proxies = 0
    /// The origin under which clients reach the server; nil to make links of what each client has called it.
    var publicAddress: String?
    var connections = 10_000
    /// How long a server that is being stopped continues to serve while it reports that it is not ready.
    var drain = Duration.zero
    /// How long the server serves what the database does not confirm.
    var unconfirmed = UnconfirmedLimits()
    /// How many uploads may wait to be processed.
    var queueLimits = QueueLimits()

    /// - Throws: ``Failure`` for an invalid value. Ignoring it would start a server without the intended limit.
    init(_ reader: ConfigReader) throws {
        if let text = reader.string(forKey: "allowed.origins") {
            guard let origins = AllowedOrigins(text) else {
                throw Failure(
                    .usage, "VENUE_ALLOWED_ORIGINS must be * or origins such as https://maps.example.com, not “\(text)”"
                )
            }
            self.origins = origins
        }
        if let text = reader.string(forKey: "rate.limit"), !["", "off"].contains(text) {
            guard let limit = RateLimit(text) else {
                throw Failure(.usage, "VENUE_RATE_LIMIT must be off, 200 or 200:2000, not “\(text)”")
            }
            self.rateLimit = limit
        }
        if let text = reader.string(forKey: "trusted.proxies"), !["", "off"].contains(text) {
            self.proxies = try Self.number(text, in: 0...16, of: "VENUE_TRUSTED_PROXIES")
        }
        if let text = reader.string(forKey: "public.address"), !text.isEmpty {
            guard AllowedOrigins.isOrigin(text) else {
                throw Failure(
                    .usage,
                    "VENUE_PUBLIC_ADDRESS must be a scheme and a host, such as https://maps.example.com, not “\(text)”")
            }
            self.publicAddress = text
        }
        if let text = reader.string(forKey: "max.connections"), !text.isEmpty {
            self.connections = try Self.number(text, in: 1...1_000_000, of: "VENUE_MAX_CONNECTIONS")
        }
        if let text = reader.string(forKey: "drain.seconds"), !text.isEmpty {
            self.drain = .seconds(try Self.number(text, in: 0...600, of: "VENUE_DRAIN_SECONDS"))
        }
        if let text = reader.string(forKey: "unconfirmed.seconds"), !text.isEmpty {
            self.unconfirmed.withKey = .seconds(
                try Self.number(text, in: 5...604_800, of: "VENUE_UNCONFIRMED_SECONDS"))
        }
        if let text = reader.string(forKey: "unconfirmed.public.seconds"), !text.isEmpty {
            self.unconfirmed.publicVenues = .seconds(
                try Self.number(text, in: 5...604_800, of: "VENUE_UNCONFIRMED_PUBLIC_SECONDS"))
        }
        if let text = reader.string(forKey: "queue.per.venue"), !text.isEmpty {
            self.queueLimits.perVenue = try Self.number(text, in: 1...1_000_000, of: "VENUE_QUEUE_PER_VENUE")
        }
        if let text = reader.string(forKey: "queue.per.key"), !text.isEmpty {
            self.queueLimits.perSubmitter = try Self.number(text, in: 1...1_000_000, of: "VENUE_QUEUE_PER_KEY")
        }
    }

    private static func number(_ text: String, in range: ClosedRange<Int>, of name: String) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Failure(.usage, "\(name) must be \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }
}
