// Checks that each declaration appears in a context in which it can have an effect. Also checks declarations that the
// chosen options exclude.
// Input:  the syntax trees of all files.
// Output: diagnostics.
#include "compiler/sema/checks/allowed_contexts.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/options/collect.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {
namespace {

enum Place : unsigned {
  game = 1,
  library = 2,
  player = 4,
  table = 8,
  team = 16,
  area = 32,
  record = 64,
  card = 128,
  character = 256,
  character_type = 512,
  while_in = 1024,
  piece = 2048,
  board = 4096,
  die = 8192,
  policy = 16384,
};
constexpr unsigned file = game | library;
constexpr unsigned rules = file | card | character | while_in;

std::string_view name_of(Place place) {
  switch (place) {
    case game: return "at the top of a file";
    case library: return "in a library";
    case player: return "in `player { … }`";
    case table: return "in `table { … }`";
    case team: return "in `team { … }`";
    case area: return "in an area";
    case record: return "in a record";
    case card: return "in a card";
    case character: return "in a character";
    case character_type: return "in a character type";
    case while_in: return "in `while in`";
    case piece: return "in a piece";
    case board: return "in a board";
    case die: return "in a die";
    case policy: return "in a policy";
  }
  return "";
}

struct Row {
  NodeKind kind;
  std::string_view word;   // the keyword as shown in messages
  unsigned places;
  std::string_view belongs;   // help text: the contexts in which the declaration is allowed
};
constexpr std::string_view kTop = "move it to the top of the file";
constexpr Row kRows[] = {
    {NodeKind::players_decl, "players", game, "declare the number of players at the top of the game's file"},
    {NodeKind::use_decl, "use", file, kTop},
    {NodeKind::unit_decl, "unit", file, kTop},
    {NodeKind::const_decl, "const", file, kTop},
    {NodeKind::option_decl, "option", file, kTop},
    {NodeKind::variant_decl, "variant", file, kTop},
    {NodeKind::implies_decl, "implies", file, kTop},
    {NodeKind::conflict_decl, "conflict", file, kTop},
    {NodeKind::require_decl, "require", file, kTop},
    {NodeKind::void_decl, "is void", file, kTop},
    {NodeKind::warn_decl, "warn", file, kTop},
    {NodeKind::enum_decl, "enum", file, kTop},
    {NodeKind::record_decl, "record", file, kTop},
    {NodeKind::card_type, "card type", file, kTop},
    {NodeKind::card, "card", file, kTop},
    {NodeKind::character_type, "character type", file, kTop},
    {NodeKind::character, "character", file, kTop},
    {NodeKind::deck, "deck", file, kTop},
    {NodeKind::board, "board", file, "declare it at the top of the file"},
    {NodeKind::teams_decl, "teams", file, kTop},
    {NodeKind::player_state, "player", file, kTop},
    {NodeKind::table_state, "table", file, kTop},
    {NodeKind::team_state, "team", file, kTop},
    {NodeKind::setup_decl, "setup", file, kTop},
    {NodeKind::play_flow, "play", file, kTop},
    {NodeKind::end_when, "end when", file, kTop},
    {NodeKind::scene, "scene", file, kTop},
    {NodeKind::scenario, "scenario", file, kTop},
    {NodeKind::field, "variable",
     file | player | table | team | area | piece | die | record | card | character | character_type,
     "move it into `player { … }`, `table { … }`, `team { … }` or an area"},
    {NodeKind::zone, "zone", file | player | table | team | area | piece,
     "move it into `player { … }`, `table { … }`, `team { … }` or an area"},
    {NodeKind::area, "area", file | player | table, "move it into `table { … }` or `player { … }`"},
    {NodeKind::piece, "piece", file | player | table,
     "declare a piece at the top of the file, or in `player { … }` if each player has some"},
    {NodeKind::die, "die", file | player | table, "move it into `table { … }` or `player { … }`"},
    {NodeKind::faces_decl, "faces", die, "move it into a die"},
    {NodeKind::covers, "covers", piece | card, "move it into a piece, a card or a card type"},
    {NodeKind::facing_decl, "facing", piece | card, "move it into a piece, a card or a card type"},
    {NodeKind::shows_decl, "shows", piece | card | board | player | table,
     "move it into a board, a piece, a card or a card type, or into `player { … }` or `table { … }`"},
    {NodeKind::timer_decl, "timer", player | table, "move it into `player { … }` or `table { … }`"},
    {NodeKind::value_decl, "value", rules, "declare it at the top of the file"},
    {NodeKind::function_decl, "function", rules, "declare it at the top of the file"},
    {NodeKind::sequence_decl, "sequence", rules, "declare it at the top of the file"},
    {NodeKind::event_decl, "event", rules, "declare it at the top of the file"},
    {NodeKind::window_decl, "window", rules, "declare it at the top of the file"},
    {NodeKind::action_decl, "action", rules | character_type,
     "move it to the top of the file, into a character or into `while in`"},
    {NodeKind::modify_decl, "modify", rules | character_type,
     "move it to the top of the file, into a character or into `while in`"},
    {NodeKind::forbid_decl, "forbid", rules | character_type,
     "move it to the top of the file, into a character or into `while in`"},
    {NodeKind::policy_decl, "policy", file, kTop},
    {NodeKind::policy_rule, "avoid` or `weight", policy, "move it into a `policy NAME { … }`"},
    {NodeKind::trigger_decl, "trigger", rules | character_type,
     "move it to the top of the file, into a character or into `while in`"},
    {NodeKind::whenever_decl, "whenever", rules | character_type,
     "move it to the top of the file, into a character or into `while in`"},
    {NodeKind::measure_decl, "measure", file, kTop},
    {NodeKind::also_decl, "is also", rules | character_type, "move it into a character or into `while in`"},
    {NodeKind::play_decl, "play in", card, "move it directly into a card or card type"},
    {NodeKind::plays_to, "plays to", card, "move it directly into a card or card type"},
    {NodeKind::while_decl, "while in", card, "move it directly into a card or card type"},
    {NodeKind::in_force_decl, "in force while", card, "move it directly into a card or card type"},
    {NodeKind::text_decl, "text", card | character, "move it directly into a card, card type or character"},
    {NodeKind::has_decl, "has", character | character_type, "write `has CARD` only in a character"},
};

const Row* row_of(NodeKind kind) {
  const auto found = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.kind == kind; });
  return found == std::end(kRows) ? nullptr : found;
}

