#include "Reader.hpp"

#include <cstring>

#include "Number.hpp"
#include "Place.hpp"

using simdjson::error_code;
using venue::Tape;
using venue::word;

void csimdjson_reader::open(const uint8_t *document, size_t length, csimdjson_terms terms) noexcept {
    root.clear();
    element.clear();
    failure = {csimdjson_fine, 0};
    changed_numbers = 0;
    document_ = document;
    length_ = length;
    terms_ = terms;
    if (terms_.deepest > CSIMDJSON_DEEPEST) { terms_.deepest = CSIMDJSON_DEEPEST; }
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
    if (length_ > CSIMDJSON_LONGEST_DOCUMENT) { return fail(csimdjson_document_too_long, 0), csimdjson_failed; }
    if (length_ == 0) { return fail(csimdjson_empty, 0), csimdjson_failed; }
    if (!prepare()) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
    switch (library_->stage1(document_, length_, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: break;
    case simdjson::EMPTY: return fail(csimdjson_empty, length_), csimdjson_failed;
    case simdjson::UTF8_ERROR:
        return fail(csimdjson_invalid_utf8, venue::first_invalid_utf8(document_, length_)), csimdjson_failed;
    default: {
        const size_t place = venue::first_broken_string(document_, length_);
        const bool is_unclosed = place < length_ && document_[place] == '"';
        return fail(is_unclosed ? csimdjson_unclosed_string : csimdjson_control_character, place), csimdjson_failed;
    }
    }
    tokens_ = library_->structural_indexes.get();
    token_count_ = library_->n_structural_indexes;
    // The library puts the document's end behind the last token. There is a zero byte there, which is no token.
    if (tokens_[token_count_] != length_) { return fail(csimdjson_unexpected_end, length_), csimdjson_failed; }

    root.begin = here();
    if (terms_.listed == nullptr || byte() != '{') {
        if (!value(root, 0)) { return csimdjson_failed; }
        return finish();
    }
    if (terms_.deepest < 2) { return fail(csimdjson_too_deep, here()), csimdjson_failed; }
    if (!root.words.reserve(1)) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
    root.words.push(word(csimdjson_object, 0, 0));
    ++token_;
    phase_ = byte() == '}' ? Phase::separator : Phase::member;
    return members();
}

/// Makes the library ready for a document of this length.
bool csimdjson_reader::prepare() noexcept {
    // Many small documents of different lengths make it grow a few times, not every time.
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

/// Goes through the root's members up to the end or to the beginning of a list.
csimdjson_event csimdjson_reader::members() noexcept {
    while (true) {
        if (phase_ == Phase::separator) {
            const uint8_t separator = byte();
            if (separator == '}') {
                ++token_;
                root.words.data()[0] = word(csimdjson_object, 0, root.words.count());
                return finish();
            }
            if (separator != ',') { return fail_here(), csimdjson_failed; }
            ++token_;
        }
        if (!key(root)) { return csimdjson_failed; }
        if (byte() == '[' && is_listed(root.words.data()[root.words.count() - 1])) {
            if (!root.words.reserve(1)) { return fail(csimdjson_out_of_memory, 0), csimdjson_failed; }
            root.words.push(word(csimdjson_listed, 0, 0));
            list_begin_ = here();
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
    element.begin = here();
    if (!value(element, 2)) { return csimdjson_failed; }
    switch (byte()) {
    case ',': break;
    case ']':
        phase_ = Phase::separator;
        root.begin += here() - list_begin_;
        break;
    default: return fail_here(), csimdjson_failed;
    }
    ++token_;
    return csimdjson_has_element;
}

csimdjson_event csimdjson_reader::finish() noexcept {
    if (token_ != token_count_) { return fail(csimdjson_trailing_content, here()), csimdjson_failed; }
    phase_ = Phase::failed;
    return csimdjson_finished;
}

// MARK: - Values

/// Reads the value that begins here. `depth` arrays and objects are open around it.
bool csimdjson_reader::value(Tape &tape, uint32_t depth) noexcept {
    // The word of every array and object that is open inside the value.
    uint32_t open[CSIMDJSON_DEEPEST];
    uint32_t opened = 0;

    while (true) {
        // A value.
        const uint8_t first = byte();
        if (first == '[' || first == '{') {
            if (depth + opened >= terms_.deepest) { return fail(csimdjson_too_deep, here()); }
            if (!tape.words.reserve(1)) { return fail(csimdjson_out_of_memory, here()); }
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
            if (opened == 0) { return end(tape, here()); }
        }
        // Whatever follows a value: brackets that close, then a comma.
        while (true) {
            uint64_t &container = tape.words.data()[open[opened - 1]];
            const bool is_object = container >> 60 == csimdjson_object;
            const uint8_t separator = byte();
            if (separator == ',') {
                if (here() - tape.begin > terms_.longest) { return fail(csimdjson_value_too_long, here()); }
                ++token_;
                if (is_object && !key(tape)) { return false; }
                break;
            }
            if (separator != (is_object ? '}' : ']')) { return fail_here(); }
            container |= tape.words.count();
            ++token_;
            --opened;
            if (opened == 0) { return end(tape, tokens_[token_ - 1] + 1); }
        }
    }
}

/// The value on the tape ends here.
bool csimdjson_reader::end(const Tape &tape, size_t offset) noexcept {
    return offset - tape.begin <= terms_.longest || fail(csimdjson_value_too_long, offset);
}

bool csimdjson_reader::scalar(Tape &tape) noexcept {
    if (!tape.words.reserve(2)) { return fail(csimdjson_out_of_memory, here()); }
    switch (byte()) {
    case '"': return string(tape);
    case 't': return literal(tape, "true", csimdjson_true);
    case 'f': return literal(tape, "false", csimdjson_false);
    case 'n': return literal(tape, "null", csimdjson_null);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return number(tape);
    default: return fail_here();
    }
}

/// A key and its colon.
bool csimdjson_reader::key(Tape &tape) noexcept {
    if (byte() != '"') { return fail_here(); }
    if (!tape.words.reserve(1)) { return fail(csimdjson_out_of_memory, here()); }
    if (!string(tape)) { return false; }
    if (byte() != ':') { return fail_here(); }
    ++token_;
    return true;
}

/// The string that begins here. There has to be room for a word.
bool csimdjson_reader::string(Tape &tape) noexcept {
    const size_t begin = here() + 1;
    // Between this token and the next there is nothing but the string, its closing mark and white space.
    size_t end = tokens_[token_ + 1] - 1;
    while (end > begin && document_[end] != '"') { --end; }
    if (document_[end] != '"' || end < begin) { return fail(csimdjson_unclosed_string, here()); }
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
    const uint8_t *found = document_ + here();
    if (std::memcmp(found, text, length) != 0 || !ends(found + length)) {
        return fail(csimdjson_malformed_literal, here());
    }
    tape.words.push(word(tag, 0, 0));
    ++token_;
    return true;
}

bool csimdjson_reader::number(Tape &tape) noexcept {
    const venue::Number number = venue::read_number(document_ + here());
    if (number.status != csimdjson_fine) { return fail(number.status, here()); }
    if (!ends(number.end)) { return fail(csimdjson_malformed_number, here()); }
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

/// Whether nothing but the end of a number or literal can stand here.
bool csimdjson_reader::ends(const uint8_t *next) const noexcept {
    switch (*next) {
    case ',': case ']': case '}': case ' ': case '\n': case '\r': case '\t': return true;
    // Zero bytes stand behind the document. In it they are wrong like other characters.
    case 0: return next == document_ + length_;
    default: return false;
    }
}

bool csimdjson_reader::is_listed(uint64_t key) const noexcept {
    const size_t length = key >> 30 & 0x3fffffff, offset = key & 0x3fffffff;
    const uint8_t *text = key >> 60 == csimdjson_plain_string ? document_ : root.strings.data();
    return length == std::strlen(terms_.listed) && std::memcmp(text + offset, terms_.listed, length) == 0;
}

bool csimdjson_reader::fail(csimdjson_status status, size_t offset) noexcept {
    failure = {status, offset};
    return false;
}

bool csimdjson_reader::fail_here() noexcept {
    return fail(token_ < token_count_ ? csimdjson_unexpected_character : csimdjson_unexpected_end, here());
}
