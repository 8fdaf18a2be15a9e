// Resolves the noun of a selection, which can be singular or plural, to a type.
#include "compiler/sema/operations/nouns.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

static std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Returns whether a noun equals a name or its plural, ignoring case: `Bone`, `Bones`, `bones`.
static bool is_word_for(std::string_view noun, std::string_view name) {
  const std::string written_noun = in_lower_case(noun), meant = in_lower_case(name);
  return written_noun == meant || is_plural_of(written_noun, meant) ||
         (meant.ends_with("man") && written_noun == meant.substr(0, meant.size() - 2) + "en");
}

namespace {

struct Noun {
  std::string name;
  Type type;
};

// Returns all nouns that are valid in this game, starting with the built-in ones.
std::vector<Noun> nouns_of(const SemaContext& sema) {
  std::vector<Noun> all{{"card", card_type()},
                        {"player", player_type()},
                        {"number", integer_type(0, kMostInSet)},
                        {"kind", kind_type()},
                        {"thing", plain_type(TypeKind::nothing)}};
  for (const model::Board& board : sema.model.boards) {
    all.push_back({"cell", enum_type(board.cells.index)});
    if (!board.graph)
      for (const char* word : {"dir", "direction"}) all.push_back({word, enum_type(board.dirs.index)});
    if (board.edges.valid()) all.push_back({"edge", enum_type(board.edges.index)});
  }
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a) all.push_back({sema.areas.all[a].name, area_type(sema, a)});
  for (const auto& [name, id] : sema.names.enums) all.push_back({name, enum_type(id)});
  for (const auto& [name, id] : sema.names.card_types) all.push_back({name, card_type(id)});
  for (const auto& [name, id] : sema.names.kinds)
    if (id != ~0u) all.push_back({name, card_of_kind(sema, id)});
  for (const auto& [name, deck] : sema.cards.decks)
    if (!deck.pool) all.push_back({name, card_type()});
  return all;
}

}   // namespace

Type picked_noun(RuleContext& rule, const Node* noun) {
  const std::vector<Noun> all = nouns_of(rule.sema);
  const auto named = [&](const Noun& n) { return n.name == noun->text; };
  const auto meant = [&](const Noun& n) { return is_word_for(noun->text, n.name); };
  auto found = std::find_if(all.begin(), all.end(), named);
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), meant);
  if (found != all.end()) {
    rule.sema.used.insert(found->name);
    return found->type;
  }
  if (silent_if_absent(rule, noun)) return plain_type(TypeKind::poison);
  std::vector<std::string> names;
  for (const Noun& n : all) names.push_back(n.name), names.push_back(plural_of(n.name));
  std::string help = did_you_mean(noun->text, names);
  if (help.empty()) help = "expected `cards`, `players`, `numbers`, or the name of a card type, enum or area";
  error(rule.sema, "unknown_name"_code, noun->range, fmt::format("unknown noun `{}`", noun->text), help);
  return plain_type(TypeKind::poison);
}

}   // namespace cardwright::sema
