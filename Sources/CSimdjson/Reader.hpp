#pragma once

#include <memory>

#include <simdjson.h>

#include "Tape.hpp"

/// simdjson finds the beginning of every token and validates UTF-8. This reader checks the tokens and the grammar, so that every
/// value is validated and every error has an offset.
struct csimdjson_reader {
  public:
    void open(const uint8_t *document, size_t length, csimdjson_options options) noexcept;
    csimdjson_event next() noexcept;

    venue::Tape root;
    venue::Tape element;
    csimdjson_failure failure = {csimdjson_fine, 0};
    uint64_t changed_numbers = 0;

  private:
    /// What is read next.
    enum class Phase { document, member, separator, element, failed };

    csimdjson_event begin() noexcept;
    bool prepare() noexcept;
    csimdjson_event members() noexcept;
    csimdjson_event next_element() noexcept;
    csimdjson_event finish() noexcept;

    bool value(venue::Tape &tape, uint32_t depth) noexcept;
    bool end(const venue::Tape &tape, size_t offset) noexcept;
    bool scalar(venue::Tape &tape) noexcept;
    bool string(venue::Tape &tape) noexcept;
    bool key(venue::Tape &tape) noexcept;
    bool unescape(venue::Tape &tape, size_t begin, size_t end) noexcept;
    bool literal(venue::Tape &tape, const char *text, csimdjson_tag tag) noexcept;
    bool number(venue::Tape &tape) noexcept;

    bool ends(const uint8_t *next) const noexcept;
    bool is_streamed(uint64_t key) const noexcept;
    bool fail(csimdjson_status status, size_t offset) noexcept;
    /// The current token is not allowed by the grammar.
    bool fail_at_token() noexcept;

    size_t offset() const noexcept { return tokens_[token_]; }
    uint8_t byte() const noexcept { return document_[tokens_[token_]]; }

    std::unique_ptr<simdjson::internal::dom_parser_implementation> library_;
    const uint8_t *document_ = nullptr;
    size_t length_ = 0;
    csimdjson_options options_ = {0, 0, nullptr};
    /// The offset of the streamed array.
    size_t list_begin_ = 0;
    const uint32_t *tokens_ = nullptr;
    size_t token_ = 0;
    size_t token_count_ = 0;
    /// The offset of the first backslash after the last string.
    size_t backslash_ = 0;
    Phase phase_ = Phase::document;
};
