// Reads theme files. Names are resolved in the compiled game. Names that exist only with other options are looked up in
// the declarations of the rules and in their card tables.
#include "api/describe/theme.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "compiler/theme/theme.h"
#include "compiler/parse/parse.h"
#include "support/digest.h"
#include "api/game/game_data.h"

namespace cardwright::api {

namespace {

namespace fs = std::filesystem;

// Maximum size in bytes of one image, and of all images.
constexpr std::size_t kMostImage = 200'000, kMostImages = 2'000'000;

std::vector<std::string> names_of(const Program& program, std::string_view sort) {
  std::vector<std::string> out;
  const auto is_cells = [&](const VariableInfo& info) {
    return std::any_of(program.boards.begin(), program.boards.end(),
                       [&](const BoardInfo& board) { return board.enumeration == info.enumeration; });
  };
  if (sort == "zone")
    for (const ZoneInfo& zone : program.zone_infos) out.push_back(zone.name);
  if (sort == "attribute")
    for (const AttributeInfo& attribute : program.attributes)
      if (attribute.printed) out.push_back(attribute.name);
  if (sort == "board")
    for (const BoardInfo& board : program.boards) out.push_back(board.name);
  if (sort == "piece")
    for (const PlacedInfo& placed : program.placed) out.push_back(placed.name);
  if (sort == "variable" || sort == "piece")
    for (const VariableInfo& info : program.variable_infos)
      if (!info.hidden && info.rules_state && (sort == "variable" || is_cells(info))) out.push_back(info.name);
  if (sort == "card") {
    for (const KindInfo& kind : program.kinds) out.push_back(kind.name), out.push_back(kind.label);
    for (const CardInfo& card : program.cards)
      if (card.kind >= 0) out.push_back(card.label);
  }
  if (sort == "constant")
    for (const EnumInfo& e : program.enums) {
      out.insert(out.end(), e.constants.begin(), e.constants.end());
      out.insert(out.end(), e.labels.begin(), e.labels.end());
    }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase(out, "");
  return out;
}

std::string look_beside(fs::path rules) { return rules.replace_extension(".look").string(); }

// Returns true if the rules declare this name in this category, with any options. For a card, the name can be its
// label.
bool declares(const ast::Node& node, std::string_view sort, std::string_view name) {
  using ast::NodeKind;
  const auto is = [&](std::initializer_list<NodeKind> kinds) {
    return node.text == name && std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end();
  };
  if (sort == "zone" && is({NodeKind::zone})) return true;
  if (sort == "board" && is({NodeKind::board})) return true;
  if ((sort == "variable" || sort == "attribute" || sort == "piece") && is({NodeKind::field})) return true;
  if (sort == "piece" && is({NodeKind::piece, NodeKind::die})) return true;
  if (sort == "constant" && is({NodeKind::enum_const})) return true;
  if (sort == "card") {
    if (is({NodeKind::card, NodeKind::card_type, NodeKind::character, NodeKind::character_type})) return true;
    if (node.kind == NodeKind::card || node.kind == NodeKind::card_type || node.kind == NodeKind::character)
      for (const ast::Node* label : node.children)
        if (label && label->kind == NodeKind::string && label->text == name) return true;
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const ast::Node* child) { return child && declares(*child, sort, name); });
}

// Returns true if the text contains the word outside comments.
bool contains_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size(), line = text.rfind('\n', at) + 1;
    if (text.substr(line, at - line).find("//") != std::string_view::npos) continue;
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// Determines the type of an image from its first bytes, not from the file name.
std::optional<std::pair<std::string, std::string>> type_of(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return {{"png", "image/png"}};
  if (bytes.starts_with("\xff\xd8\xff")) return {{"jpg", "image/jpeg"}};
  if (bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.substr(8, 4) == "WEBP") return {{"webp", "image/webp"}};
  return std::nullopt;
}

class Reader {
 public:
  Reader(const detail::RulesetData& rules, const Program& program, Diagnostics& diagnostics)
      : rules_(rules), program_(program), diagnostics_(diagnostics) {}

