// Parses theme files line by line. An error affects only its own line.
#include "compiler/theme/theme.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace cardwright::theme {

namespace {

using Json = nlohmann::json;

struct Token {
  enum class Kind : std::uint8_t { word, text, number, colour, colon, comma, other, end } kind = Kind::end;
  std::string text;   // for Kind::text: the contents without quotes
  Range range;
};

std::string a(std::string_view thing) { return (thing.starts_with('a') ? "an " : "a ") + std::string(thing); }
std::string in_backticks(std::string_view text) { return "`" + std::string(text) + "`"; }

std::vector<Token> tokens_of(std::string_view line, SourceId source, std::uint32_t from) {
  std::vector<Token> out;
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || (c & 0x80);
  };
  std::size_t i = 0;
  const auto add = [&](Token::Kind kind, std::size_t end, std::string text) {
    out.push_back({kind,
                   std::move(text),
                   {source, from + static_cast<std::uint32_t>(i), from + static_cast<std::uint32_t>(end)}});
    i = end;
  };
  while (i < line.size() && line.substr(i, 2) != "//") {
    const char c = line[i];
    std::size_t end = i + 1;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (c == '"') {
      end = line.find('"', i + 1);
      if (end == std::string_view::npos)
        add(Token::Kind::other, line.size(), std::string(line.substr(i)));
      else
        add(Token::Kind::text, end + 1, std::string(line.substr(i + 1, end - i - 1)));
    } else if (c == '#' || is_letter(c)) {
      while (end < line.size() && is_letter(line[end])) ++end;
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      add(c == '#' ? Token::Kind::colour
          : number ? Token::Kind::number
                   : Token::Kind::word,
          end, std::string(line.substr(i, end - i)));
    } else {
      add(c == ':' ? Token::Kind::colon : c == ',' ? Token::Kind::comma : Token::Kind::other, end, std::string(1, c));
    }
  }
  out.push_back({Token::Kind::end,
                 "the end of the line",
                 {source, from + static_cast<std::uint32_t>(i), from + static_cast<std::uint32_t>(i)}});
  return out;
}

constexpr std::array kColours{"red",    "orange", "yellow", "green", "teal", "blue",
                              "purple", "pink",   "brown",  "black", "grey", "white"};
constexpr std::array kZoneProperties{"fan", "spread", "sort", "centre", "by", "hidden"};
constexpr std::array kSorts{"zone",  "variable", "card",  "attribute", "constant",
                            "board", "piece",    "table", "pace",      "linger"};

class Line {
 public:
  Line(std::vector<Token> tokens, const Names& names, Diagnostics& diagnostics, Look& look)
      : tokens_(std::move(tokens)), names_(names), diagnostics_(diagnostics), look_(look) {}

  void read() {
    const Token sort = next();
    if (sort.kind != Token::Kind::word || std::find(kSorts.begin(), kSorts.end(), sort.text) == kSorts.end())
      return report(sort, "expected " + one_of(kSorts) + ", found " + in_backticks(sort.text),
                    did_you_mean(sort.text, {kSorts.begin(), kSorts.end()}));
    if (!parse_names(sort.text)) return;
    if (peek().kind != Token::Kind::colon) return report(peek(), "expected `:` before the properties");
    next();
    do {
      if (!property(sort.text)) return;
    } while (comma());
    if (peek().kind != Token::Kind::end)
      return report(peek(), "unexpected " + in_backticks(peek().text), "separate properties with a comma");
    store(sort.text);
  }

