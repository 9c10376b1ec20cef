#pragma once

#include <memory>

#include <simdjson.h>

#include "Tape.hpp"

/// simdjson finds where every token begins and sees that the text is UTF-8; what the tokens are, and that they follow the
/// grammar, is looked at here, token by token, so that nothing is left unread and every fault has its place.
struct csimdjson_reader {
  public:
    void open(const uint8_t *document, size_t length, csimdjson_terms terms) noexcept;
    csimdjson_event next() noexcept;

    venue::Tape root;
    venue::Tape element;
    csimdjson_failure failure = {csimdjson_fine, 0};
    uint64_t changed_numbers = 0;

  private:
    /// What comes next.
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
    bool is_listed(uint64_t key) const noexcept;
    bool fail(csimdjson_status status, size_t offset) noexcept;
    /// The token that stands here is not the one that has to.
    bool fail_here() noexcept;

    size_t here() const noexcept { return tokens_[token_]; }
    uint8_t byte() const noexcept { return document_[tokens_[token_]]; }

    std::unique_ptr<simdjson::internal::dom_parser_implementation> library_;
    const uint8_t *document_ = nullptr;
    size_t length_ = 0;
    csimdjson_terms terms_ = {0, 0, nullptr};
    /// Where the listed array that is being told begins.
    size_t list_begin_ = 0;
    const uint32_t *tokens_ = nullptr;
    size_t token_ = 0;
    size_t token_count_ = 0;
    /// The first backslash that has not been passed.
    size_t backslash_ = 0;
    Phase phase_ = Phase::document;
};
