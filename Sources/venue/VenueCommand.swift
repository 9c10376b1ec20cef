import ArgumentParser
import Foundation
import IMDF
import Ingestion
import SyncServer

/// The program `venue`: the services and the operator's tools.
@main
struct VenueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "venue",
        abstract: "A versioned store and sync backend for indoor maps (IMDF).",
        discussion: """
            Settings come from arguments, then from the environment, then from a file named .env. Defaults are in parentheses:
              VENUE_DATABASE_URL      the PostgreSQL server; without it “up” starts a private one
              VENUE_READ_DATABASE_URL a streaming replica of that server, from which “serve” and “up” read revisions
              VENUE_ADMIN_KEY         a key that always has the role admin
              VENUE_SERVER            the server that the operator's tools use (http://127.0.0.1:8080)
              VENUE_KEY               the key that these tools send (the value of VENUE_ADMIN_KEY)
              VENUE_LOG_LEVEL         trace, debug, info, notice, warning, error or critical (notice)
              VENUE_LOG_FORMAT        text or json (text)

            For “up” and “serve”:
              VENUE_ALLOWED_ORIGINS   web pages whose scripts may read responses: *, or https://a.example,https://b.example
              VENUE_RATE_LIMIT        requests per second from one key and address: 200, or with the burst, 200:2000 (off)
              VENUE_TRUSTED_PROXIES   how many proxies in front of the server add to X-Forwarded-For (0)
              VENUE_PUBLIC_ADDRESS    scheme and host of links, such as https://maps.example.com (those of the request)
              VENUE_MAX_CONNECTIONS   the maximum number of open connections (10000)
              VENUE_QUEUE_PER_VENUE   the maximum number of queued uploads of one venue (20)
              VENUE_QUEUE_PER_KEY     the maximum number of queued uploads of one key, in all venues (100)
              VENUE_DRAIN_SECONDS     how long a server that is being stopped serves while it reports not to be ready (0)
              VENUE_UNCONFIRMED_SECONDS, VENUE_UNCONFIRMED_PUBLIC_SECONDS
                                      for how many seconds to serve without the database: what needs a key (30), and
                                      public venues (3600)
              VENUE_MAP_LIBRARY       the folder of MapLibre GL JS, which draws the console's map (.map-library, or
                                      venuesync/maplibre in /usr/local/share or /usr/share)
              VENUE_TILE_FONTS        the font files for the labels of tiles, separated by colons (those of Debian)
              VENUE_CONSOLE_FOLDER    the folder of the console's files, to read them again for every request; for development

            For “up”, “serve” and “work”:
              VENUE_SIGNING_KEYS      the file with the keys that sign revisions; without it nothing is signed
              VENUE_ARCHIVES          where to store archives: file:///folder or s3://bucket/prefix (the database)
              VENUE_ARCHIVES_ENDPOINT the address of an S3-compatible service (Amazon S3)
              VENUE_ARCHIVES_REGION   the region of that service (us-east-1)
              VENUE_ARCHIVES_ACCESS_KEY, VENUE_ARCHIVES_SECRET_KEY, VENUE_ARCHIVES_SESSION_TOKEN
                                      the credentials; the token only with temporary ones

            For everything that receives or reads archives; sizes are in bytes, or have the unit KiB, MiB or GiB:
              VENUE_ARCHIVE_LIMIT, VENUE_ARCHIVE_ENTRIES, VENUE_ARCHIVE_ENTRY_LIMIT, VENUE_ARCHIVE_TOTAL_LIMIT,
              VENUE_ARCHIVE_RATIO, VENUE_FEATURE_LIMIT, VENUE_JSON_DEPTH

            For “up”, “demo” and “work”:
              VENUE_TIME_ZONES        a file such as zone1970.tab, with which workers propose the time zones of venues (the system's)

            Exit codes:
            \(ExitStatus.table)
            """,
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(name: "Service", subcommands: [Up.self, Demo.self, Serve.self, Work.self, Migrate.self]),
            CommandGroup(
                name: "Operator",
                subcommands: [
                    ListVenues.self, VenueInfo.self, Push.self, Status.self, Publish.self, Discard.self, Log.self,
                    Diff.self, History.self, RouteCommand.self, Reachability.self,
                    EditFeature.self, AddFeature.self, HideFeature.self, ShowFeature.self, Overrides.self,
                    Resolve.self, Rollback.self, Export.self, SetVenue.self, Prune.self, EpochCommands.self,
                    DeleteVenue.self,
                    Keys.self, Audit.self, SigningKeyCommands.self, Sign.self,
                ]),
            CommandGroup(name: "Replica", subcommands: [Pull.self, Watch.self, Verify.self, Find.self]),
            CommandGroup(name: "Tools", subcommands: [Validate.self, Rules.self, Generate.self]),
        ])

    static func main() async {
        // Before there are other threads, which would have memory of their own.
        if CommandLine.arguments.dropFirst().first == "work" { WorkerHeap.configure() }
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "help", let unknown = self.unknownCommand(in: arguments.dropFirst()) {
            self.refuse(unknown)
        }
        do { _ = try await Self.asyncParseAsRoot() } catch { self.reportUsage(error, of: arguments) }
        await self.main(nil)
    }

    /// Ends the program after an error of the command line that ArgumentParser does not report as well: with `--json` it becomes JSON, and
    /// instead of an unknown command the likely one is named.
    private static func reportUsage(_ error: any Error, of arguments: ArraySlice<String>) {
        guard self.exitCode(for: error).rawValue == ExitStatus.usage.rawValue else { return }
        if let unknown = self.unknownCommand(in: arguments) { self.refuse(unknown) }
        guard Terminal.printsJSON else { return }
        self.refuse(self.message(for: error).split(separator: "\n").first.map(String.init) ?? "")
    }

    private static func refuse(_ message: String) -> Never {
        Failure(.usage, Terminal.plain(message)).report()
        Foundation.exit(ExitStatus.usage.rawValue)
    }

    /// Says that there is no command of this name, and which one was probably meant; nil if there is one.
    private static func unknownCommand(in arguments: ArraySlice<String>) -> String? {
        var command: any ParsableCommand.Type = Self.self
        var path: [String] = []
        for name in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !name.hasPrefix("-") else { return nil }
            let names = commands.map { $0._commandName }
            guard let index = names.firstIndex(of: name) else {
                if name == "help" { return nil }
                let meant =
                    name.nearest(of: names + (path.isEmpty ? ["help"] : [])).map { " Did you mean “\($0)”?" } ?? ""
                let help = (["venue", "help"] + path).joined(separator: " ")
                return
                    "there is no command “\((path + [name]).joined(separator: " "))”.\(meant) “\(help)” lists all commands."
            }
            command = commands[index]
            path.append(name)
        }
        return nil
    }
}
