import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

/// Sends requests of concurrent clients. The benchmark runs itself with this command.
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Request routes from a server with concurrent clients.", shouldDisplay: false)

    @OptionGroup var options: VenueOptions

    @Option(help: "The port of the server.")
    var port: Int

    @Option(help: "Another seed makes other requests; the server keeps responses to equal ones.")
    var seed = 0

    @Option(help: "Poll after this cursor instead.")
    var cursor: String?

    func run() async throws {
        raiseFileLimit()
        let service = Service(port: self.port)
        let questions = Questions(self.options.sample)
        let (seed, clients) = (self.seed, self.options.clients)
        let poll = self.cursor.map { "/venues/\(ServedRoutes.key)/sync?since=\($0)" }
        let start = ContinuousClock.now
        let end = start + .seconds(self.options.seconds)
        let all = try await withThrowingTaskGroup(of: [Double].self) { group in
            for client in 0..<clients {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(10_000 * (seed + 1) + client))
                    var times: [Double] = []
                    while ContinuousClock.now < end {
                        let path = poll ?? questions.path(in: ServedRoutes.key, using: &random)
                        let start = ContinuousClock.now
                        try await service.send("GET", path)
                        times.append(start.elapsedMilliseconds)
                    }
                    return times
                }
            }
            var sum: [Double] = []
            for try await times in group { sum += times }
            return sum
        }
        let seconds = start.elapsedMilliseconds / 1_000
        reportTimes(
            "\(clients) clients of the server, \(poll == nil ? "routes" : "polls")", all,
            ["requests_per_second": .rounded(Double(all.count) / seconds, decimals: 0)])
    }
}
