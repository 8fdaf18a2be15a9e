// The state of the analysis of one ruleset with one set of options: the partial Model and symbol tables, grouped by
// subject. Functions that check the code of a rule take a RuleContext instead, which refers to this one.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/analysis/constants.h"
#include "compiler/sema/csv.h"
#include "compiler/sema/rule_context.h"
#include "compiler/sema/sema.h"
#include "compiler/sema/pending_warnings.h"

namespace cardwright::sema {

using Choices = std::map<std::string, std::string, std::less<>>;   // option -> value
using ZoneCards = std::vector<std::vector<Int>>;
using Table = std::map<std::string, std::uint32_t, std::less<>>;   // name -> index among things of its kind

// One condition of a relation between options, or of a const that only some variants have.
struct Guard {
  const Node* condition = nullptr;   // of a `with`; null if `option` and `value` are used
  bool wanted = true;
  std::string_view option, value;   // the declaration is among the rules of this value of an option
};
struct Guarded {
  const Node* node;
  std::vector<Guard> within;
};

struct ResolvedOptions {
  Choices chosen;
  Choices requested;   // options that the user set by name
  std::vector<Guarded> seatings;   // `teams …`, in all variants
  std::vector<Guarded> relations, guarded_consts;
  std::map<std::string, const Node*, std::less<>> plain_consts;
  std::map<std::string, std::vector<const Node*>, std::less<>> all_consts;
  std::map<std::string, const Node*, std::less<>> implied;   // option -> the `implies` that turned it on
  std::vector<std::size_t> refused_by;
};

struct KnownConstants {
  std::map<std::string, const Node*, std::less<>> declared, units;
  std::map<std::string, Fixed, std::less<>> known;
  std::map<std::string, const Expr*, std::less<>> exprs;
  std::set<std::string, std::less<>> deciding;
  std::set<std::string, std::less<>> of_libraries;
  std::map<std::string, Fixed, std::less<>> generator;   // `each r in 1..9` of a deck
};

using OnDecl = std::function<void(const Node*, model::RuleKind)>;
struct Removal {
  const Node* node;
  std::vector<std::string> actions;   // dropped together with it
};

struct Collected {
  std::vector<Decl> decls;   // in text order, imports first
  std::set<std::string, std::less<>> absent;
  std::uint32_t position = 0;
  const OnDecl* taking = nullptr;
  std::set<std::string, std::less<>> removed;   // `action draw`: skipped at its declaration
  std::vector<const Node*> removals;
  std::vector<Removal> removed_outright;   // the removals that do not depend on options
  std::vector<const Node*> removed_cards;
  std::set<std::string, std::less<>> removed_scenarios, replaced_scenarios;
  std::vector<std::string> answers;   // source text of the answers of all `chooses one`
};

struct RecordInfo {
  const Node* node = nullptr;
  Callable::State state = Callable::State::todo;
  std::vector<const Node*> initial;   // by field; null: no initial value
  std::vector<std::string_view> units;   // by field: see Part
};

struct DeclaredRecords {
  std::vector<RecordInfo> infos;
  Composed of_players, of_table;
  Composed given;   // values and functions that return a record
  std::map<std::uint32_t, Composed> of_enums;   // tables and records among the attributes of an enum
};

struct EnumInfo {   // used until the attributes of the constants are known
  Decl decl;
  std::vector<const Node*> fields;
  std::vector<const Node*> written;   // the nodes of its constants; null for constants from a table
  std::optional<SourceId> table;
  Csv csv;
  std::vector<std::size_t> rows;   // row of the table for each constant, from 0
  std::vector<std::pair<std::size_t, const Node*>> characters;   // constant and declaration
};

struct KindInfo {
  const Node* node = nullptr;
  std::map<std::uint32_t, Int> attributes;   // printed for all copies
  bool in_deck = false;
  bool wrong = false;   // the card names an unknown attribute, so missing attributes are not reported
  bool implicit = false;   // a card type that is its own kind
};

struct TypeInfo {
  const Node* node = nullptr;
  std::vector<model::AttributeId> own;
  std::vector<std::string> order;   // names of its attributes in declaration order
  Composed composed;   // attributes that are records or tables
  std::map<std::uint32_t, const Node*> initial;   // attribute -> default
  std::optional<model::KindId> implicit;
};

struct DeclaredTypes {
  std::map<std::uint32_t, EnumInfo> enums;
  std::vector<KindInfo> kinds;
  std::vector<TypeInfo> cards;   // card types
  std::map<std::size_t, std::string_view> attribute_units;   // units of attributes with one: `height: 0..80 h`
};

struct AreaInfo {   // `area front x 3 { … }`: its parts are numbered from 1
  std::string name;
  Int count = 0;   // number of parts, over all players
  Int each = 0;   // number of parts per player, for an area of players
  Range range;
  std::map<std::string, std::uint32_t, std::less<>> zones, variables;
  Composed records = {};
  const Node* piece = nullptr;   // the `piece` declaration, if its parts are pieces
  const Node* die = nullptr;   // the `die` declaration, if its parts are dice
  bool single = false;   // there is one die, or one per player
  std::string constant = {};   // `t.item`: the member that is the constant of a piece
};

struct DeclaredAreas {
  std::vector<AreaInfo> all;
  std::map<const Node*, std::uint32_t> of_node;   // declaration -> area, for valid areas and pieces
  bool counted = false;   // false while only names are known
  std::optional<std::uint32_t> team;   // the teams are an area of the table with one part per team
  bool in_team = false;   // the current declarations belong to the teams
  bool in_players_area = false;   // the current declarations belong to an area of players
};

struct DeclaredBoards {
  Table names;
  std::vector<std::pair<const Node*, bool>> shown;   // in `player { … }` or `table { … }`
  std::map<std::uint32_t, const Node*> drawn;   // signs of pieces that are computed
};

struct Copy {
  model::KindId kind;
  std::map<std::uint32_t, Int> attributes;
  Range range;
};

struct DeckInfo {
  const Node* node = nullptr;   // the last declaration
  std::vector<const Node*> nodes;
  std::uint32_t unit = 0;
  std::vector<std::pair<std::uint32_t, std::vector<Copy>>> copies;   // by kind, in order of first mention
  bool used = false, built = false, building = false;
  std::optional<model::PoolId> pool;
};

struct DeclaredCards {
  std::map<std::string, DeckInfo, std::less<>> decks;
  std::vector<std::string> deck_order;
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Expr*> defaults;
  std::set<std::uint32_t> computing;
  const Copy* copy = nullptr;   // the card whose attributes are being computed
  bool dropped = false;
  bool built = false, building = false;
};

// A declaration that belongs to players, the table or the teams.
struct Member {
  const Node* node;
  NodeKind of;   // player_state, table_state or team_state
  std::uint32_t unit;
};

struct VariableInfo {
  const Node* node = nullptr;
  Type declared;   // without its keys
  std::string part;   // the field of a record that this variable stores
};

struct DeclaredState {
  std::vector<Member> members;
  std::map<std::uint32_t, VariableInfo> variables;
  std::map<std::uint32_t, Range> one_of_a_kind;   // zone -> range of its `one of a kind`
  std::vector<std::pair<std::uint32_t, const Node*>> refills, starts;   // zone, attribute
};

// An instance of a function with rules as parameters. There is one instance per distinct list of passed rules.
struct MadeFor {
  std::vector<Passed> passed;
  std::uint32_t function;
};

struct DeclaredRules {
  std::vector<Decl> modifiers, triggers, whenevers, alsos, forbids, measures, setups, plays, endings;
  std::vector<std::vector<Decl>> value_modifiers;
  std::vector<std::uint8_t> modifiers_built;
  std::vector<Callable> values, events, windows;
  std::deque<Callable> functions;   // grows while bodies are read
  std::map<std::uint32_t, RuleContext> window_contexts, event_contexts;
  std::map<std::string, Decl, std::less<>> with_rules;   // functions that take rules
  std::map<std::string, std::vector<MadeFor>, std::less<>> made_for;
  std::map<std::uint32_t, std::vector<Decl>> type_plays, kind_plays;
  std::map<std::string, Range> groups_said;   // the first occurrence of each group: `as shot`
  std::optional<std::uint32_t> borrowed_from;
};

struct ActionSource {
  Decl decl;
  const Node* plays_to = nullptr;
  const Node* when_target = nullptr;
};

struct DeclaredActions {
  std::vector<Decl> declared;
  std::vector<ActionSource> sources;
  std::deque<std::string> kept_names;
  std::set<std::uint32_t> dropped;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> events;
  std::map<std::uint32_t, std::uint32_t> wrapped;   // action -> the event that its triggers watch
};

struct DeclaredFlow {
  std::map<const Node*, std::uint32_t> events, windows;
  bool has_turns = false;
  bool has_together = false;   // some rule contains `together { … }`
};

struct DeclaredScenarios {
  std::map<std::string, const Node*, std::less<>> scenes;
  std::set<Int> out;   // seats that are out in the current scenario
};

struct Wrong {
  Trap trap;
  Range range;
};

struct Evaluation {
  std::optional<Wrong> went_wrong;   // the first operation of the last evaluation that would be a trap in a game
  std::int64_t steps = 0;
};

struct Names {
  Table enums, records, card_types, kinds, player_variables, table_variables, player_zones, table_zones, values,
      functions, windows, groups, player_timers, table_timers;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> events, actions, phases;
  std::map<std::string, std::vector<std::pair<std::uint32_t, Int>>, std::less<>> constants;
};

struct SemaContext {
  SemaContext(const Ruleset& of, const Configuration& with, Diagnostics& told)
      : ruleset(of), configuration(with), diagnostics(told) {}
  SemaContext(const SemaContext&) = delete;

