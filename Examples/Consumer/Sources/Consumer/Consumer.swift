import Foundation
import SyncClient
import SyncModel

/// Copies a venue into a file and prints its floors.
///
///     swift run Consumer http://127.0.0.1:8080 mall mall.sqlite
@main
struct Consumer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let server = URL(string: arguments[1]), let venue = VenueKey(arguments[2]) else {
            print("usage: Consumer <server> <venue> <file>")
            return
        }
        let key = ProcessInfo.processInfo.environment["VENUE_KEY"]
        let replica = try await VenueReplica.open(
            URL(filePath: arguments[3]), server: server, venue: venue, key: key)
        let report = try await replica.sync()
        print("revision \(report.to)")
        for level in try await replica.store.levels() {
            print(level.ordinal.map { "floor \($0)" } ?? "venue", "\(level.features) features")
        }
    }
}
