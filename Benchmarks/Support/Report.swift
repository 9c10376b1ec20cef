import Foundation
package import IMDF

/// One JSON object on a line of its own.
package func report(_ line: JSONObject) {
    FileHandle.standardOutput.write(Data(CanonicalJSON.data(.object(line))) + Data("\n".utf8))
}

extension JSONValue {
    /// A figure with a few places, so that lines can be read.
    package static func figure(_ value: Double, places: Int = 1) -> JSONValue {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return .number((value * scale).rounded() / scale)
    }
}

extension [Double] {
    /// The value that so many per cent of all are not above; zero of nothing.
    package func percentile(_ percent: Int) -> Double {
        let sorted = self.sorted()
        return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }

    package var median: Double { self.percentile(50) }
}

/// As many sockets as the system lets us have; children inherit it.
package func raiseFileLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
}
