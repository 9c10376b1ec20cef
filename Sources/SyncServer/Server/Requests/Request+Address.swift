import Hummingbird
import IMDF

extension Request {
    /// The address of this request with other values for some query parameters, for links to the next page.
    func address(with changes: [String: String], at path: String) -> String {
        let kept = self.uri.queryParameters.filter { changes[String($0.key)] == nil }
            .map { (String($0.key), String($0.value)) }
        let query = (kept + changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            .map { "\(HTTPAddress.escaped($0.0, keeping: ":"))=\(HTTPAddress.escaped($0.1, keeping: ":"))" }
        return "\(path)?\(query.joined(separator: "&"))"
    }
}
