#include <cstring>

#include "Reader.hpp"

namespace {

/// The value of four hexadecimal digits; above 0xFFFF if they are not digits.
uint32_t four_digits(const uint8_t *text) noexcept {
    uint32_t value = 0;
    for (int index = 0; index < 4; ++index) {
        const uint8_t byte = text[index], letter = byte | 0x20;
        uint32_t digit;
        if (byte >= '0' && byte <= '9') {
            digit = byte - '0';
        } else if (letter >= 'a' && letter <= 'f') {
            digit = letter - 'a' + 10u;
        } else {
            return 0x10000;
        }
        value = value << 4 | digit;
    }
    return value;
}

size_t encode(uint32_t character, uint8_t *output) noexcept {
    if (character < 0x80) {
        output[0] = static_cast<uint8_t>(character);
        return 1;
    }
    if (character < 0x800) {
        output[0] = static_cast<uint8_t>(0xC0 | character >> 6);
        output[1] = static_cast<uint8_t>(0x80 | (character & 0x3F));
        return 2;
    }
    if (character < 0x10000) {
        output[0] = static_cast<uint8_t>(0xE0 | character >> 12);
        output[1] = static_cast<uint8_t>(0x80 | (character >> 6 & 0x3F));
        output[2] = static_cast<uint8_t>(0x80 | (character & 0x3F));
        return 3;
    }
    output[0] = static_cast<uint8_t>(0xF0 | character >> 18);
    output[1] = static_cast<uint8_t>(0x80 | (character >> 12 & 0x3F));
    output[2] = static_cast<uint8_t>(0x80 | (character >> 6 & 0x3F));
    output[3] = static_cast<uint8_t>(0x80 | (character & 0x3F));
    return 4;
}

uint8_t short_escape(uint8_t letter) noexcept {
    switch (letter) {
    case '"': case '\\': case '/': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

}  // namespace

/// Writes the string between two quotation marks without its escapes. The result is never longer than the source.
bool csimdjson_reader::unescape(venue::Tape &tape, size_t begin, size_t end) noexcept {
    if (!tape.strings.reserve(end - begin)) { return fail(csimdjson_out_of_memory, begin); }
    const size_t start = tape.strings.count();
    size_t next = begin;
    while (next < end) {
        const void *found = std::memchr(document_ + next, '\\', end - next);
        const size_t escape = found == nullptr ? end : static_cast<size_t>(static_cast<const uint8_t *>(found) - document_);
        tape.strings.append(document_ + next, escape - next);
        if (escape == end) { break; }
        // The closing quotation mark is not escaped, so another byte follows the backslash.
        const uint8_t letter = document_[escape + 1];
        if (letter != 'u') {
            const uint8_t byte = short_escape(letter);
            if (byte == 0) { return fail(csimdjson_malformed_escape, escape); }
            tape.strings.push(byte);
            next = escape + 2;
            continue;
        }
        uint32_t character = escape + 6 <= end ? four_digits(document_ + escape + 2) : 0x10000;
        if (character > 0xFFFF) { return fail(csimdjson_malformed_escape, escape); }
        next = escape + 6;
        if (character >= 0xD800 && character <= 0xDFFF) {
            const bool has_second = character <= 0xDBFF && next + 6 <= end && document_[next] == '\\'
                && document_[next + 1] == 'u';
            const uint32_t second = has_second ? four_digits(document_ + next + 2) : 0;
            if (second < 0xDC00 || second > 0xDFFF) { return fail(csimdjson_lone_surrogate, escape); }
            character = 0x10000 + ((character - 0xD800) << 10) + (second - 0xDC00);
            next += 6;
        }
        uint8_t encoded[4];
        tape.strings.append(encoded, encode(character, encoded));
    }
    tape.words.push(venue::word(csimdjson_unescaped_string, tape.strings.count() - start, start));
    return true;
}
