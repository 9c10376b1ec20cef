import Foundation
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport

/// A database, nodes and workers, each in its own process.
struct Deployment: Sendable {
    let workplace: Workplace
    let database: PostgresServer
    let nodes: [ServedNode]
    let workers: [WorkerNode]
    let standby: PostgresServer?

    /// - Parameters:
    ///   - settings: Settings of the database; fsync is on by default.
    ///   - readsStandby: Adds a node that reads from a read replica.
    static func run(
        nodes: Int = 1, workers: Int = 1, settings: [String: String] = [:], readsStandby: Bool = false,
        _ test: (Deployment) async throws -> Void
    ) async throws {
        let workplace = try Workplace()
        let database = try PostgresServer(in: workplace.folder.appending(path: "primary"), settings: settings)
        try await database.start()
        try await Migrator.migrate(database.configuration)
        let standby =
            readsStandby ? try await database.standby(in: workplace.folder.appending(path: "standby")) : nil
        try await standby?.start()
        var served = try (0..<nodes).map { number in
            try ServedNode(databaseURL: database.url, log: workplace.folder.appending(path: "node-\(number).log"))
        }
        if let standby {
            served.append(
                try ServedNode(
                    databaseURL: database.url, readURL: standby.url,
                    log: workplace.folder.appending(path: "reader.log")))
        }
        let deployment = Deployment(
            workplace: workplace, database: database, nodes: served,
            workers: (0..<workers).map { number in
                WorkerNode(databaseURL: database.url, log: workplace.folder.appending(path: "worker-\(number).log"))
            }, standby: standby)
        do {
            for node in served { try await node.start() }
            for worker in deployment.workers { try await worker.start() }
            try await test(deployment)
            await deployment.stop()
        } catch {
            await deployment.stop()
            throw error
        }
    }

    private func stop() async {
        for worker in self.workers { await worker.stop() }
        for node in self.nodes { await node.stop() }
        await self.standby?.stop()
        await self.database.stop()
    }

    var services: [RemoteService] { self.nodes.map(\.service) }
}

extension RemoteService {
    /// A successful response, as soon as there is one: after an outage of the database, connections are opened again.
    func steady(_ path: String) async throws -> Response {
        var response: Response?
        try await eventually("a response to \(path)", within: .seconds(20)) {
            response = try? await self.send("GET", path)
            return response.map { $0.status != 503 } ?? false
        }
        guard let response, response.status == 200 else {
            throw Harness.Refusal(status: response?.status ?? 0, body: response?.text ?? "")
        }
        return response
    }

    /// Uploads a state of a venue and waits until a worker has processed it.
    @discardableResult
    func publish(_ venue: SampleVenue, to key: String = "mall", query: String = "") async throws -> Upload {
        let receipt = try await self.upload(venue.archive(), to: key, query: query)
        var upload = receipt
        try await eventually("the end of an upload") {
            upload = try await self.get(Upload.self, "/uploads/\(receipt.id)")
            return upload.state.isFinal || upload.state == .staged
        }
        return upload
    }

    /// The revision that a rollback made; nil when the venue was already in that state.
    @discardableResult
    func rollBack(_ venue: String = "mall", to revision: Int64) async throws -> Revision? {
        let request: JSONValue = ["to": .number(Double(revision))]
        let response = try await self.send(
            "POST", "/venues/\(venue)/rollback", type: "application/json", body: CanonicalJSON.data(request))
        if response.status == 409 { return nil }
        guard response.status == 201 else { throw Harness.Refusal(status: response.status, body: response.text) }
        return try response.decoded(Revision.self)
    }
}
