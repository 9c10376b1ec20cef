package import Hummingbird
import NIOCore

/// The context of every request, before anything was decided about it.
package struct AppRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Notices when the client disconnects; nil without a connection, as in tests of the router. Looked up when the request arrives,
    /// because a connection that is closed has no handlers any more.
    let connection: DisconnectHandler?
    /// What the request has waited for already, in the handler of its connection.
    let endedWait: EndedWait?
    let accessDecisions = AccessDecisions()
    /// False when the sender has tried too many wrong keys: a key that is not in the read model is not looked up then.
    var mayLookUpKeys = true

    package init(source: Source) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
        self.connection = DisconnectHandler.of(source.channel)
        self.endedWait = ImmediateResponseHandler.of(source.channel)?.endedWait
    }
}
