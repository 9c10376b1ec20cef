#include "Number.hpp"

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace venue {
namespace {

bool is_digit(uint8_t byte) noexcept { return static_cast<uint8_t>(byte - '0') < 10; }

/// The first byte that is not a digit.
const uint8_t *skip_digits(const uint8_t *text) noexcept {
    // Eight at a time: a byte is a digit if its upper half is 3 and stays 3 when 6 is added.
    while (true) {
        uint64_t eight;
        std::memcpy(&eight, text, 8);
        const uint64_t high = 0xF0F0F0F0F0F0F0F0, threes = 0x3030303030303030, sixes = 0x0606060606060606;
        if ((eight & high) != threes || ((eight + sixes) & high) != threes) { break; }
        text += 8;
    }
    while (is_digit(*text)) { ++text; }
    return text;
}

/// The nearest double of a well-formed number, independent of the locale; infinite if it is out of range.
double nearest_double(const uint8_t *text, const uint8_t *end) noexcept {
    const char *first = reinterpret_cast<const char *>(text);
#if defined(__cpp_lib_to_chars)
    double value = 0;
    if (std::from_chars(first, reinterpret_cast<const char *>(end), value).ec == std::errc()) { return value; }
    // Too large or too small; strtod distinguishes them.
#endif
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    return strtod_l(first, nullptr, plain);
}

/// Whether a decimal is the shortest one for its double, and the nearest of these.
bool is_shortest(const uint8_t *text, size_t length, double value) noexcept {
#if defined(__cpp_lib_to_chars)
    char shortest[48];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::fixed);
    return end.ec == std::errc() && static_cast<size_t>(end.ptr - shortest) == length
        && std::memcmp(shortest, text, length) == 0;
#else
    return false;
#endif
}

/// The parts of a well-formed number. Trailing zeros of the fraction are not among its digits.
struct Parts {
    bool is_negative;
    const uint8_t *whole, *whole_end;
    const uint8_t *fraction, *fraction_end;
    bool has_exponent;
    const uint8_t *end;

    bool is_integer() const noexcept { return fraction == fraction_end && !has_exponent; }

    /// The number of digits between the first and the last that is not zero.
    size_t significant_digits() const noexcept {
        const uint8_t *first = whole, *last = fraction_end;
        while (first < whole_end && *first == '0') { ++first; }
        if (first == whole_end) {
            first = fraction;
            while (first < last && *first == '0') { ++first; }
            return static_cast<size_t>(last - first);
        }
        if (fraction < fraction_end) {
            return static_cast<size_t>(whole_end - first) + static_cast<size_t>(fraction_end - fraction);
        }
        last = whole_end;
        while (last > first && last[-1] == '0') { --last; }
        return static_cast<size_t>(last - first);
    }
};

bool is_changed(const Parts &parts, double value) noexcept {
    if (!parts.is_integer()) {
        const size_t digits = parts.significant_digits();
        return digits > 17 || (value == 0 && digits > 0);
    }
    // All digits of the double, at most 309.
    char exact[320];
    const int length = std::snprintf(exact, sizeof exact, "%.0f", std::fabs(value));
    const auto written = static_cast<size_t>(parts.whole_end - parts.whole);
    return length < 0 || static_cast<size_t>(length) != written || std::memcmp(exact, parts.whole, written) != 0;
}

}  // namespace

Number read_number(const uint8_t *text) noexcept {
    Number number;
    Parts parts;
    const uint8_t *next = text;
    parts.is_negative = *next == '-';
    next += parts.is_negative;

    number.status = csimdjson_malformed_number;
    parts.whole = next;
    if (*next == '0') {
        ++next;
    } else {
        next = skip_digits(next);
        if (next == parts.whole) { return number; }
    }
    parts.whole_end = parts.fraction = parts.fraction_end = next;
    if (*next == '.') {
        parts.fraction = ++next;
        next = skip_digits(next);
        if (next == parts.fraction) { return number; }
        parts.fraction_end = next;
        while (parts.fraction_end > parts.fraction && parts.fraction_end[-1] == '0') { --parts.fraction_end; }
    }
    parts.has_exponent = (*next | 0x20) == 'e';
    if (parts.has_exponent) {
        ++next;
        if (*next == '+' || *next == '-') { ++next; }
        const uint8_t *exponent = next;
        next = skip_digits(next);
        if (next == exponent) { return number; }
    }
    number.end = parts.end = next;
    number.status = csimdjson_fine;

    // Two decimals of at most 15 significant digits are never the same double, so such a decimal is the shortest one for
    // its double; ECMAScript writes it without an exponent from 1e-6 on.
    const auto whole = static_cast<size_t>(parts.whole_end - parts.whole);
    const auto fraction = static_cast<size_t>(parts.fraction_end - parts.fraction);
    size_t digits = whole + fraction;
    bool has_plain_form = !parts.has_exponent && whole <= 15 && fraction <= 22;
    if (*parts.whole == '0' && fraction == 0) {
        // Negative zero is written without its sign.
        parts.is_negative = false;
    } else if (*parts.whole == '0' && has_plain_form) {
        size_t zeros = 0;
        while (parts.fraction[zeros] == '0') { ++zeros; }
        has_plain_form = zeros <= 5;
        digits = fraction - zeros;
    }
    const uint8_t *plain = parts.whole - parts.is_negative;
    const auto plain_length = static_cast<size_t>((fraction > 0 ? parts.fraction_end : parts.whole_end) - plain);
    if (has_plain_form && digits <= 15) {
        number.text = plain;
        number.length = static_cast<uint32_t>(plain_length);
        number.is_short = true;
        return number;
    }
    number.value = nearest_double(text, parts.end);
    if (!std::isfinite(number.value)) {
        number.status = csimdjson_number_out_of_range;
        return number;
    }
    number.is_changed = is_changed(parts, number.value);
    if (has_plain_form && digits <= 17 && is_shortest(plain, plain_length, number.value)) {
        number.text = plain;
        number.length = static_cast<uint32_t>(plain_length);
    }
    return number;
}

}  // namespace venue
