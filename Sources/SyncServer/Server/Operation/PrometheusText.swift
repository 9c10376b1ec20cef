/// Prometheus' text format, version 0.0.4.
package struct PrometheusText {
    package enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    package private(set) var text = ""

    package init() {}

    /// Starts a metric family, whose samples follow.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    package mutating func sample(_ name: String, _ value: Double) {
        self.sample(name, [:], value)
    }

    package mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double) {
        self.text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }
            self.text += "{\(pairs.joined(separator: ","))}"
        }
        // Counts are written without a decimal point.
        let number = Int64(exactly: value).map(String.init) ?? (value.isFinite ? "\(value)" : "NaN")
        self.text += " \(number)\n"
    }

    private static func escaped(_ value: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
