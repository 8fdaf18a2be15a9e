// What the analysis of one ruleset with one set of options knows: the Model as far as it is made, and what declarations
// are called, by subject. Functions that read the code of a rule take a RuleContext instead, which has this one.
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
using Table = std::map<std::string, std::uint32_t, std::less<>>;   // name -> which of its kind

// A relation, or a const that not every variant has, with all that it stands under.
struct Guard {
  const Node* condition = nullptr;   // of a `with`; or null and
  bool wanted = true;
  std::string_view option, value;   // a value of an option whose rules it stands among
};
struct Guarded {
  const Node* node;
  std::vector<Guard> within;
};

struct ResolvedOptions {
  Choices chosen;
  Choices requested;   // what was asked for by name
  std::vector<Guarded> seatings;   // `teams …`, in all variants
  std::vector<Guarded> relations, guarded_consts;
  std::map<std::string, const Node*, std::less<>> plain_consts;
  std::map<std::string, std::vector<const Node*>, std::less<>> all_consts;
  std::map<std::string, const Node*, std::less<>> implied;   // option -> the `implies` that switched it on
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
  std::vector<std::string> actions;   // that were left out with it
};

struct Collected {
  std::vector<Decl> decls;   // in text order, imports first
  std::set<std::string, std::less<>> absent;
  std::uint32_t position = 0;
  const OnDecl* taking = nullptr;
  std::set<std::string, std::less<>> removed;   // `action draw`: taken out where it is declared
  std::vector<const Node*> removals;
  std::vector<Removal> removed_outright;   // of them, those whatever the options are
  std::vector<const Node*> removed_cards;
  std::set<std::string, std::less<>> removed_scenarios, replaced_scenarios;
  std::vector<std::string> answers;   // of all `chooses one`, as they are written
};

struct RecordInfo {
  const Node* node = nullptr;
  Callable::State state = Callable::State::todo;
  std::vector<const Node*> initial;   // by field; null: nothing is said
  std::vector<std::string_view> units;   // by field: see Part
};

struct DeclaredRecords {
  std::vector<RecordInfo> infos;
  Composed of_players, of_table;
  Composed given;   // values and functions that give one
  std::map<std::uint32_t, Composed> of_enums;   // tables and records among the attributes of an enum
};

struct EnumInfo {   // until the attributes of its constants are known
  Decl decl;
  std::vector<const Node*> fields;
  std::vector<const Node*> written;   // its constants as they are written; of a table null
  std::optional<SourceId> table;
  Csv csv;
  std::vector<std::size_t> rows;   // in which line of the table a constant stands; the first is 0
  std::vector<std::pair<std::size_t, const Node*>> characters;   // each as it is written
};

struct KindInfo {
  const Node* node = nullptr;
  std::map<std::uint32_t, Int> attributes;   // printed for all copies
  bool in_deck = false;
  // an attribute was named that isn't there: which was meant nobody knows
  bool wrong = false;
  bool implicit = false;   // a card type that is its own kind
};

struct TypeInfo {
  const Node* node = nullptr;
  std::vector<model::AttributeId> own;
  std::vector<std::string> order;   // of its attributes as they are declared
  Composed composed;   // those that are records or tables
  std::map<std::uint32_t, const Node*> initial;   // attribute -> default
  std::optional<model::KindId> implicit;
};

struct DeclaredTypes {
  std::map<std::uint32_t, EnumInfo> enums;
  std::vector<KindInfo> kinds;
  std::vector<TypeInfo> cards;   // card types
  std::map<std::size_t, std::string_view> attribute_units;   // whose bounds have a unit: `height: 0..80 h`
};

struct AreaInfo {   // `area front x 3 { … }`: its parts are numbered from 1
  std::string name;
  Int count = 0;   // of all players together
  Int each = 0;   // of players: so many for each
  Range range;
  std::map<std::string, std::uint32_t, std::less<>> zones, variables;
  Composed records = {};
  const Node* piece = nullptr;   // it is a kind of pieces, and so declared
  const Node* die = nullptr;   // its parts are dice …
  bool single = false;   // … of which there is one, or one of each player
  std::string constant = {};   // `t.item`: what the constant is called whose piece it is
};

struct DeclaredAreas {
  std::vector<AreaInfo> all;
  std::map<const Node*, std::uint32_t> of_node;   // of areas and pieces that are well said
  bool counted = false;   // before, only their names are known
  std::optional<std::uint32_t> team;   // the teams are an area of the table, with a part for each
  bool in_team = false;   // what is declared belongs to the teams
  bool in_players_area = false;   // … to an area of players
};

struct DeclaredBoards {
  Table names;
  std::vector<std::pair<const Node*, bool>> shown;   // in `player { … }` or `table { … }`
  std::map<std::uint32_t, const Node*> drawn;   // signs of pieces that are worked out
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

// What belongs to players, the table or the teams, as it is written.
struct Member {
  const Node* node;
  NodeKind of;   // player_state, table_state or team_state
  std::uint32_t unit;
};

struct VariableInfo {
  const Node* node = nullptr;
  Type declared;   // without its indices
  std::string part;   // which field of a record it is
};

struct DeclaredState {
  std::vector<Member> members;
  std::map<std::uint32_t, VariableInfo> variables;
  std::map<std::uint32_t, Range> one_of_a_kind;   // zone -> where it says so
  std::vector<std::pair<std::uint32_t, const Node*>> refills, starts;   // zone, attribute
};

// Functions with rules as parameters are made anew for each way in which they are called.
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
  std::map<std::string, Range> groups_said;   // `as shot` alone: the first of that name
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
  std::set<Int> out;   // seats that are out in the scenario at hand
};

struct Wrong {
  Trap trap;
  Range range;
};

struct Evaluation {
  std::optional<Wrong> went_wrong;   // the first arithmetic of what was evaluated last that would be a trap in a game
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
  Suspicions* pending_warnings = nullptr;   // null: nobody wants to know
  std::unique_ptr<model::Model> owned = std::make_unique<model::Model>();
  model::Model& model = *owned;
  std::size_t errors = 0;
  Int players = 0;
  int depth = 0;   // of nested nodes, so that no tree overflows the stack

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
  std::set<std::string, std::less<>> used;   // names that something reads
  // Per zone the kinds of cards that can ever lie in it. Null in a first look, which accepts a card wherever one of its
  // subtypes is declared and notes in `wants_zone_cards` that a second look must decide.
  const ZoneCards* zone_cards = nullptr;
  bool wants_zone_cards = false;
  std::deque<Body> scratch;   // of expressions that are only computed here
};

inline RuleContext::RuleContext(SemaContext& of) : sema(of), model(of.model) {}

inline bool is_poison(const Expr* e) { return !e || e->type.kind == TypeKind::poison; }

}   // namespace cardwright::sema
