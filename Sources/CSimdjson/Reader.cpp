#include "Reader.hpp"

#include <cstring>

#include "Number.hpp"
#include "FaultOffset.hpp"

using simdjson::error_code;
using venue::Tape;
using venue::word;

void csimdjson_reader::open(const uint8_t *document, size_t length, csimdjson_options options) noexcept {
    root.clear();
    element.clear();
    failure = {csimdjson_fine, 0};
    changed_numbers = 0;
    document_ = document;
    length_ = length;
    options_ = options;
    if (options_.max_depth > CSIMDJSON_MAX_DEPTH) { options_.max_depth = CSIMDJSON_MAX_DEPTH; }
    tokens_ = nullptr;
    token_ = token_count_ = 0;
    backslash_ = 0;
    phase_ = Phase::document;
}

csimdjson_event csimdjson_reader::next() noexcept {
    csimdjson_event event = csimdjson_failed;
    switch (phase_) {
    case Phase::document: event = begin(); break;
    case Phase::member:
    case Phase::separator: event = members(); break;
    case Phase::element: event = next_element(); break;
    case Phase::failed: break;
    }
    if (event == csimdjson_failed) { phase_ = Phase::failed; }
    return event;
}

csimdjson_event csimdjson_reader::begin() noexcept {
    if (length_ > CSIMDJSON_MAX_DOCUMENT_LENGTH) { return fail(csimdjson_document_too_long, 0), csimdjson_failed; }
    if (length_ == 0) { return fail(csimdjson_empty, 0), csimdjson_failed; }
    if (!prepare()) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
    switch (library_->stage1(document_, length_, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: break;
    case simdjson::EMPTY: return fail(csimdjson_empty, length_), csimdjson_failed;
    case simdjson::UTF8_ERROR:
        return fail(csimdjson_invalid_utf8, venue::first_invalid_utf8(document_, length_)), csimdjson_failed;
    default: {
        const size_t fault = venue::first_broken_string(document_, length_);
        const bool is_unclosed = fault < length_ && document_[fault] == '"';
        return fail(is_unclosed ? csimdjson_unclosed_string : csimdjson_control_character, fault), csimdjson_failed;
    }
    }
    tokens_ = library_->structural_indexes.get();
    token_count_ = library_->n_structural_indexes;
    // The library writes the end of the document after the last token. The byte there is zero and not a token.
    if (tokens_[token_count_] != length_) { return fail(csimdjson_unexpected_end, length_), csimdjson_failed; }

    root.begin = offset();
    if (options_.streamed_member == nullptr || byte() != '{') {
        if (!value(root, 0)) { return csimdjson_failed; }
        return finish();
    }
    if (options_.max_depth < 2) { return fail(csimdjson_too_deep, offset()), csimdjson_failed; }
    if (!root.words.reserve(1)) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
    root.words.push(word(csimdjson_object, 0, 0));
    ++token_;
    phase_ = byte() == '}' ? Phase::separator : Phase::member;
    return members();
}

/// Prepares the library for a document of this length.
bool csimdjson_reader::prepare() noexcept {
    // The capacity grows in steps, so that many small documents of different lengths cause few allocations.
    size_t capacity = 4096;
    while (capacity < length_ && capacity < 1 << 20) { capacity *= 2; }
    if (capacity < length_) { capacity = length_; }
    error_code error = simdjson::SUCCESS;
    if (!library_) {
        error = simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, library_);
    } else if (library_->capacity() < length_) {
        error = library_->set_capacity(capacity);
    }
    if (error) { library_.reset(); }
    return !error;
}

/// Reads the members of the root up to its end or to the beginning of the streamed array.
csimdjson_event csimdjson_reader::members() noexcept {
    while (true) {
        if (phase_ == Phase::separator) {
            const uint8_t separator = byte();
            if (separator == '}') {
                ++token_;
                root.words.data()[0] = word(csimdjson_object, 0, root.words.count());
                return finish();
            }
            if (separator != ',') { return fail_at_token(), csimdjson_failed; }
            ++token_;
        }
        if (!key(root)) { return csimdjson_failed; }
        if (byte() == '[' && is_streamed(root.words.data()[root.words.count() - 1])) {
            if (!root.words.reserve(1)) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
            root.words.push(word(csimdjson_streamed, 0, 0));
            list_begin_ = offset();
            ++token_;
            if (byte() == ']') {
                ++token_;
                phase_ = Phase::separator;
            } else {
                phase_ = Phase::element;
            }
            return csimdjson_list_begins;
        }
        if (!value(root, 1)) { return csimdjson_failed; }
        phase_ = Phase::separator;
    }
}

csimdjson_event csimdjson_reader::next_element() noexcept {
    element.clear();
    element.begin = offset();
    if (!value(element, 2)) { return csimdjson_failed; }
    switch (byte()) {
    case ',': break;
    case ']':
        phase_ = Phase::separator;
        root.begin += offset() - list_begin_;
        break;
    default: return fail_at_token(), csimdjson_failed;
    }
    ++token_;
    return csimdjson_has_element;
}

csimdjson_event csimdjson_reader::finish() noexcept {
    if (token_ != token_count_) { return fail(csimdjson_trailing_content, offset()), csimdjson_failed; }
    phase_ = Phase::failed;
    return csimdjson_finished;
}

// MARK: - Values

