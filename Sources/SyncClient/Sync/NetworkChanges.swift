#if canImport(Network)
    import Dispatch
    import Network

    /// Calls a function when the device has a network again, or another one.
    struct NetworkChanges {
        private let monitor = NWPathMonitor()

        init(_ changed: @escaping @Sendable () -> Void) {
            self.monitor.pathUpdateHandler = { path in
                if path.status == .satisfied { changed() }
            }
            self.monitor.start(queue: DispatchQueue(label: "io.venuesync.network"))
        }

        func stop() { self.monitor.cancel() }
    }
#else
    /// Where the system reports no changes of the network, pauses end by themselves.
    struct NetworkChanges {
        init(_ changed: @escaping @Sendable () -> Void) {}

        func stop() {}
    }
#endif
