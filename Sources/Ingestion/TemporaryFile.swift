import Foundation

/// A temporary file without a name: it disappears with the process, even when that is killed.
final class TemporaryFile: @unchecked Sendable {  // used by one task at a time
    struct Unwritable: Error, CustomStringConvertible {
        let code: Int32

        var description: String { "the temporary file cannot be written: \(String(cString: strerror(self.code)))" }
    }

    let descriptor: Int32

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/venue-archive-XXXXXX").utf8CString)
        self.descriptor = mkstemp(&template)
        guard self.descriptor >= 0 else { throw Unwritable(code: errno) }
        unlink(template)
    }

    deinit {
        close(self.descriptor)
    }

    func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(self.descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                guard errno == EINTR else { throw Unwritable(code: errno) }
            } else {
                rest = rest.dropFirst(written)
            }
        }
    }
}
