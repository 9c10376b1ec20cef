import Foundation
import IMDF
import Postgres
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Runs the commands of a page in order, in one shell, as a reader would type them.
///
/// The shell starts in an empty folder and runs the built `venue`. The addresses, ports, keys and databases of the examples are
/// replaced by those of the test; see `substitutions`. Programs that keep running are started in the
/// background, and stopped at the end. The commands after them run when they are ready.
struct PageRun {
    let page: DocumentationPage
    private let workplace: Workplace
    private let port: Int
    private let databaseURL: String

    init(_ page: DocumentationPage) async throws {
        self.page = page
        self.workplace = try Workplace()
        self.port = try FreePort.find()
        self.databaseURL = try await TestCluster.shared.emptyDatabase().url
    }

    /// Texts of the examples, and the texts that replace them in the test.
    private var substitutions: [(String, String)] {
        [
            ("https://maps.example.com", "http://127.0.0.1:\(self.port)"), ("127.0.0.1:8080", "127.0.0.1:\(self.port)"),
            ("vsk_…", "${VENUE_ADMIN_KEY}"),
            ("postgresql://venuesync:secret@db.internal:5432/venuesync", "'\(self.databaseURL)'"),
        ]
    }

    private static let adminKey = "a-key-for-the-documentation"

    private func substitute(_ text: String) -> String {
        self.substitutions.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// A step of the page: commands to run or a file to write.
    private enum Step {
        case run(String)
        case write(file: String, content: String)
    }

    private var steps: [(line: Int, step: Step)] {
        var steps: [(line: Int, step: Step)] = self.page.hiddenCommands.map { ($0.line, .run($0.commands)) }
        for block in self.page.blocks {
            if let file = block.directive(after: "file") {
                steps.append((block.line, .write(file: file, content: block.content)))
            } else if let command = block.directive(after: "response") ?? block.directive(after: "output"),
                !command.isEmpty
            {
                steps.append((block.line, .run(command)))
            } else if block.language == "sh", block.directive.isEmpty {
                steps.append((block.line, .run(block.content)))
            }
        }
        return steps.sorted { $0.line < $1.line }
    }

    func run() async throws {
        let script = self.workplace.path("page.sh")
        var lines = [Self.prelude]
        for (line, step) in self.steps {
            switch step {
            case .run(let commands):
                lines.append(
                    "step=\(line)\n{\n\(self.substitute(commands))\n} >\(line).out 2>\(line).err </dev/null\n")
            case .write(let file, let content):
                try Data(content.utf8).write(to: self.workplace.folder.appending(path: file))
            }
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: script))
        let record = try await Subprocess.run(
            .path("/bin/bash"), arguments: [script],
            environment: .inherit.updating([
                "PAGE_PROGRAM": VenueProgram.path, "PAGE_PORT": "\(self.port)", "VENUE_ADMIN_KEY": Self.adminKey,
                "VENUE_KEY": nil, "VENUE_SERVER": "http://127.0.0.1:\(self.port)", "LANG": "C", "LC_ALL": nil,
            ]),
            workingDirectory: FilePath(self.workplace.folder.path),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard case .exited(0) = record.terminationStatus else {
            let step = record.standardOutput.firstMatch(of: /failed at (\d+)/)?.output.1 ?? "?"
            let outputs = ["\(step).out", "\(step).err", "service.log"].map { self.output($0).suffix(2_000) }
            Issue.record("\(self.page.path):\(step) fails: \(outputs.joined(separator: "\n")) \(record.standardError)")
            return
        }
        try self.compareExamples()
    }

    private func output(_ name: String) -> String {
        (try? String(contentsOf: self.workplace.folder.appending(path: name), encoding: .utf8)) ?? ""
    }

    /// Compares the examples of output and of JSON with the output of the commands.
    private func compareExamples() throws {
        var lastCommands = 0
        for block in self.page.blocks {
            if block.language == "sh", block.directive.isEmpty { lastCommands = block.line }
            let location = "\(self.page.path):\(block.line)"
            if block.directive(after: "response") != nil {
                let output = Data(self.output("\(block.line).out").utf8)
                let response = try JSONDecoder().decode(JSONValue.self, from: output)
                let differences = ShapeCheck.differences(try ShapeCheck.parse(example: block.content), response)
                #expect(differences.isEmpty, "\(location): \(differences.joined(separator: "; "))")
            } else if let command = block.directive(after: "output") {
                let output = self.output("\(command.isEmpty ? lastCommands : block.line).out")
                var rest = output[...]
                for part in block.content.components(separatedBy: "…") {
                    let part = part.trimmingCharacters(in: .whitespacesAndNewlines)
                    guard let range = rest.firstRange(of: part) else {
                        Issue.record("\(location): the output does not contain “\(part)”: \(output)")
                        break
                    }
                    rest = rest[range.upperBound...]
                }
            }
        }
    }

    /// The beginning of every script. `venue up`, `serve`, `work` and `watch` keep running in the background, and `up` gets a data folder of
    /// the test; everything else runs as written.
    private static let prelude = #"""
        set -euo pipefail
        exec 3>&1
        running=()
        finish() {
            local status=$?
            set +e
            ((status == 0)) || echo "failed at $step" >&3
            for pid in "${running[@]}"; do kill -TERM "$pid" 2>/dev/null; done
            wait
            exit "$status"
        }
        trap finish EXIT
        step=0
        background() {
            local arguments=("$@") index
            for index in "${!arguments[@]}"; do
                [[ ${arguments[index]} != --port ]] || arguments[index + 1]=$PAGE_PORT
            done
            if [[ $1 == up || $1 == serve ]] && [[ " $* " != *" --port "* ]]; then arguments+=(--port "$PAGE_PORT"); fi
            if [[ $1 == up && " $* " != *" --data "* ]]; then arguments+=(--data "$PWD/data"); fi
            "$PAGE_PROGRAM" "${arguments[@]}" >>"service.log" 2>&1 </dev/null &
            running+=($!)
            # Until then it is a copy of this shell, which forgets a signal when it becomes the program.
            until [[ $(readlink "/proc/$!/exe") == "$(realpath "$PAGE_PROGRAM")" ]]; do
                kill -0 "${running[-1]}" || return 1
            done
            [[ $1 == up || $1 == serve ]] || return 0
            until curl --silent --fail --output /dev/null "http://127.0.0.1:$PAGE_PORT/ready"; do
                kill -0 "${running[-1]}" || return 1
                sleep 0.05
            done
        }
        venue() {
            case ${1:-} in
                up | serve | work | watch) background "$@" ;;
                *) "$PAGE_PROGRAM" "$@" ;;
            esac
        }
        """#
}
