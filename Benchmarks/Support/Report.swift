import Foundation
package import IMDF

/// Prints one JSON object on a line of its own.
package func report(_ line: JSONObject) {
    FileHandle.standardOutput.write(Data(CanonicalJSON.data(.object(line))) + Data("\n".utf8))
}

extension JSONValue {
    /// A number rounded to a few decimals, for readability.
    package static func rounded(_ value: Double, decimals: Int = 1) -> JSONValue {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return .number((value * scale).rounded() / scale)
    }
}

extension [Double] {
    /// The nearest-rank percentile; 0 if the array is empty.
    package func percentile(_ percent: Int) -> Double {
        let sorted = self.sorted()
        return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }

    package var median: Double { self.percentile(50) }
}

/// Raises the limit of open files to the maximum; children inherit it.
package func raiseFileLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
}