  Look read() {
    for (const loading::Unit& unit : rules_.parsed().units)
      for (const auto& [path, source] : rules_.files())
        if (source == unit.root->range.source) add(look_beside(path), look_beside(diagnostics_.sources().name(source)));
    if (has_properties_) out_.json = look_.properties.dump();
    return std::move(out_);
  }

 private:
  // Adds the entries of a theme file. `shown` is the path for messages.
  void add(const std::string& path, const std::string& shown) {
    out_.files.push_back(path);
    if (!fs::is_regular_file(path)) return;
    const std::optional<SourceId> source = parse::read_source(path, diagnostics_.sources(), diagnostics_, shown);
    if (!source) return;
    const theme::Names names{[&](std::string_view sort, std::string_view name) { return has(sort, name); },
                             [&](std::string_view sort) { return names_of(program_, sort); }};
    look_.images.clear();
    theme::add(*source, diagnostics_.sources(), names, diagnostics_, look_);
    has_properties_ = true;
    for (const theme::Image& image : look_.images) take(image, fs::path(path).parent_path() / image.name);
  }

  bool has(std::string_view sort, std::string_view name) const {
    const std::vector<std::string> all = names_of(program_, sort);
    if (std::binary_search(all.begin(), all.end(), name)) return true;
    for (const loading::Unit& unit : rules_.parsed().units)
      if (declares(*unit.root, sort, name)) return true;
    if (sort != "card" && sort != "constant") return false;
    for (const auto& [path, source] : rules_.files())
      if (fs::path(path).extension() != ".rules" && contains_word(diagnostics_.sources().text(source), name))
        return true;
    return false;
  }

  void take(const theme::Image& image, const fs::path& path) {
    out_.files.push_back(path.string());
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    const std::string bytes = text.str();
    const auto type = type_of(bytes);
    const auto wrong = [&](std::string message, std::string help = {}) {
      diagnostics_.report("ignored_theme_line"_code, image.range, std::move(message), std::move(help));
      name_instead(image.name, nullptr);
    };
    if (!file) return wrong(fmt::format("image `{}` not found beside the theme file", image.name));
    if (!type)
      return wrong(fmt::format("`{}` has an unsupported image format", image.name),
                   "supported formats: PNG, WebP and JPEG");
    if (bytes.size() > kMostImage || size_ + bytes.size() > kMostImages)
      return wrong(fmt::format("`{}` is too large: {} bytes", image.name, bytes.size()),
                   "the limit is 200 kB per image and 2 MB for all images");
    size_ += bytes.size();
    const std::string id = hex(digest_of(bytes)) + "." + type->first;
    out_.images.push_back({id, path.string(), type->second});
    name_instead(image.name, id);
  }
  void name_instead(const std::string& name, const nlohmann::json& id) {
    if (!look_.properties.contains("cards")) return;
    for (auto& [card, properties] : look_.properties["cards"].items())
      if (properties.value("image", "") == name) {
        if (id.is_null())
          properties.erase("image");
        else
          properties["image"] = id;
      }
  }

  const detail::RulesetData& rules_;
  const Program& program_;
  Diagnostics& diagnostics_;
  theme::Look look_;
  Look out_;
  bool has_properties_ = false;
  std::size_t size_ = 0;
};

}   // namespace

Look detail::read_look(const RulesetData& rules, const Program& program, Diagnostics& diagnostics) {
  return Reader(rules, program, diagnostics).read();
}

Look look_of(const Game& game) {
  const detail::RulesetData& rules = *game.data()->compiled->ruleset;
  const std::lock_guard lock(rules.mutex);
  Diagnostics diagnostics(rules.sources);
  Look out = detail::read_look(rules, game.data()->program(), diagnostics);
  out.report = detail::report_of(diagnostics, rules.sources);
  return out;
}

}   // namespace cardwright::api
