internal import CSimdjson

/// Reads JSON documents, one after the other.
final class TapeReader {
    enum Event {
        /// The streamed array begins. If it begins again, its previous elements have to be discarded.
        case list
        /// The next element of that array.
        case element(Tape)
        /// The whole document without these elements.
        case end(Tape)
    }

    private let handle: OpaquePointer
    /// The text of the document, without a byte order mark.
    private var document = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private(set) var hasByteOrderMark = false
    private var boundsMarks = false

    init() {
        guard let handle = csimdjson_reader_create() else { preconditionFailure("out of memory") }
        self.handle = handle
    }

    deinit {
        csimdjson_reader_destroy(self.handle)
    }

    /// Opens a document, which must not change while it is read.
    ///
    /// - Parameters:
    ///   - maxDepth: the limit of nested arrays and objects.
    ///   - maxLength: the limit of bytes of an element, and of the document without its elements.
    ///   - boundsMarks: whether a text with too many combining marks in a row is an error.
    ///   - list: the member of the root object whose elements are read one by one.
    func open(
        _ buffer: DocumentBuffer, maxDepth: Int, maxLength: Int, boundsMarks: Bool, list: StaticString? = nil
    ) {
        self.boundsMarks = boundsMarks
        let bytes = buffer.bytes
        self.hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.document = self.hasByteOrderMark ? UnsafeBufferPointer(rebasing: bytes[3...]) : bytes
        let options = csimdjson_options(
            max_depth: UInt32(clamping: maxDepth), max_length: max(0, maxLength),
            streamed_member: list.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) })
        csimdjson_open(self.handle, self.document.baseAddress, self.document.count, options)
    }

    func next() throws(JSONReadingError) -> Event {
        switch csimdjson_next(self.handle) {
        case .list_begins: return .list
        case .has_element: return .element(try self.tape(csimdjson_element(self.handle)))
        case .finished: return .end(try self.tape(csimdjson_root(self.handle)))
        case .failed: throw JSONReadingError(csimdjson_get_failure(self.handle), in: self.document)
        }
    }

    /// The count of numbers so far that cannot be represented exactly enough as a double.
    var changedNumbers: Int { Int(clamping: csimdjson_changed_numbers(self.handle)) }

    private func tape(_ words: csimdjson_tape) throws(JSONReadingError) -> Tape {
        guard let start = self.document.baseAddress else { preconditionFailure("an empty document has no values") }
        let tape = Tape(words, of: start)
        if self.boundsMarks, let offset = tape.offsetOfTooManyMarks(in: words.count) {
            throw JSONReadingError(.tooManyMarks, at: offset, in: self.document)
        }
        return tape
    }
}
