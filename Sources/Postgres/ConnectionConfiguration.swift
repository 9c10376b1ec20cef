internal import CLibpq

/// How to connect to a server. Missing parts are taken from libpq's environment (`PGHOST`, `PGPASSWORD`, …).
package struct ConnectionConfiguration: Sendable {
    /// A `postgresql://` URL or `key=value` pairs; it may contain a password.
    package var url: String
    /// The name in `pg_stat_activity`.
    package var applicationName: String?
    /// The timeout for connecting, in whole seconds, at least two.
    package var connectTimeout: Duration = .seconds(10)
    /// The timeout of a statement; nil for the server's setting.
    package var statementTimeout: Duration?
    /// Settings of every session, by name. They are constants of this program and are not escaped.
    package var settings: [String: String] = [:]

    package init(url: String) {
        self.url = url
    }

    /// The statements that apply the settings to a new session.
    var sessionStatements: [String] {
        var settings = self.settings
        if let timeout = self.statementTimeout {
            let (seconds, attoseconds) = timeout.components
            let milliseconds = max(1, min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000)
            settings["statement_timeout"] = "\(milliseconds)"
        }
        return settings.sorted { $0.key < $1.key }.map { "SET \($0.key) TO '\($0.value)'" }
    }

    /// The parameters of libpq; later ones override earlier ones.
    var keywords: [(String, String)] {
        // A host that disappeared is detected within a minute by connections that only listen, and within 15 seconds by those that wait for
        // a response: a node must learn of changes on another connection before it has to refuse what it cannot confirm.
        var keywords = [
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
            ("connect_timeout", "\(max(2, self.connectTimeout.components.seconds))"), ("dbname", self.url),
            ("client_encoding", "UTF8"),
        ]
        if let name = self.applicationName { keywords.append(("application_name", name)) }
        return keywords
    }

    /// Host, port, database and user as libpq parses them; nil if it cannot.
    private var parts: [String: String]? {
        guard !self.url.utf8.contains(0), let options = PQconninfoParse(self.url, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parts[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return parts
    }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomReflectable {
    /// The server and the database, never the password.
    package var description: String {
        guard let parts = self.parts else { return "an unreadable connection string" }
        let visible = ["host", "hostaddr", "port", "dbname", "user"].compactMap { key in
            parts[key].map { "\(key)=\($0)" }
        }
        return visible.isEmpty ? "the default server" : visible.joined(separator: " ")
    }

    package var customMirror: Mirror { Mirror(self, children: ["server": self.description]) }
}
