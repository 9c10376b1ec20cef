import Foundation
import Synchronization

extension Date {
    /// The date format of HTTP (RFC 9110 §5.6.7).
    var httpText: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: self)
        func text(_ number: Int?, _ width: Int = 2) -> String {
            let digits = "\(number ?? 0)"
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(days[(parts.weekday ?? 1) - 1]), \(text(parts.day)) \(months[(parts.month ?? 1) - 1]) "
            + "\(text(parts.year, 4)) \(text(parts.hour)):\(text(parts.minute)):\(text(parts.second)) GMT"
    }
}

/// The value of the header field `Date`, formatted once a second.
final class HTTPDate: Sendable {
    private let state = Mutex((second: 0, text: ""))

    /// The present time.
    var text: String {
        let second = Int(Date.now.timeIntervalSince1970.rounded(.down))
        return self.state.withLock { state in
            if state.second != second {
                state = (second, Date(timeIntervalSince1970: Double(second)).httpText)
            }
            return state.text
        }
    }
}
