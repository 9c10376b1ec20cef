import SyncModel

extension QueryValues {
    /// How long a request may wait for a change; nil without the parameter. A larger value is clamped.
    func waitTimeout() throws -> Duration? {
        try self.number("wait", in: 0...Int64.max).map { .seconds(min($0, Self.maxWait)) }
    }

    /// In seconds. Proxies and networks close a silent connection after a minute.
    private static let maxWait: Int64 = 55
}
