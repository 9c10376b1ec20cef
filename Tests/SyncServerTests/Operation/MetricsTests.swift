import Foundation
import HTTPTypes
import Hummingbird
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct MetricsTests {
    /// The value of a sample, by its complete name including labels.
    private func value(_ sample: String, in harness: Harness) async throws -> Double? {
        let lines = try await harness.send(.get, "/metrics", key: nil).text.split(separator: "\n")
        return lines.first { $0.hasPrefix("\(sample) ") }.flatMap { Double($0.dropFirst(sample.count + 1)) }
    }

    @Test func `metrics count requests by route, method and status class`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive())
            for _ in 0..<3 { _ = try await harness.sync() }
            _ = try await harness.send(.head, "/venues/mall/sync")
            _ = try await harness.send(.get, "/venues/nowhere/sync")
            let name = "venue_http_requests_total{route=\"/venues/{venue}/sync\",method="
            #expect(try await self.value("\(name)\"GET\",status=\"2xx\"}", in: harness) == 3)
            #expect(try await self.value("\(name)\"HEAD\",status=\"2xx\"}", in: harness) == 1)
            #expect(try await self.value("\(name)\"GET\",status=\"4xx\"}", in: harness) == 1)
            let durations = "venue_http_request_duration_seconds"
            let labels = "route=\"/venues/{venue}/sync\",method=\"GET\""
            #expect(try await self.value("\(durations)_count{\(labels)}", in: harness) == 4)
            #expect(try await self.value("\(durations)_bucket{\(labels),le=\"+Inf\"}", in: harness) == 4)
            #expect(try await self.value("\(durations)_sum{\(labels)}", in: harness) ?? 0 > 0)
            let length = try await harness.send(.get, "/venues/mall/sync").data.count
            let problem = try await harness.send(.get, "/venues/nowhere/sync").data.count
            let bytes = try await self.value("venue_http_response_bytes_total{\(labels)}", in: harness)
            #expect(bytes == Double(4 * length + 2 * problem))
        }
    }

    @Test func `metrics use one series for all invented addresses and methods`() async throws {
        try await Harness.run { harness in
            let before = try await harness.send(.get, "/metrics", key: nil).text.split(separator: "\n").count
            for number in 0..<50 {
                _ = try await harness.send(.get, "/nothing/\(number)\"\\n{}")
                let method = try #require(HTTPRequest.Method("MADE\(number)"))
                _ = try await harness.send(method, "/venues")
                _ = try await harness.send(.get, "/venues/v\(number)/sync")
            }
            let lines = try await harness.send(.get, "/metrics", key: nil).text.split(separator: "\n")
            #expect(lines.count < before + 100)
            #expect(lines.contains("venue_http_requests_total{route=\"\",method=\"\",status=\"4xx\"} 100"))
        }
    }

    @Test func `metrics count the uploads that are not finished`() async throws {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.queueSizesLifetime = .seconds(3_600)
        try await Harness.run(settings: settings) { harness in
            _ = try await harness.upload(SampleVenue.tiny.archive())
            #expect(try await self.value("venue_uploads{state=\"received\"}", in: harness) == 1)
            #expect(try await self.value("venue_uploads{state=\"staged\"}", in: harness) == 0)
            #expect(try await self.value("venue_database_up", in: harness) == 1)
            // The queue is read again only when the lifetime is over.
            _ = try await harness.upload(SampleVenue(.small).archive(), to: "other")
            #expect(try await self.value("venue_uploads{state=\"received\"}", in: harness) == 1)
        }
    }

    @Test func `metrics name no venue, key or address`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive(), to: "secret-mall")
            let key = try await harness.makeKey(.read, named: "secret-phones", for: ["secret-mall"])
            _ = try await harness.sync(of: "secret-mall", key: key)
            let text = try await harness.send(.get, "/metrics", key: nil).text
            #expect(!text.contains("secret") && !text.contains(key) && text.contains("process_resident_memory_bytes"))
        }
    }

    @Test func `metrics follow the Prometheus text format`() async throws {
        try await Harness.run { harness in
            _ = try await harness.send(.get, "/venues")
            let response = try await harness.send(.get, "/metrics", key: nil)
            #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(response.text.hasSuffix("\n"))
            for line in response.text.split(separator: "\n") where !line.hasPrefix("# ") {
                let sample = /[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? (-?[0-9.e+\-]+|NaN)/
                #expect(line.wholeMatch(of: sample) != nil, "\(line)")
            }
            let families = response.text.matches(of: #/[#] TYPE ([a-z_]+) [a-z]+/#).map { String($0.output.1) }
            #expect(Set(families).count == families.count)
        }
    }

    @Test func `metrics escape labels`() {
        var text = PrometheusText()
        text.family("a", .gauge, "One \\ two\nthree")
        text.sample("a", ["b": "\"\\\n"], 1.5)
        #expect(text.text == "# HELP a One \\\\ two\\nthree\n# TYPE a gauge\na{b=\"\\\"\\\\\\n\"} 1.5\n")
    }

    @Test func `metrics return the same gauge for the same name`() async throws {
        let metrics = Metrics()
        metrics.gauge("venue_waiting_clients", help: "Clients that wait for news.").add(3)
        metrics.gauge("venue_waiting_clients", help: "Clients that wait for news.").subtract()
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.metrics = metrics
        try await Harness.run(settings: settings) { harness async throws in
            #expect(try await self.value("venue_waiting_clients", in: harness) == 2)
            #expect(try await self.value("venue_http_requests_in_progress", in: harness) == 1)
        }
    }
}
