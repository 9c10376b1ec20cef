import Foundation
import VenueSync

/// Keeps a copy of a floor in a file and prints it, and then what changes on it. Without a network, it prints what the file has.
///
///     swift run Consumer http://127.0.0.1:8080 mall mall.sqlite 0
@main
struct Consumer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let server = URL(string: arguments[1]), let venue = VenueKey(arguments[2]),
            let floor = Int(arguments[4])
        else { return print("usage: Consumer <server> <venue> <file> <ordinal>") }
        let key = ProcessInfo.processInfo.environment["VENUE_KEY"]
        let replica = try await VenueReplica.open(
            URL(filePath: arguments[3]), server: server, venue: venue, key: key)
        let following = Task { try await replica.follow(adding: [.ordinal(floor)]) }
        defer { following.cancel() }
        for try await update in try await replica.mapUpdates(in: [.ordinal(floor)]) {
            var text = "revision \(update.revision ?? 0): \(update.changes.count) features are drawn differently\n"
            for change in update.changes {
                guard let name = update.map.name(of: change.id), let point = change.new?.point?.position else {
                    continue
                }
                text += "  \(change.kind) \(change.type.rawValue) \(name) at \(point.latitude), \(point.longitude)\n"
            }
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
    }
}
