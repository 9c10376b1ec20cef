/// `10:00-18:00`, `22:00-02:00`, `18:00+`, `sunrise-(sunset+01:00)`
struct TimeSpan: Hashable, Sendable {
    enum Moment: Hashable, Sendable {
        /// Minutes after midnight.
        case clock(Int)
        /// An event of the sun in the morning or evening, plus an offset in minutes.
        case morning(offset: Int)
        case evening(offset: Int)

        var isCertain: Bool { if case .clock = self { true } else { false } }

        /// The earliest possible minute.
        var earliest: Int {
            switch self {
            case .clock(let minute): minute
            case .morning(let offset): max(0, offset)
            case .evening(let offset): max(0, Minutes.noon + offset)
            }
        }

        /// The latest possible minute.
        var latest: Int {
            switch self {
            case .clock(let minute): minute
            case .morning(let offset): max(0, Minutes.noon + offset)
            case .evening(let offset): min(Minutes.day + offset, 2 * Minutes.day)
            }
        }
    }

    var start: Moment
    /// Nil if only the start is given.
    var end: Moment?
    /// Whether it may end later.
    var isOpenEnded = false

    /// Minutes after the preceding midnight, up to two days.
    var range: Range<Int> {
        let start = self.start.earliest
        guard let end = self.end else { return start..<max(start, Minutes.day) }
        let latest = end.latest
        return start..<max(start, latest > start ? latest : latest + Minutes.day)
    }

    /// The minutes after the end in which the span may continue.
    ///
    /// - Parameter starts: The minutes at which spans of the same rule begin on this day and the next one, sorted.
    func rest(before starts: [Int]) -> Range<Int>? {
        guard self.isOpenEnded else { return nil }
        let end = self.range.upperBound
        let next = starts.first(atLeast: end).map { min($0, Minutes.endOfNight) } ?? Minutes.endOfNight
        return end < next ? end..<next : nil
    }

    /// Whether start and end are known exactly.
    var isCertain: Bool { self.start.isCertain && self.end?.isCertain != false }
}

enum Minutes {
    static let noon = 720
    static let day = 1_440
    /// Six in the morning of the next day: an open end is not later.
    static let endOfNight = 1_800
}

extension [Int] {
    /// The first element of a sorted list that is not smaller.
    fileprivate func first(atLeast minute: Int) -> Int? {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < minute { low = middle + 1 } else { high = middle }
        }
        return low < self.count ? self[low] : nil
    }
}
