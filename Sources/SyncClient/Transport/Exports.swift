// What an app passes to a replica, or implements, to send requests.
@_exported import HTTPTransport
