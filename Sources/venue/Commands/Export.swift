import ArgumentParser
import Foundation
import SyncModel

/// `venue export mall -o mall.zip`, `venue export mall --tiles floor.pmtiles --level 1F`
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a revision as an IMDF archive, or a floor as tiles.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The number of the revision; by default the newest.")
    var revision: Int64?

    @Flag(help: "Repair features for strict decoders, and leave out those that cannot be repaired.")
    var strict = false

    @Flag(help: "Write the values of the source, without edits.")
    var source = false

    @Option(name: .shortAndLong, help: "The archive to write.", completion: .file(extensions: ["zip"]))
    var output: String?

    @Option(
        help: "The PMTiles file to write instead of an archive; needs --level.",
        completion: .file(extensions: ["pmtiles"]))
    var tiles: String?

    @Option(help: "The floor of the tiles: an ordinal, the id of a level or its short name.")
    var level: String?

    @Option(help: "The format of the tiles: mvt or png.")
    var format = "mvt"

    @Option(help: "The language of the tiles; by default that of the venue.")
    var lang: String?

    @Option(help: "The colours of the tiles: light or dark.")
    var theme = "light"

    @Flag(help: "Print JSON.")
    var json = false

    private struct Receipt: Encodable {
        let venue: VenueKey
        let revision: Int64
        let file: String
        let bytes: Int
    }

    func validate() throws {
        guard (self.output == nil) != (self.tiles == nil) else {
            throw ValidationError("use either --output or --tiles")
        }
        guard (self.tiles == nil) == (self.level == nil) else {
            throw ValidationError("--tiles needs --level, and --level needs --tiles")
        }
        guard self.tiles == nil || !(self.strict || self.source) else {
            throw ValidationError("--strict and --source cannot be used with --tiles")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var number = self.revision
            if number == nil { number = try await server.get(Venue.self, "/venues/\(self.venue)").head }
            let revision = "/venues/\(self.venue)/revisions/\(number ?? 0)"
            let address =
                if let level = self.level {
                    try await self.tileAddress(level, number ?? 0, revision, at: server)
                } else {
                    "\(revision)/archive.zip?strict=\(self.strict)&overrides=\(!self.source)"
                }
            let file = self.output ?? self.tiles ?? ""
            let bytes = try await server.send("GET", address)
            try bytes.write(to: URL(fileURLWithPath: file), options: .atomic)
            if self.json {
                return try Terminal.print(
                    json: Receipt(venue: self.venue, revision: number ?? 0, file: file, bytes: bytes.count))
            }
            Terminal.print(
                "Wrote revision \(number ?? 0) of \(self.venue) to \(file), \(Terminal.count(bytes.count, "byte"))."
            )
        }
    }

    private func tileAddress(
        _ level: String, _ number: Int64, _ revision: String, at server: ServerConnection
    ) async throws -> String {
        var floor = level
        if Int(level) == nil {
            let name = try await LevelDirectory(of: self.venue, and: number, at: server).resolve(level)
            floor = name.replacing("ordinal:", with: "")
        }
        var query = "format=\(self.format)&theme=\(self.theme)"
        if let lang = self.lang { query += "&lang=\(lang)" }
        return "\(revision)/tiles/\(floor).pmtiles?\(query)"
    }
}
