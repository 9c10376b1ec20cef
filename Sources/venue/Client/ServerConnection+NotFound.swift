import Foundation
import SyncModel

extension ServerConnection {
    /// What does not exist at the server, and where the right id is found: the problem has neither. Nil for other problems.
    ///
    /// - Parameter path: Of the request.
    func missing(_ problem: Problem, at path: String) -> String? {
        switch problem.type {
        case "/problems/upload-not-found":
            guard let id = Self.id(after: "uploads", in: path) else { return nil }
            return "there is no upload “\(id)” at \(self.server), or the key may not see it. "
                + "“venue push --json” prints the id of an upload, and the console lists the uploads of a venue."
        case "/problems/key-not-found":
            guard let id = Self.id(after: "keys", in: path) else { return nil }
            return
                "there is no key with the id “\(id)” at \(self.server). “venue keys list” prints the id of every key."
        case "/problems/feature-not-found":
            let what = Self.id(after: "features", in: path).map { "There is no feature \($0)." } ?? problem.detail
            return "\(problem.title). \(what ?? "") "
                + "“venue find FILE TEXT --json” prints the ids of features, and “venue pull” writes the file."
        default: return nil
        }
    }

    /// What follows a part of a path.
    private static func id(after part: String, in path: String) -> String? {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard let index = parts.firstIndex(of: Substring(part)), index + 1 < parts.endIndex else { return nil }
        return Terminal.plain(parts[index + 1].removingPercentEncoding ?? String(parts[index + 1]))
    }
}
