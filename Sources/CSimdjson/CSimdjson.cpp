#include "CSimdjson.h"

#include <new>

#include "Reader.hpp"

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING);

csimdjson_reader *csimdjson_reader_create(void) { return new (std::nothrow) csimdjson_reader(); }

void csimdjson_reader_destroy(csimdjson_reader *reader) { delete reader; }

void csimdjson_open(csimdjson_reader *reader, const uint8_t *document, size_t length, csimdjson_options options) {
    reader->open(document, length, options);
}

csimdjson_event csimdjson_next(csimdjson_reader *reader) { return reader->next(); }

csimdjson_tape csimdjson_element(const csimdjson_reader *reader) { return reader->element.view(); }

csimdjson_tape csimdjson_root(const csimdjson_reader *reader) { return reader->root.view(); }

csimdjson_failure csimdjson_get_failure(const csimdjson_reader *reader) { return reader->failure; }

uint64_t csimdjson_changed_numbers(const csimdjson_reader *reader) { return reader->changed_numbers; }
