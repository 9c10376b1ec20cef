import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
    import Glibc
#endif

/// HTTP/1.1 connections whose tasks run on their own event loops.
///
/// What takes more than some microseconds must leave the loop, which many connections share: ``OffLoopMiddleware`` sees to it for
/// all that routes do, ``ResponseBody/streamed(_:)`` for bodies that are worked out while they are sent.
struct LoopHTTPChannel: ServerChildChannel {
    let http: HTTP1Channel
    let connectionHandler: @Sendable () -> ConnectionHandler

    /// - Parameter connectionHandler: One for each connection.
    static func builder(
        _ configuration: HTTP1Channel.Configuration,
        connectionHandler: @autoclosure @escaping @Sendable () -> ConnectionHandler
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LoopHTTPChannel(
                http: HTTP1Channel(responder: responder, configuration: configuration),
                connectionHandler: connectionHandler)
        }
    }

    /// Bytes that the system takes of us before they are on their way. It takes megabytes else, and whether a slow client takes
    /// anything at all could not be told for minutes.
    private static let unsentInSystem = 128 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        #if canImport(Glibc)
            try? channel.syncOptions?.setOption(
                .tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentInSystem)
        #endif
        return self.http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Where a message still has its version and all of its header lines.
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(self.connectionHandler(), position: .after(decoder))
            return AcceptedConnection(value)
        }
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        let channel = value.take()
        await withTaskExecutorPreference(EventLoopExecutor.on(channel.channel.eventLoop)) {
            await self.http.handle(value: channel, logger: logger)
        }
    }
}
