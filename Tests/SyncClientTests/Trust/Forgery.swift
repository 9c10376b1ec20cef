import Foundation
import IMDF

/// Change sets with other content, whose digests match.
enum Forgery {
    /// Replaces a text in all bodies of a full snapshot, and computes the digests of the blocks again.
    static func changeSet(replacing text: String, by other: String, in page: [UInt8]) -> [UInt8] {
        var lines: [String] = []
        var bodies: [String]?
        var header = 0
        for line in String(decoding: page, as: UTF8.self).components(separatedBy: "\n") {
            if line.hasSuffix("\"features\":[") {
                (bodies, header) = ([], lines.count)
                lines.append(line)
            } else if line.hasPrefix("{\""), bodies != nil {
                let body = line.replacing(text, with: other)
                bodies?.append(body.hasSuffix(",") ? String(body.dropLast()) : body)
                lines.append(body)
            } else {
                if let finished = bodies {
                    let member = "\"digest\":\"\(Self.digest(of: finished))\""
                    lines[header].replace(/"digest":"sha-256:[0-9a-f]{64}"/, with: member)
                    bodies = nil
                }
                lines.append(line)
            }
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func digest(of bodies: [String]) -> Digest {
        // The id of a feature precedes its properties.
        func id(_ body: String) -> Substring { body.firstMatch(of: /"id":"([0-9a-f-]{36})"/)?.output.1 ?? "" }
        var digest = LevelDigest()
        for body in bodies.sorted(by: { id($0) < id($1) }) { digest.add(body: Array(body.utf8)) }
        return digest.finalize()
    }
}