  const Ruleset& ruleset;
  const Configuration& configuration;
  Diagnostics& diagnostics;
  Suspicions* pending_warnings = nullptr;   // null: warnings are off
  std::unique_ptr<model::Model> owned = std::make_unique<model::Model>();
  model::Model& model = *owned;
  std::size_t errors = 0;
  Int players = 0;
  int depth = 0;   // nesting depth of nodes; limited so that no tree overflows the stack

  ResolvedOptions options;
  KnownConstants constants;
  Collected collected;
  DeclaredRecords records;
  DeclaredTypes types;
  DeclaredAreas areas;
  DeclaredBoards boards;
  DeclaredCards cards;
  DeclaredState state;
  DeclaredRules rules;
  DeclaredActions actions;
  DeclaredFlow flow;
  DeclaredScenarios scenarios;
  Evaluation evaluation;
  Names names;
  std::set<std::string, std::less<>> used;   // names that are read
  // For each zone the kinds of cards that it can ever contain. Null in the first pass, which accepts a card wherever
  // one of its subtypes is declared and sets `wants_zone_cards` if a second pass must decide.
  const ZoneCards* zone_cards = nullptr;
  bool wants_zone_cards = false;
  std::deque<Body> scratch;   // bodies of expressions that only the compiler evaluates
};

inline RuleContext::RuleContext(SemaContext& of) : sema(of), model(of.model) {}

inline bool is_poison(const Expr* e) { return !e || e->type.kind == TypeKind::poison; }

}   // namespace cardwright::sema
