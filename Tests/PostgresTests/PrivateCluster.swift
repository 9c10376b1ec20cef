import Foundation
import Postgres
import Synchronization
import Testing

/// A fresh database for a test.
func testDatabase() async throws -> ConnectionConfiguration {
    try await PrivateCluster.shared.database()
}

/// A server of the test process's own, on a Unix socket. A shell keeps it, and takes it down when the pipe from us closes: that
/// is when this process ends, however it ends.
private final class PrivateCluster: Sendable {
    static let shared = PrivateCluster()

    private let folder: String
    private let keepAlive: Pipe
    private let lastNumber = Mutex(0)

    private static let script = """
        set -e
        bin=/usr/lib/postgresql/15/bin
        dir=$(mktemp -d /tmp/postgres-tests.XXXXXX)
        trap 'rm -rf "$dir"' EXIT
        cd "$dir"
        "$bin/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >log 2>&1
        "$bin/postgres" -D data -k "$dir" -c listen_addresses= -c fsync=off -c full_page_writes=off \
            -c max_connections=200 -c shared_buffers=64MB >log 2>&1 </dev/null &
        server=$!
        until "$bin/pg_isready" -q -h "$dir"; do kill -0 $server; sleep 0.05; done
        echo "$dir"
        read line || true
        kill -QUIT $server
        wait $server || true
        """

    private init() {
        let input = Pipe(), output = Pipe(), process = Process()
        let shell = ["/bin/sh", "-c", Self.script]
        let asOther = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let command = geteuid() == 0 ? asOther + shell : shell
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        process.currentDirectoryURL = URL(filePath: "/tmp")
        var line: [UInt8] = []
        if (try? process.run()) != nil {
            while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 10 {
                line.append(first)
            }
        }
        self.folder = String(decoding: line, as: UTF8.self)
        self.keepAlive = input
    }

    func database() async throws -> ConnectionConfiguration {
        try #require(!self.folder.isEmpty, "the test server did not start")
        let name = self.lastNumber.withLock { number in
            number += 1
            return "test\(number)"
        }
        let connection = try await Connection.open(self.configuration("postgres"))
        try await connection.execute("CREATE DATABASE \(name)")
        await connection.close()
        return self.configuration(name)
    }

    private func configuration(_ database: String) -> ConnectionConfiguration {
        ConnectionConfiguration(url: "host=\(self.folder) user=postgres dbname=\(database)")
    }
}
