// Defines the state of the analysis of one ruleset with one set of options: the partial Model, and symbol tables
// grouped by subject. Functions that check the code of a rule take a RuleContext instead, which refers to this state.
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
#include "compiler/loading/csv.h"
#include "compiler/sema/context/builders.h"
#include "compiler/sema/context/configuration.h"
#include "compiler/sema/context/pending_warnings.h"
#include "compiler/sema/context/rule_context.h"

namespace cardwright::sema {

using Choices = std::map<std::string, std::string, std::less<>>;   // option -> value
using ZoneCards = std::vector<std::vector<Int>>;
using Table = std::map<std::string, std::uint32_t, std::less<>>;   // name -> index among entities of the same kind

// A condition under which a relation between options, or a const, exists. It is either the condition of a `with` or the
// value of an option.
struct Guard {
  const Node* condition = nullptr;   // the condition of a `with`; null if `option` and `value` are used
  bool wanted = true;
  std::string_view option, value;   // if set, the declaration exists only while this option has this value
};
struct Guarded {
  const Node* node;
  std::vector<Guard> within;
};

struct ResolvedOptions {
  Choices chosen;
  Choices requested;   // options that the user set by name
  std::vector<Guarded> seatings;   // `teams …` declarations for all configurations
  std::vector<Guarded> relations, guarded_consts;
  std::map<std::string, const Node*, std::less<>> plain_consts;
  std::map<std::string, std::vector<const Node*>, std::less<>> all_consts;
  std::map<std::string, const Node*, std::less<>> implied;   // by option: the `implies` that enabled it
  std::vector<std::size_t> refused_by;
};

struct KnownConstants {
  std::map<std::string, const Node*, std::less<>> declared, units;
  std::map<std::string, TreeConstant, std::less<>> known;
  std::map<std::string, const Expr*, std::less<>> exprs;
  std::set<std::string, std::less<>> deciding;
  std::set<std::string, std::less<>> of_libraries;
  std::map<std::string, TreeConstant, std::less<>> generator;   // loop variables of a deck, as in `each r in 1..9`
};

using OnDecl = std::function<void(const Node*, model::RuleKind)>;
struct Removal {
  const Node* node;
  std::vector<std::string> actions;   // names of actions that are dropped together with the node
};

struct Collected {
  std::vector<Decl> decls;   // in source order, imports first
  std::set<std::string, std::less<>> absent;
  std::uint32_t position = 0;
  const OnDecl* taking = nullptr;
  // Keys such as `action draw` of removed declarations. They are skipped when their owner is declared.
  std::set<std::string, std::less<>> removed;
  std::vector<const Node*> removals;
  std::vector<Removal> removed_outright;   // the removals that apply with any options
  std::vector<const Node*> removed_cards;
  std::set<std::string, std::less<>> removed_scenarios, replaced_scenarios;
  std::vector<std::string> answers;   // labels of all options of `chooses one` and of replacements
};

struct RecordInfo {
  const Node* node = nullptr;
  Callable::State state = Callable::State::todo;
  std::vector<const Node*> initial;   // initial value of each field; null if it has none
  std::vector<std::string_view> units;   // unit of each field, as in Part::unit
};

struct DeclaredRecords {
  std::vector<RecordInfo> infos;
  Composed of_players, of_table;
  Composed given;   // values and functions that return a record
  std::map<std::uint32_t, Composed> of_enums;   // by enum: attributes that are tables or records
};

struct EnumInfo {   // used only until the attributes of the constants are known
  Decl decl;
  std::vector<const Node*> fields;
  std::vector<const Node*> written;   // nodes of the constants; null if a table defines them
  std::optional<SourceId> table;
  loading::Csv csv;
  std::vector<std::size_t> rows;   // for each constant: its row in the table, starting at 0
  // Pairs of a constant's index and the declaration of its character.
  std::vector<std::pair<std::size_t, const Node*>> characters;
};

struct KindInfo {
  const Node* node = nullptr;
  std::map<std::uint32_t, Int> attributes;   // attributes printed on all copies of the card
  bool in_deck = false;
  bool wrong = false;   // the card has an unknown attribute; its missing attributes are not reported
  bool implicit = false;   // a card type that is itself a kind, because it has no cards or a deck lists it
};

struct TypeInfo {
  const Node* node = nullptr;
  std::vector<model::AttributeId> own;
  std::vector<std::string> order;   // names of its attributes in declaration order
  Composed composed;   // attributes that are records or tables
  std::map<std::uint32_t, const Node*> initial;   // maps an attribute to its default
  std::optional<model::KindId> implicit;
};

struct DeclaredTypes {
  std::map<std::uint32_t, EnumInfo> enums;
  std::vector<KindInfo> kinds;
  std::vector<TypeInfo> cards;   // card types
  std::map<std::size_t, std::string_view> attribute_units;   // unit of attributes, as in `height: 0..80 h`
};

struct AreaInfo {   // an area, such as `area front x 3 { … }`; its parts are numbered from 1
  std::string name;
  Int count = 0;   // total number of parts, over all players
  Int each = 0;   // number of parts per player; 0 for an area of the table
  Range range;
  std::map<std::string, std::uint32_t, std::less<>> zones, variables;
  Composed records = {};
  const Node* piece = nullptr;   // the `piece` declaration, if its parts are pieces
  const Node* die = nullptr;   // the `die` declaration, if its parts are dice
  bool single = false;   // there is only one die, or only one per player
  std::string constant = {};   // the member that returns the constant of a piece: `item` in `t.item`
};

struct DeclaredAreas {
  std::vector<AreaInfo> all;
  // Maps a declaration to the index of its area. Contains only valid areas and pieces.
  std::map<const Node*, std::uint32_t> of_node;
  bool counted = false;   // false until the numbers of parts are known
  std::optional<std::uint32_t> team;   // the area that represents the teams, with one part for each team
  bool in_team = false;   // the current declarations belong to the teams
  bool in_players_area = false;   // the current declarations belong to an area of players
};

struct DeclaredBoards {
  Table names;
  // The `shows` declarations. The flag is true in `player { … }` and false in `table { … }`.
  std::vector<std::pair<const Node*, bool>> shown;
  std::map<std::uint32_t, const Node*> drawn;   // computed symbols of pieces, by area
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
  // Copies by kind. The kinds are in the order in which the deck first lists them.
  std::vector<std::pair<std::uint32_t, std::vector<Copy>>> copies;
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

// A declaration in `player { … }`, `table { … }` or `team { … }`.
struct Member {
  const Node* node;
  NodeKind of;   // player_state, table_state or team_state
  std::uint32_t unit;
};

struct VariableInfo {
  const Node* node = nullptr;
  Type declared;   // without the keys of a table
  std::string part;   // for a variable that stores one field of a record: the name of the field
};

struct DeclaredState {
  std::vector<Member> members;
  std::map<std::uint32_t, VariableInfo> variables;
  std::map<std::uint32_t, Range> one_of_a_kind;   // by zone: the range of its `one of a kind`
  // Pairs of a zone's index and the node of the attribute.
  std::vector<std::pair<std::uint32_t, const Node*>> refills, starts;
};

// An instance of a function that has rules as parameters. Each distinct list of passed rules has its own instance.
struct FunctionInstance {
  std::vector<Passed> passed;
  std::uint32_t function;
};

struct DeclaredRules {
  std::vector<Decl> modifiers, triggers, whenevers, alsos, forbids, measures, setups, plays, endings;
  std::vector<std::vector<Decl>> value_modifiers;
  std::vector<std::uint8_t> modifiers_built;
  std::vector<Callable> values, events, windows;
  std::deque<Callable> functions;   // a deque, because instances may be added while bodies are being built
  std::map<std::uint32_t, RuleContext> window_contexts, event_contexts;
  std::map<std::string, Decl, std::less<>> with_rules;   // functions that have rules as parameters
  std::map<std::string, std::vector<FunctionInstance>, std::less<>> made_for;
  std::map<std::uint32_t, std::vector<Decl>> type_plays, kind_plays;
  std::map<std::string, Range> used_groups;   // by group: the range that first names it, as in `as shot`
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
  std::deque<std::string> owned_names;
  std::set<std::uint32_t> dropped;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> events;
  std::map<std::uint32_t, std::uint32_t> wrapped;   // maps a watched action to its event
};

struct DeclaredFlow {
  std::map<const Node*, std::uint32_t> events, windows;
  bool has_turns = false;
  bool has_together = false;   // at least one rule contains `together { … }`
};

struct DeclaredScenarios {
  std::map<std::string, const Node*, std::less<>> scenes;
  std::set<Int> out;   // seats that are out of the game in the scenario being built
};

struct Wrong {
  Trap trap;
  Range range;
};

struct Evaluation {
  std::optional<Wrong> trapped;   // the first operation of the last evaluation that would trap in a game
  std::int64_t steps = 0;
};

struct Names {
  Table enums, records, card_types, kinds, player_variables, table_variables, player_zones, table_zones, values,
      functions, windows, groups, player_timers, table_timers;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> events, actions, phases;
  std::map<std::string, std::vector<std::pair<std::uint32_t, Int>>, std::less<>> constants;
};

struct SemaContext {
  SemaContext(const Ruleset& of, const Configuration& with, Diagnostics& to, const Builders& with_builders = {})
      : ruleset(of), configuration(with), diagnostics(to), builders(with_builders) {}
  SemaContext(const SemaContext&) = delete;

  const Ruleset& ruleset;
  const Configuration& configuration;
  Diagnostics& diagnostics;
  const Builders builders;   // null while only the options are resolved
  PendingWarnings* pending_warnings = nullptr;   // null if warnings are off
  std::unique_ptr<model::Model> owned = std::make_unique<model::Model>();
  model::Model& model = *owned;
  std::size_t errors = 0;
  Int players = 0;
  int depth = 0;   // nesting depth of the current node; limited so that no tree overflows the stack

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
  std::set<std::string, std::less<>> used;   // names that are read somewhere
  // By zone: the kinds of cards that it can ever contain. Null in the first pass. That pass accepts a card of a base
  // type where a derived type is declared, and sets `wants_zone_cards` if the decision needs a second pass.
  const ZoneCards* zone_cards = nullptr;
  bool wants_zone_cards = false;
  ast::Arena derived;   // nodes that the parser did not create: a list of records becomes one list per field
  std::deque<Body> scratch;   // bodies for expressions that only the compiler evaluates
};

inline RuleContext::RuleContext(SemaContext& of) : sema(of), model(of.model) {}

inline bool is_poison(const Expr* e) { return !e || e->type.kind == TypeKind::poison; }

}   // namespace cardwright::sema
