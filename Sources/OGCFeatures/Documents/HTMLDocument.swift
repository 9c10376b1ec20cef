package import IMDF

/// A JSON document as a plain HTML page: links can be followed, features are a table. It has neither scripts nor styles.
package enum HTMLDocument {
    /// What a page may load and run: nothing.
    package static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    package static func page(_ title: String, _ value: JSONValue) -> [UInt8] {
        var text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(self.escaped(title))</title></head>
            <body>
            <h1>\(self.escaped(title))</h1>

            """
        for member in value.object?.members.filter({ $0.key == "links" }) ?? [] { self.append(member.value, to: &text) }
        for member in value.object?.members.filter({ $0.key != "links" }) ?? [] {
            text += "<h2>\(self.escaped(member.key))</h2>\n"
            if member.key == "features", let features = member.value.array {
                self.append(features: features, to: &text)
            } else {
                self.append(member.value, to: &text)
            }
        }
        return Array((text + "</body>\n</html>\n").utf8)
    }

    private static func append(_ value: JSONValue, to text: inout String) {
        switch value {
        case .array(let values):
            text += "<ul>\n"
            for value in values {
                text += "<li>"
                self.append(value, to: &text)
                text += "</li>\n"
            }
            text += "</ul>\n"
        case .object(let object):
            if let href = object["href"]?.string {
                text += self.anchor(
                    href, [object["rel"], object["title"]].compactMap { $0?.string }.joined(separator: ": "))
                return
            }
            text += "<dl>\n"
            for member in object.members {
                text += "<dt>\(self.escaped(member.key))</dt><dd>"
                self.append(member.value, to: &text)
                text += "</dd>\n"
            }
            text += "</dl>\n"
        default: text += self.escaped(self.text(of: value))
        }
    }

    /// A table with a row for each feature, and a column for each property that all of them have. A property of few features would have
    /// a cell in every row, so it is on the pages of these features only. A feature has a link to itself if it has an address.
    private static func append(features: [JSONValue], to text: inout String) {
        let keys = features.map { Set($0["properties"]?.object?.members.map(\.key) ?? []) }
        let columns = keys.dropFirst().reduce(keys.first ?? []) { $0.intersection($1) }.sorted()
        let head = (["id", "geometry"] + columns).map { "<th>\(self.escaped($0))</th>" }.joined()
        text += "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n"
        for feature in features {
            let id = feature["id"]?.string ?? ""
            let link = feature["href"]?.string.map { self.anchor($0, id) } ?? self.escaped(id)
            text += "<tr><td>\(link)</td><td>\(self.escaped(feature["geometry"]?["type"]?.string ?? ""))</td>"
            for column in columns {
                text += "<td>\(self.escaped(self.text(of: feature["properties"]?[column] ?? .null)))</td>"
            }
            text += "</tr>\n"
        }
        text += "</tbody>\n</table>\n"
    }

    /// Only addresses of this service become links, because other schemes may run scripts.
    private static func anchor(_ href: String, _ title: String) -> String {
        guard href.hasPrefix("http://") || href.hasPrefix("https://") || href.hasPrefix("/") else {
            return self.escaped(title)
        }
        return "<a href=\"\(self.escaped(href))\">\(self.escaped(title))</a>"
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: String(decoding: CanonicalJSON.data(value), as: UTF8.self)
        }
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
