package import RevisionStore

/// The configuration of the server.
package struct ServerSettings: Sendable {
    package var host: String
    package var port: Int
    /// A key with the role `admin` for all venues that cannot be revoked.
    package var adminKey: KeyHash?
    package var maxArchiveBytes: Int64
    package var queueLimits = QueueLimits()
    /// The web origins whose scripts may read responses.
    package var origins = AllowedOrigins.none
    /// The rate limit of each client; nil for none.
    package var rateLimit: RateLimit?
    /// The time in seconds by which requests are counted.
    package var rateLimitClock: @Sendable () -> Double = RateLimiter.uptime
    /// The number of proxies in front of the server, each of which appends to `X-Forwarded-For`.
    package var proxies = 0
    /// The origin under which clients reach the server, such as `https://maps.example.com`; nil to make links of the field `Host`.
    package var publicAddress: String?
    /// Connections that are open at the same time. More have to wait to be accepted.
    package var maxConnections = 10_000
    /// How long a connection may be silent, and how long it may accept none of the bytes that are sent to it.
    package var idleTimeout = Duration.seconds(60)
    /// How long an idle connection stays open when the server stops, for a request that is on its way.
    package var shutdownGrace = Duration.seconds(1)
    package var console = ConsoleSettings()
    /// The files of the fonts for the labels of tiles; nil for those that are installed.
    package var tileFonts: [String]?
    /// The processor time that a tile or a block of glyphs may take.
    package var tileLimit = Duration.seconds(20)
    /// The bound for the memory of all search indexes. A large venue takes some tens of megabytes.
    package var searchIndexBytes = 256 << 20
    /// The time by which the preparation of venues that do not fit into memory together is limited.
    package var preparationClock: @Sendable () -> ContinuousClock.Instant = { .now }
    package var metrics = Metrics()
    /// How long the metrics show the numbers of unfinished uploads that were read.
    package var queueSizesLifetime = Duration.seconds(5)
    package var readiness = Readiness()

    package init(
        host: String = "127.0.0.1", port: Int = 8080, adminKey: KeyHash? = nil, maxArchiveBytes: Int64 = 512 << 20
    ) {
        self.host = host
        self.port = port
        self.adminKey = adminKey
        self.maxArchiveBytes = maxArchiveBytes
    }

    var links: LinkOrigin { LinkOrigin(publicAddress: self.publicAddress, proxies: self.proxies) }
}
