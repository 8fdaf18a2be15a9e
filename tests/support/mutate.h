// Mutates a text of rules in ways typical of a tired author, a bad merge or an attacker. A seed gives the same mutant
// on every machine.
#pragma once

#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::test {

class Mutator {
 public:
  Mutator(std::string text, std::uint64_t seed) : text_(std::move(text)), state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::string mutant() {
    const std::size_t changes = 1 + below(4) / 2 + (below(8) == 0 ? below(6) : 0);
    for (std::size_t i = 0; i < changes && !text_.empty(); ++i) change();
    return text_;
  }

 private:
  using Span = std::pair<std::size_t, std::size_t>;   // begin, end

  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return n ? static_cast<std::size_t>((state_ >> 11) % n) : 0;
  }

  std::vector<Span> tokens() const {
    std::vector<Span> out;
    for (std::size_t i = 0; i < text_.size();) {
      const auto c = static_cast<unsigned char>(text_[i]);
      std::size_t end = i + 1;
      if (std::isspace(c)) {
        i = end;
        continue;
      }
      if (std::isalnum(c) || c == '_')
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
      if (c == '/' && end < text_.size() && text_[end] == '/') {
        while (end < text_.size() && text_[end] != '\n') ++end;
        i = end;   // comments are not mutated
        continue;
      }
      out.emplace_back(i, end);
      i = end;
    }
    return out;
  }
  std::vector<Span> lines() const {
    std::vector<Span> out;
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', i), text_.size() - 1) + 1;
      out.emplace_back(i, end);
      i = end;
    }
    return out;
  }
  std::string at(Span span) const { return text_.substr(span.first, span.second - span.first); }
  void put(Span span, const std::string& text) { text_.replace(span.first, span.second - span.first, text); }
  void exchange(Span one, Span other) {
    if (one.first > other.first) std::swap(one, other);
    if (one.second > other.first) return;
    const std::string first = at(one), second = at(other);
    put(other, first);
    put(one, second);
  }

  void change() {
    const bool by_line = below(4) == 0;
    const auto spans = by_line ? lines() : tokens();
    if (spans.size() < 2) return;
    const std::size_t i = below(spans.size());
    const Span span = spans[i], other = spans[below(spans.size())];
    switch (below(8)) {
      case 0: put(span, ""); return;
      case 1: put({span.second, span.second}, (by_line ? "" : " ") + at(span)); return;
      case 2: exchange(span, spans[(i + 1) % spans.size()]); return;
      case 3: exchange(span, other); return;
      case 4: put(span, at(other)); return;
      case 5: put({span.second, span.second}, " " + at(other)); return;
      case 6: number_or_noise(span); return;
      default: noise(); return;
    }
  }
  void number_or_noise(Span span) {
    static const char* const numbers[] = {
        "0", "1", "-1", "2", "64", "255", "65536", "1000000000000", "9999999999999999999"};
    const auto c = static_cast<unsigned char>(text_[span.first]);
    if (std::isdigit(c))
      put(span, numbers[below(9)]);
    else
      noise();
  }
  void noise() {
    static const std::string odd = "{}()[]<>=+-*/.,:;|?\"\\&%!@#$^~`'\n\t 0aZ_\x01\x80\xff";
    const std::size_t at = below(text_.size());
    if (below(2))
      text_[at] = odd[below(odd.size())];
    else
      text_.insert(at, 1, odd[below(odd.size())]);
  }

  std::string text_;
  std::uint64_t state_;
};

}   // namespace cardwright::test