// Returns whether `replace` can refer to the declaration by name. Rules have no names.
bool has_a_name(const Node* d) {
  switch (d->kind) {
    case NodeKind::trigger_decl:
    case NodeKind::modify_decl:
    case NodeKind::forbid_decl:
    case NodeKind::policy_rule:
    case NodeKind::also_decl:
    case NodeKind::whenever_decl:
    case NodeKind::with_decl:
    case NodeKind::use_decl:
    case NodeKind::player_state:
    case NodeKind::table_state:
    case NodeKind::team_state:
    case NodeKind::implies_decl:
    case NodeKind::conflict_decl:
    case NodeKind::require_decl:
    case NodeKind::void_decl:
    case NodeKind::warn_decl:
    case NodeKind::replace_decl:
    case NodeKind::remove_decl:
    case NodeKind::players_decl: return false;
    case NodeKind::end_when: return !d->text.empty();
    default: return true;
  }
}

class ContextChecker {
 public:
  using Report = std::function<void(const Node* at, std::string message, std::string_view help)>;
  explicit ContextChecker(Report say) : report_(std::move(say)) {}
  void all(const Node* list, Place place, bool guarded);

 private:
  void check_duplicates(const Node* list, NodeKind kind);
  void one(const Node* d, Place place, bool guarded);
  void inside(const Node* d, Place place, bool guarded);
  void replaced(const Node* d, Place place, bool guarded);
  void removed(const Node* n, Place place);
  Report report_;
};

// Reports duplicates of a declaration if only one of them would take effect.
void ContextChecker::check_duplicates(const Node* list, NodeKind kind) {
  const Node* first = nullptr;
  for (const Node* n : list->children)
    if (n && n->kind == kind && std::exchange(first, n))
      report_(n, fmt::format("duplicate `{}`", row_of(kind)->word), "remove one of them, or move one into a `with`");
}

void ContextChecker::all(const Node* list, Place place, bool guarded) {
  if (!list) return;
  if (place & (card | character | piece | board))
    for (const NodeKind kind : {NodeKind::text_decl, NodeKind::plays_to, NodeKind::in_force_decl, NodeKind::covers,
                                NodeKind::facing_decl, NodeKind::shows_decl})
      // A board can have one `shows` for cells and one for edges.
      if (kind != NodeKind::shows_decl || !(place & board)) check_duplicates(list, kind);
  for (const Node* n : list->children) {
    if (!n) continue;
    switch (n->kind) {
      case NodeKind::game:
      case NodeKind::library: break;
      case NodeKind::with_decl:
        all(view::with_decl(n).then(), place, true);
        all(view::with_decl(n).otherwise(), place, true);
        break;
      case NodeKind::list: all(n, place, guarded); break;
      case NodeKind::replace_decl:
        if (view::replace_decl(n).declaration()) replaced(view::replace_decl(n).declaration(), place, guarded);
        break;
      case NodeKind::remove_decl: removed(n, place); break;
      default: one(n, place, guarded);
    }
  }
}