 private:
  template <class All>
  static std::string one_of(const All& all) {
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i)
      out += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + in_backticks(all[i]);
    return out;
  }

  const Token& peek() const { return tokens_[at_]; }
  Token next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool comma() { return peek().kind == Token::Kind::comma && (next(), true); }
  bool word(std::string_view text) { return peek().kind == Token::Kind::word && peek().text == text && (next(), true); }
  void report(const Token& at, std::string message, std::string help = {}) {
    diagnostics_.report("ignored_theme_line"_code, at.range, std::move(message), std::move(help));
  }

  // Reads names that are declared in the rules. A card can also be named by its label in quotes.
  bool parse_names(const std::string& sort) {
    if (sort == "table" || sort == "pace") return true;
    const std::string of = sort == "linger" ? "zone" : sort;
    do {
      const Token name = next();
      if (name.kind != Token::Kind::word && name.kind != Token::Kind::text)
        return report(name, "expected the name of " + a(of)), false;
      if (!names_.has(of, name.text))
        return report(name, "unknown " + of + " " + in_backticks(name.text), did_you_mean(name.text, names_.all(of))),
               false;
      parsed_names_.push_back(name.text);
    } while (comma());
    return true;
  }

  bool property(const std::string& sort) {
    if (sort == "zone") return zone_property();
    if (sort == "variable") return variable_property();
    if (sort == "card" || sort == "constant" || sort == "piece" || sort == "table") return face_property(sort);
    if (sort == "attribute") return attribute_property();
    if (sort == "board") return board_property();
    return time("time");
  }

  bool unknown(std::string_view sort, const std::vector<std::string>& can) {
    report(peek(), "unknown property " + in_backticks(peek().text) + " of " + a(sort),
           did_you_mean_one_of(peek().text, can));
    return false;
  }

  bool zone_property() {
    if (word("fan"))
      properties_["fan"] = true;
    else if (word("spread"))
      properties_["fan"] = false;
    else if (word("centre"))
      properties_["centre"] = true;
    else if (word("hidden"))
      properties_["hidden"] = true;
    else if (peek().text == "by") {
      next();
      if (!word("seat")) return report(peek(), "expected `by seat`"), false;
      properties_["by_seat"] = true;
    } else if (word("sort")) {
      return sort_by();
    } else {
      return unknown("zone", {"fan", "spread", "sort by", "centre", "by seat", "hidden"});
    }
    return true;
  }

  // Reads attribute names up to the end of the line or the next property.
  bool sort_by() {
    if (!word("by")) return report(peek(), "expected `by` after `sort`"), false;
    Json by = Json::array();
    while (true) {
      const Token name = peek();
      if (!is_attribute(name)) {
        report(name, "unknown attribute " + in_backticks(name.text), did_you_mean(name.text, names_.all("attribute")));
        return false;
      }
      by.push_back(next().text);
      if (peek().kind != Token::Kind::comma || !is_attribute(tokens_[at_ + 1])) break;
      next();
    }
    properties_["sort"] = by;
    return true;
  }
  bool is_attribute(const Token& token) const {
    return token.kind == Token::Kind::word &&
           std::find(kZoneProperties.begin(), kZoneProperties.end(), token.text) == kZoneProperties.end() &&
           names_.has("attribute", token.text);
  }

  bool variable_property() {
    if (word("hidden")) return properties_["hidden"] = true, true;
    if (word("tokens")) return symbol("tokens");
    if (word("max")) return number("max", 1, 40);
    if (word("track")) return track();
    return unknown("variable", {"hidden", "tokens", "max", "track"});
  }

  // Reads the number of points of a track, and whether the players count them from opposite ends.
  bool track() {
    const Token points = peek();
    if (!number("track", 4, 60)) return false;
    if (properties_["track"].get<int>() % 4 != 0)
      return report(points, "expected a multiple of 4, because a track has two rows with two halves each"), false;
    if (word("mirrored")) properties_["mirrored"] = true;
    return true;
  }

  bool attribute_property() {
    if (word("hidden")) return properties_["hidden"] = true, true;
    if (peek().kind == Token::Kind::text || word("symbol")) return symbol("symbol");
    return unknown("attribute", {"hidden", "symbol"});
  }

  // Reads a symbol, a color, an image or the back of the cards. A color can follow a symbol.
  bool face_property(const std::string& sort) {
    if (sort == "table" && (peek().kind == Token::Kind::text || peek().text == "symbol"))
      return report(peek(), "a table can't have a symbol", "for the backs of cards write `back \"♣\"`"), false;
    if (peek().kind == Token::Kind::text || word("symbol"))
      return symbol("symbol") && (!colour_follows() || colour("colour"));
    if (word("colour") || colour_follows()) return colour("colour");
    if (sort == "card" && word("image")) return image();
    if (sort == "table" && word("back")) {
      if (peek().kind != Token::Kind::text) return colour("back_colour");
      return symbol("back") && (!colour_follows() || colour("back_colour"));
    }
    return unknown(sort, sort == "card"    ? std::vector<std::string>{"symbol", "colour", "image"}
                         : sort == "table" ? std::vector<std::string>{"colour", "back"}
                                           : std::vector<std::string>{"symbol", "colour"});
  }

  bool board_property() {
    if (word("size")) return number("size", 16, 120);
    return unknown("board", {"size"});
  }

  bool symbol(const char* as) {
    constexpr std::size_t kMostBytes = 24;
    const Token text = next();
    if (text.kind != Token::Kind::text || text.text.empty() || text.text.size() > kMostBytes)
      return report(text, "expected a short symbol in quotes, such as an emoji or a letter"), false;
    properties_[as] = text.text;
    return true;
  }

  bool colour_follows() const {
    return peek().kind == Token::Kind::colour ||
           (peek().kind == Token::Kind::word &&
            std::find(kColours.begin(), kColours.end(), peek().text) != kColours.end());
  }
  bool colour(const char* as) {
    const Token token = next();
    const bool digits = token.kind == Token::Kind::colour && (token.text.size() == 4 || token.text.size() == 7) &&
                        std::all_of(token.text.begin() + 1, token.text.end(),
                                    [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
    const bool known =
        token.kind == Token::Kind::word && std::find(kColours.begin(), kColours.end(), token.text) != kColours.end();
    if (!digits && !known)
      return report(token, "unknown colour " + in_backticks(token.text),
                    "write `#2a7` or `#22aa77`, or " + one_of(kColours)),
             false;
    properties_[as] = token.text;
    return true;
  }

  bool image() {
    const Token token = next();
    if (token.kind != Token::Kind::text) return report(token, "expected the file name of an image in quotes"), false;
    if (token.text.find('/') != std::string::npos || token.text.starts_with('.'))
      return report(token, "invalid image path; an image must be in the folder of the theme"), false;
    properties_["image"] = token.text;
    images_.push_back({token.range, token.text});
    return true;
  }

  std::optional<double> value(std::string_view text) const {
    double out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
  }

  bool number(const char* as, int least, int most) {
    const Token token = next();
    const std::optional<double> found = token.kind == Token::Kind::number ? value(token.text) : std::nullopt;
    if (!found || *found < least || *found > most || *found != static_cast<int>(*found))
      return report(token, "expected an integer from " + std::to_string(least) + " to " + std::to_string(most)), false;
    properties_[as] = static_cast<int>(*found);
    return true;
  }

  // Reads a time in milliseconds.
  bool time(const char* as) {
    constexpr double kMost = 10'000;
    const Token token = next();
    std::string text = token.text, unit;
    while (!text.empty() && std::isalpha(static_cast<unsigned char>(text.back())))
      unit.insert(unit.begin(), text.back()), text.pop_back();
    if (unit.empty() && peek().kind == Token::Kind::word) unit = next().text;
    const double found = token.kind == Token::Kind::number ? value(text).value_or(-1) : -1;
    const double factor = unit == "ms" ? 1 : unit == "s" ? 1000 : 0;
    if (found < 0 || factor == 0 || found * factor > kMost)
      return report(token, "expected a time of at most 10 s", "write `400 ms` or `1.5 s`"), false;
    properties_[as] = static_cast<int>(found * factor);
    return true;
  }

  void store(const std::string& sort) {
    look_.images.insert(look_.images.end(), images_.begin(), images_.end());
    if (sort == "pace")
      look_.properties["pace"] = properties_["time"];
    else if (sort == "table")
      look_.properties["table"].update(properties_);
    else if (sort == "linger")
      for (const std::string& thing : parsed_names_) look_.properties["linger"][thing] = properties_["time"];
    else
      for (const std::string& thing : parsed_names_) {
        Json& of = look_.properties[sort + "s"][thing];
        if (of.is_null()) of = Json::object();
        of.update(properties_);
      }
  }

  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  const Names& names_;
  Diagnostics& diagnostics_;
  Look& look_;
  std::vector<std::string> parsed_names_;
  Json properties_ = Json::object();
  std::vector<Image> images_;
};

}   // namespace

void add(SourceId source, const SourceMap& sources, const Names& names, Diagnostics& diagnostics, Look& look) {
  const std::string_view text = sources.text(source);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<Token> tokens = tokens_of(text.substr(begin, end - begin), source, static_cast<std::uint32_t>(begin));
    if (tokens.size() > 1) Line(std::move(tokens), names, diagnostics, look).read();
    begin = end + 1;
  }
}

}   // namespace cardwright::theme
