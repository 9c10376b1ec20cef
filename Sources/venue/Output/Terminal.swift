import Foundation
import SyncModel

/// Output to standard output and standard error.
enum Terminal {
    static func print(_ text: String) {
        FileHandle.standardOutput.writeIgnoringErrors(Data((text + "\n").utf8))
    }

    static func printError(_ text: String) {
        FileHandle.standardError.writeIgnoringErrors(Data("venue: \(text)\n".utf8))
    }

    /// Whether a program reads the output: then errors are JSON, too.
    static let printsJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")

    /// The language tag of the shell's locale, such as `zh-TW` for `zh_TW.UTF-8`; `en` without one.
    static var language: String {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let tag = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        return ["", "C", "POSIX"].contains(tag) ? "en" : String(tag)
    }

    /// A number with its noun; the plural is formed with an s.
    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Prints one JSON document, encoded as the server does.
    static func print(json value: some Encodable) throws {
        FileHandle.standardOutput.writeIgnoringErrors(try WireJSON.data(value) + Data("\n".utf8))
    }

    /// Replaces control characters, because names in archives are untrusted and must not control the terminal.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }

    /// Prints rows as columns separated by two spaces.
    static func print(table rows: [[String]]) {
        let rows = rows.map { $0.map(Self.plain) }
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        for row in rows {
            let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(
                separator: "  ")
            Self.print(String(line.reversed().drop { $0 == " " }.reversed()))
        }
    }
}

/// A progress bar on standard error; prints nothing if that is not a terminal.
struct ProgressBar {
    private let isVisible = isatty(STDERR_FILENO) == 1
    private static let width = 30

    func show(_ upload: Upload) {
        guard self.isVisible else { return }
        let progress = upload.progress
        let share = progress.total > 0 ? min(1, Double(progress.done) / Double(progress.total)) : 0
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let phase = progress.phase?.rawValue ?? upload.state.rawValue
        FileHandle.standardError.writeIgnoringErrors(Data("\r\u{1B}[K\(bar) \(phase)".utf8))
    }

    func clear() {
        guard self.isVisible else { return }
        FileHandle.standardError.writeIgnoringErrors(Data("\r\u{1B}[K".utf8))
    }
}

extension FileHandle {
    /// Writes data and ignores errors: the reader of a pipe, such as `head`, may have closed it.
    func writeIgnoringErrors(_ data: Data) {
        try? self.write(contentsOf: data)
    }
}