void ContextChecker::one(const Node* d, Place place, bool guarded) {
  const Row* row = row_of(d->kind);
  if (!row) return;
  if (!(row->places & place))
    return report_(d, fmt::format("`{}` is not allowed {}", row->word, name_of(place)), row->belongs);
  if (d->kind == NodeKind::players_decl && guarded)
    return report_(
        d, "`players` can't depend on options or on the number of players",
        "move it out of the `with`; to restrict an option, write `require size(players) <= 3 with OPTION \"why\"`");
  const bool attribute = (place & (card | character | character_type | record)) != 0;
  if (d->kind == NodeKind::field && d->number == 5 && place != card)
    return report_(d, fmt::format("`unprinted` is not allowed {}", name_of(place)),
                   "only attributes of a card type can be `unprinted`");
  if (d->kind == NodeKind::field && d->number > 0 && d->number < 5 && attribute)
    return report_(d, fmt::format("a variable of turns, rounds or phases is not allowed {}", name_of(place)),
                   row->belongs);
  inside(d, place, guarded);
}

void ContextChecker::inside(const Node* d, Place place, bool guarded) {
  switch (d->kind) {
    case NodeKind::option_decl:
      for (const Node* v :
           view::option_decl(d).values() ? view::option_decl(d).values()->children : std::span<Node* const>{})
        if (v && v->kind == NodeKind::option_value) all(view::option_value(v).declarations(), place, true);
      break;
    case NodeKind::player_state: all(view::player_state(d).members(), player, guarded); break;
    case NodeKind::table_state: all(view::table_state(d).members(), table, guarded); break;
    case NodeKind::team_state: all(view::team_state(d).members(), team, guarded); break;
    case NodeKind::area: all(view::area(d).zones(), area, guarded); break;
    case NodeKind::piece: all(view::piece(d).members(), piece, guarded); break;
    case NodeKind::die: all(view::die(d).members(), die, guarded); break;
    case NodeKind::board: all(view::board(d).members(), board, guarded); break;
    case NodeKind::policy_decl: all(view::policy_decl(d).rules(), policy, guarded); break;
    case NodeKind::record_decl: all(view::record_decl(d).fields(), record, guarded); break;
    case NodeKind::card_type: all(view::card_type(d).members(), card, guarded); break;
    case NodeKind::card: all(view::card(d).members(), card, guarded); break;
    case NodeKind::character_type: all(view::character_type(d).members(), character_type, guarded); break;
    case NodeKind::character: all(view::character(d).members(), character, guarded); break;
    case NodeKind::while_decl: all(view::while_decl(d).members(), while_in, guarded); break;
    default: break;
  }
}

void ContextChecker::replaced(const Node* d, Place place, bool guarded) {
  if (place & (record | card | character | character_type | while_in | area | piece | die | board | policy))
    return report_(d, fmt::format("`replace` is not allowed {}", name_of(place)),
                   "replace the entire declaration: `replace card Miss { … }`");
  if (d->kind == NodeKind::players_decl)
    return report_(d, "`players` can't be replaced", "write it again without `replace`: `players 2..4`");
  if (!has_a_name(d))
    return report_(d, "a declaration without a name can't be replaced",
                   d->kind == NodeKind::end_when ? "give the other ending a name: `ending NAME when C { … }`"
                                                 : "replace the declaration that contains it, or one that it calls: a "
                                                   "card, a character, an event, a value …");
  one(d, place, guarded);
}

void ContextChecker::removed(const Node* n, Place place) {
  const view::remove_decl its(n);
  if (place & file) return;
  const std::string_view word = its.what() ? its.what()->text : "";
  if ((place & (player | table | team)) && is_word_of_state(word)) return;
  report_(n, fmt::format("`remove` of this declaration is not allowed {}", name_of(place)),
          place & (player | table | team) ? "only a `zone`, `field`, `area`, `piece`, `die` or `timer` can be removed "
                                            "here; move other removals to the top of the file"
                                          : "move it to the top of the file");
}

}   // namespace

void check_contexts(SemaContext& sema) {
  const auto say = [&](const Node* at, std::string message, std::string_view help) {
    error(sema, "misplaced"_code, first_word(sema, at), std::move(message), std::string(help));
  };
  for (const Unit& unit : sema.ruleset.units) ContextChecker(say).all(unit.root, unit.library ? library : game, false);
}

}   // namespace cardwright::sema
