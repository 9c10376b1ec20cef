#include "FaultOffset.hpp"

// simdjson does not report where a document is invalid, so these functions search for the offset byte by byte.

namespace venue {
namespace {

/// The number of bytes of the first character; zero if it is not well formed.
size_t character(const uint8_t *text, size_t length) noexcept {
    const uint8_t first = text[0];
    if (first < 0x80) { return 1; }
    size_t count;
    uint8_t low = 0x80, high = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) {
        count = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        count = 3;
        if (first == 0xE0) { low = 0xA0; }
        if (first == 0xED) { high = 0x9F; }
    } else if (first >= 0xF0 && first <= 0xF4) {
        count = 4;
        if (first == 0xF0) { low = 0x90; }
        if (first == 0xF4) { high = 0x8F; }
    } else {
        return 0;
    }
    if (length < count || text[1] < low || text[1] > high) { return 0; }
    for (size_t offset = 2; offset < count; ++offset) {
        if (text[offset] < 0x80 || text[offset] > 0xBF) { return 0; }
    }
    return count;
}

}  // namespace

size_t first_invalid_utf8(const uint8_t *text, size_t length) noexcept {
    size_t offset = 0;
    while (offset < length) {
        const size_t count = character(text + offset, length - offset);
        if (count == 0) { return offset; }
        offset += count;
    }
    return length;
}

size_t first_broken_string(const uint8_t *text, size_t length) noexcept {
    bool is_inside = false;
    size_t start = 0;
    for (size_t offset = 0; offset < length; ++offset) {
        const uint8_t byte = text[offset];
        if (byte == '"') {
            is_inside = !is_inside;
            start = offset;
        } else if (is_inside && byte < 0x20) {
            return offset;
        } else if (is_inside && byte == '\\') {
            ++offset;
            if (offset < length && text[offset] < 0x20) { return offset; }
        }
    }
    return is_inside ? start : length;
}

}  // namespace venue
