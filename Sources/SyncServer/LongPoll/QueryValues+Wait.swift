import SyncModel

extension QueryValues {
    /// How long a request may wait for a change; nil if it does not wait. A larger value is clamped.
    func waitTimeout() throws -> Duration? {
        let seconds = min(try self.number("wait", in: 0...Int64.max) ?? 0, Self.maxWait)
        return seconds > 0 ? .seconds(seconds) : nil
    }

    /// In seconds. Proxies and networks close a silent connection after a minute.
    private static let maxWait: Int64 = 55
}
