import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
    import Glibc
#endif

/// HTTP/1.1 connections whose tasks run on their own event loops.
///
/// Work that takes more than some microseconds must leave the loop, which many connections share: ``RequestExecutor`` does so for
/// routes, ``ResponseBody/streamed(_:)`` for bodies that are computed while they are sent.
struct LoopHTTPChannel: ServerChildChannel {
    let http: HTTP1Channel
    let connectionHandler: @Sendable (InboundSlices) -> ConnectionHandler
    let immediateResponder: ImmediateResponder

    /// - Parameter connectionHandler: Evaluated for each connection.
    static func builder(
        _ configuration: HTTP1Channel.Configuration, _ immediateResponder: ImmediateResponder,
        connectionHandler: @escaping @Sendable (InboundSlices) -> ConnectionHandler
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LoopHTTPChannel(
                http: HTTP1Channel(responder: responder, configuration: configuration),
                connectionHandler: connectionHandler, immediateResponder: immediateResponder)
        }
    }

    /// The bytes that the system buffers before they are sent. By default it buffers megabytes, and it would take minutes to notice
    /// that a client has stopped reading.
    private static let maxUnsentBytes = 128 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        #if canImport(Glibc)
            try? channel.syncOptions?.setOption(
                .tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.maxUnsentBytes)
        #endif
        return self.http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Before the handlers that convert messages to HTTP types, which lose the version and repeated header fields.
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let turns = EventLoopExecutor.on(channel.eventLoop).turns
            // Requests that wait for their turn do not hide that the client is gone.
            try pipeline.addHandler(DisconnectHandler(), position: .first)
            let slices = InboundSlices(turns: turns)
            try pipeline.addHandler(slices, position: .before(decoder))
            let connection = self.connectionHandler(slices)
            try pipeline.addHandler(connection, position: .after(decoder))
            let immediate = ImmediateResponseHandler(responder: self.immediateResponder)
            try pipeline.addHandler(immediate, position: .after(connection))
            let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            try pipeline.addHandler(RequestTurns(turns: turns), position: .after(state))
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
