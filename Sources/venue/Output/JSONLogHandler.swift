import Foundation
import IMDF
import Logging
import SyncModel

/// Writes every log line as a JSON object on standard output: `time`, `level`, `message`, and the metadata under
/// their own keys.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = self.line(of: event, at: Date())
        line.append(UInt8(ascii: "\n"))
        // One write for the whole line, so that concurrent lines do not interleave.
        FileHandle.standardOutput.writeIgnoringErrors(Data(line))
    }

    func line(of event: LogEvent, at time: Date) -> [UInt8] {
        var members: JSONObject = [:]
        for metadata in [self.metadataProvider?.get() ?? [:], self.metadata, event.metadata ?? [:]] {
            for (key, value) in metadata { members[key] = Self.json(value) }
        }
        // Set last, so that metadata cannot replace them.
        members["time"] = .string(Timestamp.text(of: time))
        members["level"] = .string(event.level.rawValue)
        members["message"] = .string(event.message.description)
        if let error = event.error { members["error"] = .string("\(error)") }
        return CanonicalJSON.data(.object(members))
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(Self.json))
        case .dictionary(let values):
            .object(JSONObject(values.map { .init(key: $0.key, value: Self.json($0.value)) }))
        }
    }
}
