// Reduces a ruleset while a property holds: removes declarations, then statements, then parts of lines.
#pragma once

#include <cctype>
#include <functional>
#include <string>
#include <vector>

namespace cardwright::test {

class Reducer {
 public:
  // `stays` returns true if a text has the property, for example that it still fails in the same way.
  Reducer(std::string text, std::function<bool(const std::string&)> stays)
      : lines_(split(text)), stays_(std::move(stays)) {}

  std::string smallest() {
    while (fewer_lines() || shorter_lines()) {
    }
    return joined(lines_);
  }

 private:
  using Lines = std::vector<std::string>;

  static Lines split(const std::string& text) {
    Lines out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }
  static std::string joined(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }
  static int braces(const std::string& line) {
    int open = 0;
    for (const char c : line) open += (c == '{') - (c == '}');
    return open;
  }
  // Returns the end of a block. A line that opens a brace without closing it begins a block.
  std::size_t end_of_block(std::size_t first) const {
    int open = 0;
    for (std::size_t i = first; i < lines_.size(); ++i) {
      open += braces(lines_[i]);
      if (open <= 0) return i + 1;
    }
    return lines_.size();
  }
  bool take(const Lines& lines) {
    if (!stays_(joined(lines))) return false;
    lines_ = lines;
    return true;
  }
  bool without(std::size_t begin, std::size_t end) {
    Lines rest(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(begin));
    rest.insert(rest.end(), lines_.begin() + static_cast<std::ptrdiff_t>(end), lines_.end());
    return take(rest);
  }

  // ---- removes runs of declarations and statements, longest first, then the lines that enclose a block
  bool fewer_lines() {
    bool any = false;
    for (std::size_t many = 32; many > 0; many /= 2)
      for (std::size_t at = 0; at < lines_.size();) {
        std::size_t end = at;
        for (std::size_t units = 0; units < many && end < lines_.size() && braces(lines_[end]) >= 0; ++units)
          end = end_of_block(end);
        if (end > at && without(at, end))
          any = true;
        else
          ++at;
      }
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      const std::size_t end = end_of_block(at);
      if (braces(lines_[at]) <= 0 || end <= at + 1) continue;
      Lines bare(lines_.begin(), lines_.end());
      bare.erase(bare.begin() + static_cast<std::ptrdiff_t>(end) - 1);
      bare.erase(bare.begin() + static_cast<std::ptrdiff_t>(at));
      any = take(bare) || any;
    }
    return any;
  }

  // ---- inside a line: replaces bracketed text with one of its parts or a simple value, and removes runs of words
  bool shorter_lines() {
    bool any = false;
    for (std::size_t at = 0; at < lines_.size(); ++at)
      while (shorter(at)) any = true;
    return any;
  }
  bool with_line(std::size_t at, const std::string& text) {
    if (text.size() >= lines_[at].size()) return false;
    Lines other = lines_;
    other[at] = text;
    return take(other);
  }
  bool shorter(std::size_t at) {
    const std::string line = lines_[at];
    static const char* const plain[] = {"", "1", "0", "true", "false", "me", "host", "players", "disc", "red", "none"};
    for (std::size_t open = 0; open < line.size(); ++open) {
      if (line[open] != '(') continue;
      const std::size_t close = closing(line, open);
      if (close == std::string::npos) continue;
      const std::string head = line.substr(0, open), inner = line.substr(open + 1, close - open - 1),
                        tail = line.substr(close + 1);
      for (std::size_t part = 0; part < inner.size(); ++part)
        if (inner[part] == '(')
          if (const std::size_t end = closing(inner, part);
              end != std::string::npos && with_line(at, head + inner.substr(part, end - part + 1) + tail))
            return true;
      for (const char* word : plain)
        if (with_line(at, head + word + tail)) return true;
      if (with_line(at, head + inner + tail)) return true;
    }
    const auto words = words_of(line);
    for (std::size_t run = std::min<std::size_t>(words.size(), 12); run > 0; --run)
      for (std::size_t i = 0; i + run <= words.size(); ++i)
        if (with_line(at, line.substr(0, words[i].first) + line.substr(words[i + run - 1].second))) return true;
    return false;
  }
  static std::size_t closing(const std::string& line, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < line.size(); ++i) {
      depth += (line[i] == '(') - (line[i] == ')');
      if (depth == 0) return i;
    }
    return std::string::npos;
  }
  static std::vector<std::pair<std::size_t, std::size_t>> words_of(const std::string& line) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i + 1;
      const auto in_word = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
      if (in_word(line[i]))
        while (end < line.size() && in_word(line[end])) ++end;
      if (line[i] != ' ') out.emplace_back(i, end);
      i = end;
    }
    return out;
  }

  Lines lines_;
  const std::function<bool(const std::string&)> stays_;
};

}   // namespace cardwright::test
