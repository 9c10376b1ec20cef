internal import CSimdjson

/// Reads JSON documents with the parser, one after the other.
final class TapeReader {
    enum Event {
        /// The array begins whose elements are told one by one. If it comes again, what it held before does not count.
        case list
        /// The next element of that array.
        case element(Tape)
        /// The whole document, without those elements.
        case end(Tape)
    }

    private let handle: OpaquePointer
    /// The text of the document, without a byte order mark.
    private var document = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private(set) var hasByteOrderMark = false

    init() {
        guard let handle = csimdjson_reader_create() else { preconditionFailure("out of memory") }
        self.handle = handle
    }

    deinit {
        csimdjson_reader_destroy(self.handle)
    }

    /// Begins a document, which has to stay as it is while it is read.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and objects may stand in each other.
    ///   - longest: how many bytes an element, and all of the document but its elements, may have.
    ///   - list: the member of the root object whose elements are told one by one.
    func open(_ buffer: DocumentBuffer, depth: Int, longest: Int, list: StaticString? = nil) {
        let bytes = buffer.bytes
        self.hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.document = self.hasByteOrderMark ? UnsafeBufferPointer(rebasing: bytes[3...]) : bytes
        let terms = csimdjson_terms(
            deepest: UInt32(clamping: depth), longest: max(0, longest),
            listed: list.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) })
        csimdjson_open(self.handle, self.document.baseAddress, self.document.count, terms)
    }

    func next() throws(JSONReadingError) -> Event {
        switch csimdjson_next(self.handle) {
        case .list_begins: return .list
        case .has_element: return .element(self.tape(csimdjson_element(self.handle)))
        case .finished: return .end(self.tape(csimdjson_root(self.handle)))
        case .failed: throw JSONReadingError(csimdjson_get_failure(self.handle), in: self.document)
        }
    }

    /// Numbers so far that a double cannot hold as they were written.
    var changedNumbers: Int { Int(clamping: csimdjson_changed_numbers(self.handle)) }

    private func tape(_ tape: csimdjson_tape) -> Tape {
        guard let start = self.document.baseAddress else { preconditionFailure("an empty document has no values") }
        return Tape(tape, of: start)
    }
}
