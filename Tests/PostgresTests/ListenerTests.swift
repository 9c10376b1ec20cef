import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct ListenerTests {
    @Test func `listener receives notifications, also after its session was terminated`() async throws {
        let database = try await testDatabase()
        let other = try await Connection.open(database)
        var named = database
        named.applicationName = "listener"
        let process: Query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'listener'"
        var events: [Listener.Event] = []
        var connects = 0
        for await event in Listener(named, channels: ["news", "Odd \"name\""]) {
            events.append(event)
            if event == .connected {
                connects += 1
                let payload = "é \(connects)"
                _ = try await other.query("SELECT pg_notify('Odd \"name\"', \(payload)), pg_notify('quiet', '')")
            } else if connects < 3 {
                try await other.terminate(try await other.value(process, as: Int32.self))
            } else {
                break
            }
        }
        let expected = (1...3).flatMap { number -> [Listener.Event] in
            [.connected, .notification(channel: "Odd \"name\"", payload: "é \(number)")]
        }
        #expect(events == expected)
    }

    @Test func `listener ends when its task is cancelled, connected or not`() async throws {
        let database = try await testDatabase()
        for configuration in [database, ConnectionConfiguration(url: "host=/nowhere")] {
            let other = try await Connection.open(database)
            let task = Task {
                var events: [Listener.Event] = []
                for await event in Listener(configuration, channels: ["news"]) { events.append(event) }
                return events.count
            }
            if configuration.url == database.url {
                let listening: Query = """
                    SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()
                    """
                while try await other.value(listening, as: Int.self) == 0 { await Task.yield() }
            }
            task.cancel()
            #expect(await task.value <= 1)
        }
    }

    @Test func `listener receives all of many notifications`() async throws {
        let database = try await testDatabase()
        let other = try await Connection.open(database)
        var payloads: [Int?] = []
        for await event in Listener(database, channels: ["news"]) {
            switch event {
            case .connected:
                _ = try await other.query("SELECT pg_notify('news', n::text) FROM generate_series(1, 5000) AS n")
            case .notification(_, let payload):
                payloads.append(Int(payload))
            }
            if payloads.count == 5_000 { break }
        }
        #expect(payloads == Array(1...5_000))
    }
}
