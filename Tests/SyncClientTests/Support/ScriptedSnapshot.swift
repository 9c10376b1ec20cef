import IMDF
import SyncModel

/// Scripted responses with a full snapshot of the venue `mall`. The lists of bodies may be wrong.
enum ScriptedSnapshot {
    struct Block {
        /// Nil: the venue-wide part.
        var level: Int?
        /// In the order in which they are sent.
        var bodies: [String]
        var isContinued = false
        /// Nil: the level continues on the next page.
        var digest: Digest?

        /// A whole level.
        init(_ level: Int?, _ bodies: [String]) {
            self.level = level
            self.bodies = bodies
            self.digest = ScriptedSnapshot.digest(of: bodies)
        }

        /// A part of a level.
        init(_ level: Int?, part bodies: [String], isContinued: Bool, digest: Digest?) {
            self.level = level
            self.bodies = bodies
            self.isContinued = isContinued
            self.digest = digest
        }
    }

    static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    static func level(_ number: Int) -> FeatureID? { FeatureID("10000000-0000-4000-8000-00000000000\(number)") }

    /// A body with a note of any length.
    static func unit(_ number: Int, _ note: String = "") -> String {
        "{\"feature_type\":\"unit\",\"id\":\"\(self.id(number))\",\"note\":\"\(note)\"}"
    }

    /// The digest that a level with these bodies has. Ids are compared as text, because they are the first part that differs.
    static func digest(of bodies: [String]) -> Digest {
        var digest = LevelDigest()
        for body in bodies.sorted() { digest.add(body: Array(body.utf8)) }
        return digest.finalize()
    }

    static func page(_ blocks: [Block], cursor: String, isLast: Bool) -> ScriptedTransport.Reply {
        let levels = blocks.map { block in
            """
            {"digest":\(block.digest.map { "\"\($0)\"" } ?? "null"),"kind":"snapshot","continued":\(block.isContinued),\
            "level_id":\(block.level.flatMap { self.level($0) }.map { "\"\($0)\"" } ?? "null"),"features":[
            \(block.bodies.joined(separator: ",\n"))
            ],"removed":[]}
            """
        }
        let text = """
            {"about":{},"complete":\(isLast),"cursor":"\(cursor)","digest":"\(Digest(of: []))","from":null,"protocol":1,"to":1,\
            "venue":"mall","levels":[
            \(levels.joined(separator: ",\n"))
            ]}

            """
        return .init(body: Array(text.utf8))
    }

    /// The response to the request for one level.
    static func features(_ bodies: [String]) -> ScriptedTransport.Reply {
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(bodies.joined(separator: ",\n"))\n]}\n"
        return .init(body: Array(text.utf8))
    }
}