/// Reads the value at the current token. `depth` arrays and objects enclose it.
bool csimdjson_reader::value(Tape &tape, uint32_t depth) noexcept {
    // The index of the word of every array and object that is open inside the value.
    uint32_t open[CSIMDJSON_MAX_DEPTH];
    uint32_t opened = 0;

    while (true) {
        // A value.
        const uint8_t first = byte();
        if (first == '[' || first == '{') {
            if (depth + opened >= options_.max_depth) { return fail(csimdjson_too_deep, offset()); }
            if (!tape.words.reserve(1)) { return fail(csimdjson_out_of_memory, offset()); }
            const uint8_t close = first == '[' ? ']' : '}';
            open[opened++] = static_cast<uint32_t>(tape.words.count());
            tape.words.push(word(first == '[' ? csimdjson_array : csimdjson_object, 0, 0));
            ++token_;
            if (byte() != close) {
                if (first == '{' && !key(tape)) { return false; }
                continue;
            }
        } else {
            if (!scalar(tape)) { return false; }
            if (opened == 0) { return end(tape, offset()); }
        }
        // After a value: closing brackets, then a comma.
        while (true) {
            uint64_t &container = tape.words.data()[open[opened - 1]];
            const bool is_object = container >> 60 == csimdjson_object;
            const uint8_t separator = byte();
            if (separator == ',') {
                if (offset() - tape.begin > options_.max_length) { return fail(csimdjson_value_too_long, offset()); }
                ++token_;
                if (is_object && !key(tape)) { return false; }
                break;
            }
            if (separator != (is_object ? '}' : ']')) { return fail_at_token(); }
            container |= tape.words.count();
            ++token_;
            --opened;
            if (opened == 0) { return end(tape, tokens_[token_ - 1] + 1); }
        }
    }
}

/// Checks the length of the value on the tape, which ends at an offset.
bool csimdjson_reader::end(const Tape &tape, size_t offset) noexcept {
    return offset - tape.begin <= options_.max_length || fail(csimdjson_value_too_long, offset);
}

bool csimdjson_reader::scalar(Tape &tape) noexcept {
    if (!tape.words.reserve(2)) { return fail(csimdjson_out_of_memory, offset()); }
    switch (byte()) {
    case '"': return string(tape);
    case 't': return literal(tape, "true", csimdjson_true);
    case 'f': return literal(tape, "false", csimdjson_false);
    case 'n': return literal(tape, "null", csimdjson_null);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return number(tape);
    default: return fail_at_token();
    }
}

/// A key and its colon.
bool csimdjson_reader::key(Tape &tape) noexcept {
    if (byte() != '"') { return fail_at_token(); }
    if (!tape.words.reserve(1)) { return fail(csimdjson_out_of_memory, offset()); }
    if (!string(tape)) { return false; }
    if (byte() != ':') { return fail_at_token(); }
    ++token_;
    return true;
}

/// Reads the string at the current token. The capacity for a word has to be reserved.
bool csimdjson_reader::string(Tape &tape) noexcept {
    const size_t begin = offset() + 1;
    // Between this token and the next there are only the string, its closing quotation mark and white space.
    size_t end = tokens_[token_ + 1] - 1;
    while (end > begin && document_[end] != '"') { --end; }
    if (document_[end] != '"' || end < begin) { return fail(csimdjson_unclosed_string, offset()); }
    ++token_;
    if (backslash_ < begin) {
        const void *found = std::memchr(document_ + begin, '\\', length_ - begin);
        backslash_ = found == nullptr ? length_ : static_cast<size_t>(static_cast<const uint8_t *>(found) - document_);
    }
    if (backslash_ < end) { return unescape(tape, begin, end); }
    tape.words.push(word(csimdjson_plain_string, end - begin, begin));
    return true;
}

bool csimdjson_reader::literal(Tape &tape, const char *text, csimdjson_tag tag) noexcept {
    const size_t length = std::strlen(text);
    const uint8_t *found = document_ + offset();
    if (std::memcmp(found, text, length) != 0 || !ends(found + length)) {
        return fail(csimdjson_malformed_literal, offset());
    }
    tape.words.push(word(tag, 0, 0));
    ++token_;
    return true;
}

bool csimdjson_reader::number(Tape &tape) noexcept {
    const venue::Number number = venue::read_number(document_ + offset());
    if (number.status != csimdjson_fine) { return fail(number.status, offset()); }
    if (!ends(number.end)) { return fail(csimdjson_malformed_number, offset()); }
    const size_t offset = number.length > 0 ? static_cast<size_t>(number.text - document_) : 0;
    if (number.is_short) {
        tape.words.push(word(csimdjson_decimal, number.length, offset));
    } else {
        uint64_t bits;
        std::memcpy(&bits, &number.value, sizeof bits);
        tape.words.push(word(csimdjson_double, number.length, offset));
        tape.words.push(bits);
        changed_numbers += number.is_changed;
    }
    ++token_;
    return true;
}

// MARK: - Helpers

/// Whether a number or literal ends before this byte.
bool csimdjson_reader::ends(const uint8_t *next) const noexcept {
    switch (*next) {
    case ',': case ']': case '}': case ' ': case '\n': case '\r': case '\t': return true;
    // Zero bytes follow the document. Inside the document they are invalid.
    case 0: return next == document_ + length_;
    default: return false;
    }
}

bool csimdjson_reader::is_streamed(uint64_t key) const noexcept {
    const size_t length = key >> 30 & 0x3fffffff, offset = key & 0x3fffffff;
    const uint8_t *text = key >> 60 == csimdjson_plain_string ? document_ : root.strings.data();
    return length == std::strlen(options_.streamed_member) && std::memcmp(text + offset, options_.streamed_member, length) == 0;
}

bool csimdjson_reader::fail(csimdjson_status status, size_t offset) noexcept {
    failure = {status, offset};
    return false;
}

bool csimdjson_reader::fail_at_token() noexcept {
    return fail(token_ < token_count_ ? csimdjson_unexpected_character : csimdjson_unexpected_end, offset());
}
