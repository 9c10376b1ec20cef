import Foundation
import SyncModel

/// What the program says and where.
enum Terminal {
    static func say(_ text: String) {
        FileHandle.standardOutput.say(Data((text + "\n").utf8))
    }

    static func complain(_ text: String) {
        FileHandle.standardError.say(Data("venue: \(text)\n".utf8))
    }

    /// The operator's language, as the shell has it.
    static var language: String {
        let environment = ProcessInfo.processInfo.environment
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        return locale.hasPrefix("ja") ? "ja" : "en"
    }

    /// A number with its noun, whose plural ends in an s.
    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// For machines: one document, as the server would write it.
    static func say(json value: some Encodable) throws {
        FileHandle.standardOutput.say(try WireJSON.data(value) + Data("\n".utf8))
    }

    /// Without characters that a terminal would act on: names in archives are whatever somebody wrote.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }

    /// Columns with two spaces between them.
    static func say(table rows: [[String]]) {
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
            Self.say(String(line.reversed().drop { $0 == " " }.reversed()))
        }
    }
}

/// A bar on a terminal; in a pipe it says nothing.
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
        FileHandle.standardError.say(Data("\r\u{1B}[K\(bar) \(phase)".utf8))
    }

    func clear() {
        guard self.isVisible else { return }
        FileHandle.standardError.say(Data("\r\u{1B}[K".utf8))
    }
}

extension FileHandle {
    /// Writes what somebody may read; who has gone away, as `head` does, is told nothing more.
    func say(_ data: Data) {
        try? self.write(contentsOf: data)
    }
}
