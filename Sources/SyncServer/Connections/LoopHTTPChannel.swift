import HummingbirdCore
import Logging
import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// HTTP/1.1 connections whose tasks run on their own event loops.
///
/// What takes more than some microseconds must leave the loop, which many connections share: ``OffLoopMiddleware`` sees to it for
/// all that routes do, ``ResponseBody/streamed(_:)`` for bodies that are worked out while they are sent.
struct LoopHTTPChannel: ServerChildChannel {
    let http: HTTP1Channel

    static func builder(_ configuration: HTTP1Channel.Configuration = .init()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LoopHTTPChannel(http: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }

    /// Bytes that the system takes of us before they are on their way. It takes megabytes else, and whether a slow client takes
    /// anything at all could not be told for minutes.
    private static let unsentInSystem = 128 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        #if canImport(Glibc)
            try? channel.syncOptions?.setOption(
                .tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentInSystem)
        #endif
        return self.http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor.on(value.channel.eventLoop)) {
            await self.http.handle(value: value, logger: logger)
        }
    }
}
