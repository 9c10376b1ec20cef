import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with URLSession, so that the system chooses network and proxy.
///
/// A response waits in memory until it is read. On Apple platforms its transfer is suspended while more than 1 MiB waits. On Linux
/// URLSession cannot do that, so up to 256 MiB may wait; and a file that is sent is in memory meanwhile.
public final class URLSessionTransport: SyncTransport {
    /// The server holds a long poll for up to 55 seconds, so a response may be silent for more than the usual minute.
    private static let minimumIdleTimeout: TimeInterval = 90

    private let session: URLSession
    private let delegate = SessionDelegate()

    /// - Parameter configuration: Is copied. In the copy, cookies, caches and stored credentials are switched off, and the idle
    ///   timeout is raised to 90 seconds if it is shorter.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let copy = configuration.copy() as! URLSessionConfiguration
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.urlCredentialStorage = nil
        copy.timeoutIntervalForRequest = max(copy.timeoutIntervalForRequest, Self.minimumIdleTimeout)
        self.session = URLSession(configuration: copy, delegate: self.delegate, delegateQueue: nil)
    }

    // A session keeps its delegate alive until it is invalidated.
    deinit { self.session.finishTasksAndInvalidate() }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let task: URLSessionTask
        var progress: (@Sendable (Int64) -> Void)?
        switch request.body {
        case nil: task = self.session.dataTask(with: message)
        case .bytes(let bytes): task = self.session.uploadTask(with: message, from: Data(bytes))
        case .file(let file, let report):
            task = try self.uploadTask(with: message, file)
            progress = report
        }
        let receiver = ResponseReceiver(task, progress: progress)
        self.delegate.add(receiver)
        let head = try await receiver.head()
        var headers: [String: String] = [:]
        for (name, value) in head.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return TransportResponse(status: head.statusCode, headers: headers, body: ResponseBody(receiver: receiver))
    }
}

extension URLSessionTransport {
    #if canImport(FoundationNetworking)
        /// On Linux, URLSession ends the process if a connection is lost while it reads a file to send. So the file is read before.
        private func uploadTask(with request: URLRequest, _ file: URL) throws -> URLSessionTask {
            self.session.uploadTask(with: request, from: try Data(contentsOf: file, options: .mappedIfSafe))
        }
    #else
        private func uploadTask(with request: URLRequest, _ file: URL) throws -> URLSessionTask {
            self.session.uploadTask(with: request, fromFile: file)
        }
    #endif
}

/// Passes the events of a session on to the receiver of their task.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let receivers = Mutex<[Int: ResponseReceiver]>([:])

    func add(_ receiver: ResponseReceiver) {
        self.receivers.withLock { $0[receiver.task.taskIdentifier] = receiver }
    }

    private func receiver(of task: URLSessionTask) -> ResponseReceiver? {
        self.receivers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.receiver(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.receiver(of: dataTask)?.receive([UInt8](data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        self.receiver(of: task)?.progress?(totalBytesSent)
    }

    /// Redirects are not followed: the key is meant for one server. The redirect itself becomes the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    #if canImport(FoundationNetworking)
        /// On Linux, a task without a credential for a 401 response never completes, although the whole response has arrived.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let response = challenge.failureResponse else {
                return completionHandler(.performDefaultHandling, nil)
            }
            let receiver = self.receivers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            receiver?.complete(nil, response: response)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let receiver = self.receivers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        receiver?.complete(error, response: task.response)
    }
}
