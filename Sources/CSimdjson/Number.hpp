#pragma once

#include <cstdint>

#include "CSimdjson.h"

namespace venue {

/// A number in a document.
struct Number {
    csimdjson_status status = csimdjson_fine;
    /// The double differs from the number as written.
    bool is_changed = false;
    /// The text has at most 15 significant digits, and the value was not computed.
    bool is_short = false;
    /// The part of the document that is equal to what ECMAScript writes for the double; of length 0 if there is none.
    const uint8_t *text = nullptr;
    uint32_t length = 0;
    double value = 0;
    /// The byte after the number.
    const uint8_t *end = nullptr;
};

/// Reads the number that begins at `text`. Zero bytes follow the document.
Number read_number(const uint8_t *text) noexcept;

}  // namespace venue
