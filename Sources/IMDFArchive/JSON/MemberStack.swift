internal import CSimdjson
internal import IMDF

/// A stack of the members of the objects that are being read, in canonical order. The members of an object are above those of the
/// enclosing object.
struct MemberStack: ~Copyable {
    struct Member {
        /// The first eight bytes of the key, so that most keys are compared as integers.
        var prefix: UInt64
        /// The word of the key.
        var key: UInt64
        /// The index of the value's first word.
        var value: Int
    }

    private var start: UnsafeMutablePointer<Member>
    private var count = 0
    private var capacity = 64
    /// Members that were ignored because a later one has the same key.
    private(set) var duplicates = 0

    init() {
        self.start = .allocate(capacity: self.capacity)
    }

    deinit {
        self.start.deallocate()
    }

    subscript(index: Int) -> Member { self.start[index] }

    /// Pushes the members of an object, sorted and without duplicates. The caller has to pop them.
    mutating func push(_ tape: Tape, objectAt index: Int) -> Range<Int> {
        let first = self.count
        let end = tape.end(of: index)
        var next = index + 1
        var isSorted = true
        while next < end {
            if self.count == self.capacity { self.grow() }
            let key = tape.words[next]
            let member = Member(prefix: Self.prefix(of: key, in: tape), key: key, value: next + 1)
            if isSorted, self.count > first { isSorted = Self.precedes(self.start[self.count - 1], member, tape) }
            self.start[self.count] = member
            self.count += 1
            next = tape.end(of: next + 1)
        }
        if !isSorted { self.sort(from: first, tape) }
        return first..<self.count
    }

    mutating func pop(to first: Int) {
        self.count = first
    }

    private mutating func grow() {
        let start = UnsafeMutablePointer<Member>.allocate(capacity: self.capacity * 2)
        start.update(from: self.start, count: self.count)
        self.start.deallocate()
        self.start = start
        self.capacity *= 2
    }

    private mutating func sort(from first: Int, _ tape: Tape) {
        var members = UnsafeMutableBufferPointer(start: self.start + first, count: self.count - first)
        if members.count <= 20 {
            for index in 1..<members.count {
                let member = members[index]
                var target = index
                while target > 0, Self.precedes(member, members[target - 1], tape) {
                    members[target] = members[target - 1]
                    target -= 1
                }
                members[target] = member
            }
        } else {
            members.sort { left, right in
                if Self.precedes(left, right, tape) { return true }
                return left.value < right.value && !Self.precedes(right, left, tape)
            }
        }
        // Members with the same key are in the order of the document now, and the last one is kept.
        var kept = 0
        for index in members.indices {
            if kept > 0, !Self.precedes(members[kept - 1], members[index], tape) {
                kept -= 1
                self.duplicates += 1
            }
            members[kept] = members[index]
            kept += 1
        }
        self.count = first + kept
    }

    @inline(__always)
    private static func prefix(of key: UInt64, in tape: Tape) -> UInt64 {
        let length = Tape.length(of: key)
        guard Tape.tag(of: key) == .plain_string else {
            return tape.utf8(of: key).prefix(8).reduce(into: (0 as UInt64, 56 as UInt64)) { sum, byte in
                sum.0 |= UInt64(byte) << sum.1
                sum.1 = sum.1 &- 8
            }.0
        }
        // The zero bytes after the document are readable too.
        let bytes = UnsafeRawPointer(tape.document + Tape.offset(of: key)).loadUnaligned(as: UInt64.self)
        let prefix = UInt64(bigEndian: bytes)
        return length >= 8 ? prefix : prefix & ~(~0 >> UInt64(8 * length))
    }

    @inline(__always)
    static func precedes(_ left: Member, _ right: Member, _ tape: Tape) -> Bool {
        // Keys with other characters than ASCII are not ordered by their bytes, so they are compared in full.
        if left.prefix != right.prefix, (left.prefix | right.prefix) & 0x8080_8080_8080_8080 == 0 {
            return left.prefix < right.prefix
        }
        return CanonicalJSON.precedes(tape.utf8(of: left.key), tape.utf8(of: right.key))
    }
}
