import Foundation
import SampleVenue
import TestSupport
import Testing

/// Processes that are killed, and a server that is stopped, while edits, tiles, exports and archives of tiles are on their way.
@Suite(.serialized)
struct KillTests {
    enum Victim: CaseIterable {
        case worker, database, server
        /// A server that is stopped by SIGTERM.
        case stoppedServer

        /// What clients see meanwhile: statuses, and nil for no complete response. Only the database can be missing while the server responds.
        var allowedFailures: Set<Int?> {
            switch self {
            case .worker: []
            case .database: [nil, 503]
            case .server, .stoppedServer: [nil]
            }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: Victim.allCases)
    func
        `venue up: what was acknowledged is there, and what is sent is whole, after a kill or a stop during work of every kind`(
            victim: Victim
        ) async throws
    {
        let workplace = try Workplace()
        let temporary = workplace.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
        let environment = ["TMPDIR": temporary.path]
        var service = try await RunningService(in: workplace.folder, environment: environment)
        let archive = workplace.path("v1.zip")
        #expect(try await service.venue("generate", "-o", archive, "--levels", "2", "--units", "60").status == 0)
        #expect(try await service.venue("push", archive, "--to", "mall", "--new").status == 0)
        let work = try await ContinuousWork(on: service.remote)
        let before = try await work.stableResponses(of: service.remote)

        let remote = service.remote
        let failures = try await withThrowingTaskGroup(of: Void.self) { group in
            let isOver = Flag()
            for kind in ContinuousWork.Kind.allCases {
                group.addTask { try await work.repeat(kind, on: remote, until: isOver) }
            }
            defer { isOver.set() }
            try await eventually("work of every kind") { work.isEveryKindDone }
            switch victim {
            case .worker:
                let worker = try #require(service.workers.first)
                #expect(kill(worker, SIGKILL) == 0)
                try await eventually("another worker") { service.workers.contains { $0 != worker } }
                #expect(try await service.venue("push", archive, "--to", "again", "--new").status == 0)
                for path in ["/health", "/ready"] {
                    #expect(try await service.remote.send("GET", path).status == 200)
                }
            case .database:
                #expect(kill(service.database, SIGKILL) == 0)
                #expect(try await service.exitStatus() == 6)
                #expect(service.said.contains("The private PostgreSQL has ended (signaled(9))"))
            case .server:
                await service.kill()
            case .stoppedServer:
                #expect(await service.stop() == 0, "\(service.said)")
            }
            isOver.set()
            try await group.waitForAll()
            return work.failures
        }
        #expect(failures.isSubset(of: victim.allowedFailures), "\(failures)")

        if victim != .worker { service = try await RunningService(in: workplace.folder, environment: environment) }
        #expect(try await work.stableResponses(of: service.remote) == before)
        try await work.checkEdits(on: service.remote)
        #expect(await service.stop() == 0)
        #expect(service.workers.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test(.timeLimit(.minutes(30)), arguments: Victim.allCases)
    func
        `separate processes: a kill or a stop during work of every kind ends nothing else, and nothing acknowledged is lost`(
            victim: Victim
        ) async throws
    {
        try await Deployment.run { deployment in
            let (node, worker, service) = (deployment.nodes[0], deployment.workers[0], deployment.services[0])
            try await service.publish(SampleVenue(.init(levels: 2, unitsPerLevel: 60, seed: 1)))
            let work = try await ContinuousWork(on: service)
            let before = try await work.stableResponses(of: service)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let isOver = Flag()
                for kind in ContinuousWork.Kind.allCases {
                    group.addTask { try await work.repeat(kind, on: service, until: isOver) }
                }
                defer { isOver.set() }
                try await eventually("work of every kind") { work.isEveryKindDone }
                switch victim {
                case .worker:
                    await worker.kill()
                    #expect(try await service.send("GET", "/ready").status == 200)
                case .database:
                    await deployment.database.kill()
                    #expect(try await service.send("GET", "/ready").status == 503)
                    #expect(try await service.send("GET", "/health").status == 200)
                case .server:
                    await node.kill()
                case .stoppedServer:
                    #expect(await node.stop() == 0)
                }
                isOver.set()
                try await group.waitForAll()
            }
            switch victim {
            case .worker: try await worker.start()
            case .database: try await deployment.database.start()
            case .server, .stoppedServer: try await node.start()
            }
            try await eventually("the node to be ready") { try await service.send("GET", "/ready").status == 200 }
            #expect(work.failures.isSubset(of: victim.allowedFailures), "\(work.failures)")
            #expect(try await work.stableResponses(of: service) == before)
            try await work.checkEdits(on: service)
            try await service.publish(.tiny, to: "again")
        }
    }
}
