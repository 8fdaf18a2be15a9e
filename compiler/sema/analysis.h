// The state of one analysis, shared by the files of this folder: each file writes the members of one subject.
//   collect.cpp     which declarations hold with these options (`with`, `replace`, `remove`)
//   places.cpp      where declarations may stand
//   fixed.cpp       what is known before the game: consts, options, player count
//   components.cpp  enums, card types, cards, characters     decks.cpp   which copies there are
//   records.cpp     records, taken apart                      record_lists.cpp   lists of them
//   boards.cpp      boards, cells and directions           pieces.cpp   what lies on them
//   graphs.cpp      boards that are points and lines
//   board_cards.cpp cards that lie on a board
//   state.cpp       variables, zones, types                   names.cpp   names and what is visible where
//   expressions.cpp, sets.cpp, calls.cpp   expressions        statements.cpp, choices.cpp   statements
//   rules.cpp       values, events, windows, triggers, modifiers   actions.cpp   actions and plays
//   passing.cpp     rules as parameters
//   timing.cpp      durations, windows at once and in real time, timers
//   supposing.cpp   what would be so
//   flow.cpp        setup, turns, phases, endings             scenarios.cpp   scenes and scenarios
//   evaluate.cpp    the value of a checked expression         warnings.cpp    what compiles but is probably a mistake
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "compiler/analysis/constants.h"
#include "compiler/ast/views.h"
#include "compiler/model/views.h"
#include "compiler/sema/csv.h"
#include "compiler/sema/sema.h"

namespace cardwright::sema {

namespace view = ast::view;
using ast::Node;
using ast::NodeKind;
using model::Block;
using model::Body;
using model::Carrier;
using model::CarrierKind;
using model::Expr;
using model::ExprKind;
using model::kMostInSet;
using model::kNone;
using model::kUnlimited;
using model::LocalId;
using model::Stmt;
using model::StmtKind;
using model::Type;
using model::TypeKind;

using Int = std::int64_t;
using Choices = std::map<std::string, std::string, std::less<>>;   // option -> value

inline Type plain_type(TypeKind kind) {
  Type t;
  t.kind = kind;
  return t;
}
inline Type with_ref(TypeKind kind, std::uint32_t ref, bool optional = false) {
  Type t = plain_type(kind);
  t.ref = ref;
  t.optional = optional;
  return t;
}
inline Type integer_type(Int lo = -kUnlimited, Int hi = kUnlimited) {
  Type t = plain_type(TypeKind::integer);
  t.lo = lo;
  t.hi = hi;
  return t;
}
inline Type duration_type(Int lo = 0, Int hi = model::kLongest) {
  Type t = integer_type(lo, hi);
  t.ref = model::kDurationRef;
  return t;
}
inline bool is_duration(const Type& t) { return t.kind == TypeKind::integer && t.ref == model::kDurationRef; }
inline Type boolean_type() { return plain_type(TypeKind::boolean); }
inline Type player_type(bool optional = false) { return with_ref(TypeKind::player, ~0u, optional); }
inline Type card_type(std::uint32_t ref = ~std::uint32_t{0}, bool optional = false) {
  return with_ref(TypeKind::card, ref, optional);
}
inline Type enum_type(std::uint32_t ref) { return with_ref(TypeKind::enumeration, ref); }
inline Type kind_type() { return plain_type(TypeKind::kind); }
inline Type set_type(Type of) {
  Type t = plain_type(TypeKind::set);
  t.elem = std::make_shared<const Type>(std::move(of));
  return t;
}
inline Type list_type(Type of, Int most) {
  Type t = plain_type(TypeKind::list);
  t.elem = std::make_shared<const Type>(std::move(of));
  t.most = most;
  return t;
}
inline Type without_none(Type t) { t.optional = false; return t; }
inline Type with_none(Type t) { t.optional = true; return t; }

// What a constant of the rules comes to.
struct Fixed {
  enum class Kind : std::uint8_t { integer, boolean, symbol, enumeration, none, set } kind = Kind::integer;
  Int value = 0;
  std::uint32_t ref = 0;             // enumeration
  std::string symbol = {};           // a value of an option, or a name not yet known
  std::vector<Int> values = {};      // set
  std::optional<Type> type = {};     // of a set or a card
};

// A declaration that holds in this variant.
struct Decl {
  const Node* node = nullptr;
  std::uint32_t unit = 0;
  model::Precedence precedence;
  bool replaces = false;             // put here by a `replace`
  Carrier carrier = {};              // of rules inside a card or a character
  const Node* owner = nullptr;       // that card, card type or character
  bool borrowed = false;             // by `has`: no `this`
  const Node* force = nullptr;       // `in force while C`, of a card's rules
  std::optional<std::uint32_t> borrowed_from = {};   // the card that a character has
};

struct Binding {
  std::string_view name;
  LocalId local;
  const Expr* value = nullptr;       // instead of a local
};
struct Held {                        // a local of one body that another one takes over
  std::string_view name;
  LocalId outer, inner;
};
struct Element {                     // what bare attributes belong to
  const Expr* value;
  bool is_it = true;
};

// What an expression comes to that is known before the game.
struct Computed {
  Int value = 0;
  std::vector<Int> values;           // of a set
  std::vector<Computed> items;       // of a list
};

// `let s = open W(…)`: the window, and the locals that hold its variables.
struct Opened {
  std::uint32_t window = 0;
  std::vector<std::pair<std::string, LocalId>> variables = {};
};

// What is handed over as a rule: a value or function, of whose parameters some are given and the others come at each
// call.
struct Passed {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<const Expr*> given;    // by parameter; null: comes at the call
  bool same_as(const Passed& other) const;
};
// … and inside the function to which it was handed over, where what was given is a parameter of that function.
struct PassedIn {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<std::optional<LocalId>> given;
  std::vector<Type> takes;           // as it is declared: `rule(cell, dir) -> int`
  Type gives;
};
using Rules = std::map<std::string, PassedIn, std::less<>>;

// The rule whose code is being written.
struct Rule {
  Body* body = nullptr;
  std::vector<Binding> bindings;
  std::vector<Element> elements;
  std::vector<std::string> narrowed; // known not to be none
  LocalId me, self;
  LocalId here;                      // once an effect has spoken of it: as it was when the effect began
  bool in_effect = false;
  bool borrowed = false;
  bool pure = false;                 // a condition, value or function: nothing may happen
  bool scenario = false;
  bool constant = false;             // a const
  std::optional<Type> yields;        // a sequence of that
  Rules rules;                       // by the names of parameters
  bool before_game = false;          // setup
  bool flow = false;                 // setup, play, turns
  bool in_turn = false;
  bool late = false;                 // `after`, `afterwards`: what the rule belongs to may be over when this runs
  bool instead = false;              // `proceed`, `cancel`
  bool ending = false;
  std::optional<std::uint32_t> event;      // whose body or handler this is
  std::optional<std::uint32_t> window;     // whose body this is
  std::optional<std::uint32_t> action;
  std::vector<model::WindowId> windows;    // of the action whose effect this is
  Type result;                       // of `return`
  std::string part;                  // a function that gives a record: which of its fields is returned
  bool infer_result = false;
  bool infer_seen = false;
  int loops = 0;
  bool tail = true;                  // nothing comes after the statement at hand
  std::map<std::uint32_t, Opened> opened;
  std::set<std::uint32_t> variables; // locals that may be assigned
  std::map<std::uint32_t, const Expr*> walked_lists = {};   // of records, by the local that is a place in it
  const Expr* timed = nullptr;       // whose latency it is: times that vary may stand here
  std::set<std::uint32_t> soft;      // locals that may be none, and nobody said so: see Analysis::is_soft
  bool droppable = false;            // may be left out if it names what another variant has
  bool dropped = false;
  std::string dropped_for;           // … and what that is
  Carrier carrier;
  const Node* owner = nullptr;
  const Node* force = nullptr;
};

// For the time of a condition nothing may happen.
struct Pure {
  explicit Pure(Rule& rule) : rule_(rule), before_(rule.pure) { rule.pure = true; }
  ~Pure() { rule_.pure = before_; }
  Pure(const Pure&) = delete;

 private:
  Rule& rule_;
  bool before_;
};

// A place where cards lie.
struct Where {
  model::Place place;
  Range range;
};

// Names that stand for records, with their types.
using Composed = std::map<std::string, Type, std::less<>>;

struct Callable {                    // signature shared by values, functions, events, windows
  const Node* node = nullptr;
  Decl decl;
  bool hidden_me = false;            // declared inside a card or character: `me` is its first parameter
  bool hidden_this = false;          // of a play or a card's action that rules watch: `this` is the second
  std::size_t hidden() const { return (hidden_me ? 1 : 0) + (hidden_this ? 1 : 0); }
  enum class State : std::uint8_t { todo, doing, done } state = State::todo;
  std::vector<std::string> names;    // of the parameters, the hidden one included; of a record those of its fields
  std::vector<Type> types;
  struct Whole {                     // a parameter that is a record
    std::string name;
    Type type;
    std::size_t fields = 1;
  };
  std::map<std::size_t, Whole> records = {};   // by the place of its first field
  Composed composed = {};            // names of parameters and variables that are records
  Rules rules = {};                  // parameters that are rules; what was given of them are the last parameters …
  std::size_t passed = 0;            // … so many
  std::string part = {};             // of a function that gives a record: which field this one gives
  Type gives = {};                   // … and that record
  // The parameter that begins there.
  Whole at(std::size_t i) const {
    auto it = records.find(i);
    return it != records.end() ? it->second : Whole{names[i], types[i]};
  }
  std::size_t find(std::string_view name, std::size_t from) const;
  std::size_t count() const;         // of parameters, the hidden one included
};

// What looks wrong, over several analyses of one ruleset: told only if it was in order in none of them.
class Suspicions {
 public:
  void add(Code code, Range range, bool bad, std::string message, std::string help);
  void report(Diagnostics& diagnostics) const;

 private:
  using Key = std::tuple<Code, SourceId, std::uint32_t, std::uint32_t>;
  struct Told {
    Key key;
    Range range;
    std::string message, help;
  };
  std::vector<Told> told_;
  std::set<Key> suspected_, fine_;
};

class Analysis {
 public:
  Analysis(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics)
      : ruleset_(ruleset), configuration_(configuration), diagnostics_(diagnostics) {}
  std::unique_ptr<model::Model> run();
  Resolution resolve();
  std::vector<Relation> relations();
  Suspicions* suspicions = nullptr;  // null: nobody wants to know

 private:
  // ---- options.cpp
  // A relation, or a const that not every variant has, with all that it stands under.
  struct Guard {
    const Node* condition = nullptr; // of a `with`; or null and
    bool wanted = true;
    std::string_view option, value;  // a value of an option whose rules it stands among
  };
  struct Guarded {
    const Node* node;
    std::vector<Guard> within;
  };
  bool resolve_options();
  void check_variants();
  void gather_relations();
  void gather_relations(const Node* list, std::vector<Guard>& within);
  void remove_relation(const Node* node);
  void refresh_consts();
  bool in_force(const Guarded& g);
  std::optional<Int> count_of_teams();
  std::vector<Guarded> seatings_;                // `teams …`, in all variants
  void options_of(const std::vector<Guard>& within, std::set<std::string>& out) const;
  bool holds_option(const Node* condition);
  void check_option_names(const Node* node);
  void options_in(const Node* node, std::set<std::string>& out) const;
  bool switch_on(const Node* target, const Guarded& by);
  bool set_implied(const Node* target, std::string_view name, std::string value, const Guarded& by);
  void imply();
  void refuse();
  void make_void();
  std::string written(const Node* node) {
    return node ? std::string(diagnostics_.sources().text(node->range)) : std::string();
  }
  std::string brought_by(const Node* node);
  std::vector<Guarded> relations_, guarded_consts_;
  std::map<std::string, const Node*, std::less<>> plain_consts_;
  std::map<std::string, std::vector<const Node*>, std::less<>> all_consts_;
  std::map<std::string, const Node*, std::less<>> implied_;   // option -> the `implies` that switched it on
  std::vector<std::size_t> refused_by_;

  // ---- fixed.cpp
  std::optional<Fixed> fixed(const Node* node, bool report = true);
  std::optional<Fixed> fixed_name(const Node* node, bool report);
  bool compares_with_nothing(const Node* node);
  std::optional<Fixed> fixed_binary(const Node* node, bool report);
  std::optional<Fixed> fixed_arithmetic(ExprKind kind, Int a, Int b, const Node* node, bool report);
  std::optional<Fixed> option_value(std::string_view name);
  std::optional<bool> truth(const Fixed& value, const Node* node, bool report);
  std::optional<bool> fixed_truth(const Node* node, bool report = true);
  std::optional<std::size_t> branch(const Node* with, bool report = true);     // which child of a `with` holds
  std::optional<Int> fixed_int(const Node* node, bool report = true);
  bool fixed_equal(const Fixed& a, const Fixed& b) const;
  bool mentions_option(const Node* node) const;
  std::optional<Fixed> decided(const Node* condition);        // by options alone
  std::map<std::string, Fixed, std::less<>> generator_;        // `each r in 1..9` of a deck

  // ---- collect.cpp
  void collect();
  void collect_unit(std::uint32_t unit);
  using OnDecl = std::function<void(const Node*, model::RuleKind)>;
  void expand(const Node* list, model::RuleKind kind, const OnDecl& on);
  void note_absent(const Node* list);
  void note_absent_decl(const Node* node);
  void edit(const Decl& decl);
  void replace_setup(const Decl& decl);
  std::vector<model::KindId> kinds_of(const Node* card) const;     // of a `card` or `card type`
  const Node* force_of(const Node* card);
  void declare_members(const Decl& of, const Node* members, const Carrier& carrier);
  model::Precedence next_precedence(model::RuleKind kind, std::uint32_t unit);
  std::vector<Decl> decls_;          // in text order, imports first
  std::set<std::string, std::less<>> absent_;
  std::map<std::string, const Node*, std::less<>> consts_, units_;
  std::map<std::string, Fixed, std::less<>> known_consts_;
  std::set<std::string, std::less<>> deciding_;
  std::uint32_t position_ = 0;
  const OnDecl* taking_ = nullptr;
  std::set<std::string, std::less<>> removed_;       // `action draw`: taken out where it is declared
  std::vector<const Node*> removals_;
  struct Removal {
    const Node* node;
    std::vector<std::string> actions;                 // that were left out with it
  };
  std::vector<Removal> removed_outright_;            // of them, those whatever the options are
  std::vector<std::string> answers_;               // of all `chooses one`, as they are written

  // ---- places.cpp
  void check_places();

  std::vector<std::string> removable_names(std::string_view word) const;   // of all that the word stands for
  std::set<std::string, std::less<>> library_constants_;

  // ---- records.cpp
  struct Part {
    std::string name;
    Type type;
    std::string_view unit = {};                   // in which it is counted, if its bounds say so
  };
  struct WrittenPart {
    std::string name;
    const Node* value;
  };
  struct RecordInfo {
    const Node* node = nullptr;
    Callable::State state = Callable::State::todo;
    std::vector<const Node*> initial;             // by field; null: nothing is said
    std::vector<std::string_view> units;          // by field: see Part
  };
  using Leaf = std::function<const Expr*(const std::string& name, const Type& type)>;
  using Fieldwise = std::function<const Expr*(const std::vector<const Expr*>&)>;
  void declare_records();
  void build_record(std::uint32_t id);
  void record_field(std::uint32_t id, const Node* field);
  const model::Record* record_in(const Type& t) const;
  std::string as_written(const Type& t) const;
  std::vector<Part> leaves_of(const Type& t, const std::string& name) const;
  void name_records(const Type& t, const std::string& name, Composed& out) const;
  const Expr* spread(const std::string& name, const Type& t, Range range, const Leaf& leaf);
  const Expr* fieldwise(const std::vector<const Expr*>& of, const Fieldwise& leaf,
                        const std::function<Type(const Type&)>& shape = {});
  std::vector<const Expr*> fields_of(const Expr* e) const;
  const Expr* field_at(const Expr* e, std::string_view path) const;
  bool only_looks(const Expr* e);
  std::vector<const Node*> given_fields(const Node* node, std::uint32_t record);
  const Expr* construct(const Node* node, std::uint32_t record);
  const Expr* initial_of_field(std::uint32_t record, std::size_t field);
  bool begins_as_something(const Type& record, std::string_view part) const;
  const Expr* initial_of(const Type& record);
  const Expr* known(const Expr* e, std::string_view name);
  const Expr* again(const Expr* record, Range range);
  const Expr* let_record(const Node* node, const Type& t, const Expr* initial, bool variable, Block& out);
  std::vector<std::string> names_of_keys(const Type& key) const;
  std::vector<Part> attribute_leaves(const Type& t, const std::string& name, std::string_view unit = {}) const;
  void written_table(const Type& t, const std::string& name, const Node* table, std::vector<WrittenPart>& out);
  void written_rows(const Type& t, const std::string& name, const Node* value, std::vector<WrittenPart>& out);
  void written_parts(const Type& t, const std::string& name, const Node* value, std::vector<WrittenPart>& out);
  std::vector<WrittenPart> written_attribute(const Type* composed, std::string_view name, const Node* value);
  const Type* composed_attribute(std::uint32_t type, std::string_view name) const;
  const Type* composed_of_enum(std::uint32_t id, std::string_view name) const;
  const Expr* composed_member(const std::string& name, const Type& t, Range range,
                              const std::function<const Expr*(const std::string&)>& leaf);
  const Expr* entry_of(const Expr* table, const Expr* key, Range range);
  std::vector<RecordInfo> records_;
  Composed player_records_, table_records_;
  Composed given_records_;           // values and functions that give one
  Int depth_limit(const Node* said);
  std::vector<Type> handed_over(const Node* of, const Type& result);
  bool clashes_with_record(const std::string& name, const std::function<void(Range, std::string_view)>& clash);
  const Expr* standing(const Node* node, const Type* expected, Block& out);
  const Expr* given_record(const Node* node, Expr* call, const Type& t, bool statement);
  // a call that stands by itself after `let`, `=` or `return`: it may happen before all else there
  const Node* stands_ = nullptr;
  Block* stands_in_ = nullptr;
  std::map<std::uint32_t, Composed> enum_composed_;  // tables and records among the attributes of an enum

  // ---- record_lists.cpp
  struct Walked {
    const Expr* domain;              // a set, list or sequence
    LocalId local;                   // its element; of a list of records a place in it
    const Expr* element;             // what a name for an element stands for
    const Expr* list = nullptr;      // of records
  };
  bool is_record_list(const Type& t) const;
  const Expr* no_records(const Type& list, Range range);
  const Expr* records_literal(const std::vector<const Expr*>& items, const Type& list, Range range);
  const Expr* as_record_list(const Expr* e, const Type& to);
  const Expr* record_at(const Expr* list, const Expr* at, Range range);
  const Expr* places_of(const Expr* list, Range range);
  const Expr* record_sequence(const Expr* e) const;
  void give_locals(Expr* call);
  const Expr* yielded_record(const Expr* call);
  Walked walked_through(const Expr* over, std::string_view name, Range range, Block* out);
  const Expr* records_where(const Walked& walked, const Expr* where, Range range);
  const Expr* record_in_list(const Expr* record, const Expr* list, Range range);
  const Expr* without_record(const Expr* list, const Expr* record, Range range, Block* out);
  const Expr* records_changed(const Expr* target, const Node* value, std::string_view op, Range range, Block& out);
  const Expr* with_places_kept(const Expr* place, std::map<const Expr*, const Expr*>& kept, Block& out);

  // ---- components.cpp
  bool declare_types();              // whether the boards are there that the rest needs
  bool is_used(const Node* library);
  void declare_enum(const Decl& d);
  void enum_attributes(std::uint32_t id);
  void written_constant(std::uint32_t id, std::size_t constant, const std::vector<std::string>& order);
  void keep_constants_where(std::uint32_t id, const Node* where);
  void forget_constants(std::uint32_t id, const std::vector<Int>& now);
  void declare_character_types();
  void declare_characters();
  std::optional<std::uint32_t> character_type_of(const Node* character);
  void character_attributes(std::uint32_t type);
  void say_of_character(std::uint32_t type, std::size_t constant, const Node* node);
  void say_of_constant(std::uint32_t id, std::size_t constant, Range at, std::string_view name, const Node* value);
  Int unsaid(const Type& type) const;
  struct EnumInfo {                  // until the attributes of its constants are known
    Decl decl;
    std::vector<const Node*> fields;
    std::vector<const Node*> written;             // its constants as they are written; of a table null
    std::optional<SourceId> table;
    Csv csv;
    std::vector<std::size_t> rows;                // in which line of the table a constant stands; the first is 0
    std::vector<std::pair<std::size_t, const Node*>> characters;   // each as it is written
  };
  std::map<std::uint32_t, EnumInfo> enum_infos_;
  void declare_card_types();
  void declare_card_attributes();
  void declare_kinds();
  void declare_own_kinds();
  struct Declared {
    model::AttributeId id;
    const Node* initial;
  };
  std::vector<Declared> declare_attribute(const Node* field, std::string_view owner, Composed& composed);
  std::optional<model::AttributeId> attribute_of_type(model::CardTypeId type, std::string_view name) const;
  std::vector<std::uint32_t> types_with(std::uint32_t type, std::string_view name) const;
  std::optional<model::AttributeId> attribute_of_enum(model::EnumId id, std::string_view name) const;
  // of attributes whose bounds have a unit: `height: 0..80 h`
  std::map<std::size_t, std::string_view> attribute_units_;
  bool is_a(std::uint32_t type, std::uint32_t base) const;
  std::vector<Int> kinds_of_type(std::uint32_t type) const;
  std::optional<std::uint32_t> type_of_card(const Node* card) const;
  std::optional<std::uint32_t> type_of_card(std::string_view name) const;
  std::optional<Int> attribute_value(model::AttributeId attribute, const Node* value);
  std::optional<Int> attribute_value(const Type& type, std::string_view name, const Node* value);
  std::optional<Int> attribute_set(const Type& type, std::string_view name, const Node* value);
  std::optional<Int> attribute_text(model::AttributeId attribute, std::string_view text, Range range);
  std::optional<Int> attribute_text(const Type& type, std::string_view name, std::string_view unit,
                                    std::string_view text, Range range);
  std::optional<Int> number_text(std::string_view unit, std::string_view text, Range range);
  bool fits_attribute(const Type& type, std::string_view name, Int value, Range range, bool table = false);
  std::string split_words(std::string_view name) const;
  std::string text_of_type(std::uint32_t type);
  struct KindInfo {
    const Node* node = nullptr;
    std::map<std::uint32_t, Int> attributes;      // printed for all copies
    bool in_deck = false;
    // an attribute was named that isn't there: which was meant nobody knows
    bool wrong = false;
    bool implicit = false;                        // a card type that is its own kind
  };
  struct TypeInfo {
    const Node* node = nullptr;
    std::vector<model::AttributeId> own;
    std::vector<std::string> order;               // of its attributes as they are declared
    Composed composed;                            // those that are records or tables
    std::map<std::uint32_t, const Node*> initial; // attribute -> default
    std::optional<model::KindId> implicit;
  };
  struct AreaInfo {                  // `area front x 3 { … }`: its parts are numbered from 1
    std::string name;
    Int count = 0;                   // of all players together
    Int each = 0;                    // of players: so many for each
    Range range;
    std::map<std::string, std::uint32_t, std::less<>> zones, variables;
    Composed records = {};
    const Node* piece = nullptr;     // it is a kind of pieces, and so declared
    const Node* die = nullptr;       // its parts are dice …
    bool single = false;             // … of which there is one, or one of each player
    std::string constant = {};       // `t.item`: what the constant is called whose piece it is
  };
  std::vector<AreaInfo> areas_;
  std::map<const Node*, std::uint32_t> area_of_node_;   // of areas and pieces that are well said
  bool areas_are_counted_ = false;   // before, only their names are known
  void name_areas();
  void name_area(const Node* node);
  void count_areas();
  void count_area(std::uint32_t area, const Node* node, bool of_players);
  void set_parts(std::uint32_t area, Int count, Int each);
  void forget_area(std::uint32_t area);
  void declare_area(const Node* node);
  static bool one_each(const AreaInfo& area) { return area.each == 1 && (area.piece || area.single); }   // `p.hero`
  std::uint32_t add_area(AreaInfo area);
  const Expr* part_at(std::uint32_t area, const Expr* whose, const Node* node);
  void declare_area_members(std::uint32_t area, const Node* list);
  void declare_area_member(std::uint32_t area, const Node* member);
  const Node* said_teams();
  void name_teams();
  void count_teams();
  void check_area_names();
  bool is_team(const Type& t) const { return t.kind == TypeKind::integer && team_area_ && t.ref == *team_area_; }
  bool in_team_ = false;             // what is declared belongs to the teams
  bool in_players_area_ = false;     // … to an area of players
  std::optional<std::uint32_t> team_area_;   // the teams are an area of the table, with a part for each
  std::optional<std::uint32_t> area_named(std::string_view name) const;   // `front`, or `fronts` for all of them
  std::optional<std::uint32_t> area_of_players(std::string_view name) const;
  Type area_type(std::uint32_t area) const {
    Type t = integer_type(1, areas_[area].count);
    t.ref = area;
    return t;
  }
  std::vector<KindInfo> kinds_;
  std::vector<TypeInfo> types_;
  model::KindId implicit_kind(model::CardTypeId type);

  // ---- tables.cpp
  bool fits_in_rule(const Type& table, Range range);
  Int keys_of(const Type& table) const;
  bool no_table_here(const Node* node);
  const Expr* table_or_entry(const Expr* e, const Type& table, std::string_view name);
  const Expr* as_table(const Expr* e, const Type& to, std::string_view for_what);
  void assign_table(const Expr* target, const Node* value, std::string_view op, Range range, Block& out);

  // ---- boards.cpp
  void declare_board(const Decl& d);
  void declare_grid(const Node* node);
  model::Board& add_board(model::Board board, const std::vector<std::string>& names, const std::vector<Int>& xs,
                          const std::vector<Int>& ys);
  void declare_directions(model::Board& board);
  bool check_boards();
  std::string name_on(const model::Board& board, std::string_view name) const;
  void name_constant(const model::Board& board, const std::string& name, std::uint32_t of, Int constant);
  std::uint32_t add_enum(const model::Board& board, std::string_view of, const std::vector<std::string>& constants);
  void add_attribute(std::uint32_t to, std::string name, Type type, const std::vector<Int>& values);
  // The board that a name means; in a library also what it calls the board that it is used on.
  std::optional<std::uint32_t> board_named(const Node* node) const;
  void build_boards();
  void build_shown(const Node* shows, model::Board& board);
  model::ShownText shown_text(const Node* text, Range range, const Type& of);
  void build_shown_texts();
  std::vector<std::pair<const Node*, bool>> shown_;        // in `player { … }` or `table { … }`
  std::map<std::uint32_t, const Node*> drawn_;             // signs of pieces that are worked out
  const Expr* entry_shown(const Expr* e, const Expr* it);
  std::optional<std::uint32_t> board_of(const Type& cell) const;
  bool is_direction(const Type& t) const {
    return t.kind == TypeKind::enumeration && t.ref < model_->enums.size() && model_->enums[t.ref].dirs;
  }
  const model::Board& board_with(const Type& direction) const;
  const model::Board* board_with_dirs(std::string_view name) const;
  std::optional<Type> direction_on(const Type& cells, const Node* added) const;
  const model::Board& first_grid() const;
  std::string of_which_board(std::string_view name) const;
  std::string of_one_board(std::string_view board, std::string_view name) const;
  const Expr* board_member(std::uint32_t board, const Node* node, Range at);
  void declare_edges(model::Board& board);
  void declare_offset();
  const Expr* edge_of(const Expr* cell, const Node* call);
  std::optional<std::uint32_t> board_of_edge(const Type& edge) const;
  const Expr* cells_of_edge(std::uint32_t board, const Expr* edge, Range range);
  bool is_offset(const Type& t) const;
  const Expr* as_offset(const Expr* e);
  const Expr* offset(const Expr* east, const Expr* north, Range range);
  const Expr* offset_arithmetic(std::string_view op, const Expr* a, const Expr* b, Range range);
  const Expr* apart(const Expr* to, const Expr* from, Range range);
  const Expr* moved_by(const Expr* cell, const Expr* east, const Expr* north, Range range);
  const Expr* shifted(const Expr* cells, const Expr* east, const Expr* north, Range range);
  const Expr* cell_at(std::uint32_t board, const Node* node);
  const Expr* moved(const Expr* of, const Expr* direction, bool back, Range range);
  const Expr* rotated(const Expr* direction, const Expr* by, Range range);
  std::map<std::string, std::uint32_t, std::less<>> board_names_;

  // ---- graphs.cpp
  void declare_graph(const Decl& d);
  struct Graph {                     // as the file says it
    std::vector<std::string> names;
    std::vector<Int> xs, ys;
    std::vector<CsvField> next;
  };
  std::optional<Graph> graph_csv(const Node* path, SourceId file);
  std::optional<std::vector<std::vector<Int>>> joined_points(const Graph& graph, SourceId file);
  const Expr* cells_next_to(const Expr* cell, Range range);
  bool is_next_of_graph(const Type& t, std::string_view member) const;
  bool is_word_of_grids(std::string_view name) const;
  const Expr* graph_has_no(const model::Board& board, std::string_view what, Range range);

  // ---- pieces.cpp
  std::string sign_of(const Node* shows);
  void count_piece(std::uint32_t area, const Node* node);
  void declare_piece(const Node* node);
  const Node* said_in(const Node* members, NodeKind kind);
  model::VariableId place_variable(const std::string& name, Type type, std::optional<Type> of, Range range);
  std::optional<model::VariableId> lies_always(std::uint32_t area, const Node* members, const Type& cell);
  void check_first_places();
  bool surely_lie(const Expr& set);
  bool may_be_lifted(const Type& piece, Range range);
  void declare_covered_edges(std::uint32_t area, const Node* covers);
  void note_sorts(model::Area& kind, Int sorts, const std::vector<Int>& sort_of);
  void declare_covers(std::uint32_t area, const Node* covers);
  struct Covered {                   // `covers …`, where its names mean what belongs to one constant or card
    const Node* node;
    std::optional<Element> of = {};
  };
  std::optional<std::vector<Int>> numbers_covered(const Covered& covered);
  std::optional<std::vector<std::pair<Int, Int>>> offsets_of(const Covered& covered);
  std::optional<std::uint32_t> add_shapes(std::uint32_t on, const std::string& name,
                                          std::span<const std::vector<std::pair<Int, Int>>> sorts, bool faces);
  const model::Board& board_of_piece(const model::Placing& placing) const {
    return model_->boards[placing.edges ? *board_of_edge(model_->variables[placing.at.index].type)
                                        : *board_of(model_->variables[placing.at.index].type)];
  }
  // of its `at`
  Type spot_type(const model::Placing& placing) const {
    return enum_type(placing.edges ? board_of_piece(placing).edges.index : board_of_piece(placing).cells.index);
  }
  bool lies_on_this(const model::Placing& placing, const Node* board, Range range, std::string_view name);
  bool fits_board(const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets, Range range);
  Int first_facing(const Node* facing, const Type& direction);
  const model::Placing* placing_of(const Type& t) const;

  // dice.cpp
  void count_die(std::uint32_t area, const Node* node, bool of_players);
  void declare_die(const Node* node, bool of_players);
  std::optional<std::pair<Type, std::vector<Int>>> faces_of(const Node* node);
  const model::Dice* dice_of(const Type& t) const;
  const std::string* die_with_face(std::uint32_t variable) const;
  static bool has_face(const model::Dice& dice, Int face);
  bool rolls_dice(const Node* roll, Block& out);
  void turn_to(const Node* node, Block& out);
  void show_faces(const Expr* dice, const Expr* face, Range range, Block& out);
  bool show_dice(const Expr* e, Range range, Block& out, const std::function<void(const Expr*, Block&)>& show_one);
  std::optional<std::pair<std::uint32_t, std::vector<Int>>> dice_named(const Node* node);
  std::optional<std::vector<Int>> faces_said(std::uint32_t area, std::size_t count, const Node* value);
  void given_shows(const Node* node, model::Given g, model::ScenarioLine& line);
  const Expr* shows_claim(const Node* node);
  std::optional<std::pair<const model::Placing*, std::string>> placed_by(std::uint32_t variable) const;
  const Expr* place_of(const Expr* x, Range range);
  const Expr* facing_of(const Expr* x, Range range);
  const Expr* shape_of(const Expr* x, const Expr* facing, Range range);
  const Expr* footprint(const Expr* x, const Expr* cell, const Expr* facing, bool surely, Range range);
  const Expr* footprint_call(const std::vector<const Node*>& nodes, Range range);
  const Expr* constant_of_part(const Expr* part, Range range);
  const Expr* piece_of(std::uint32_t area, const Node* node);
  const Expr* piece_member(const Expr* of, std::string_view name, Range range, Range whole, bool report);
  bool stays_on_board(const std::optional<std::uint32_t>& shapes, Int sort, Int cell, Int facing) const;
  Int sort_of_part(std::uint32_t area, Int part) const;
  bool has_piece_member(std::uint32_t area, std::string_view name) const;
  const Expr* pieces_where(const Node* what, const Node* where, bool at, Range range);
  const Expr* lies_on(const Node* node, const Expr* x);
  const Expr* placed_thing(const Node* node);
  void place_stmt(const Node* node, Block& out);
  void lift_stmt(const Node* node, Block& out);
  void lift(const Expr* x, Range range, Block& out);

  // ---- board_cards.cpp
  void declare_lying_cards();
  model::AttributeId attribute_of_cards(const model::LyingCards& lying);
  const Expr* cards_on_board(Range range);
  const Expr* cards_named(const Node* node);
  const Node* printed_on(std::uint32_t kind, NodeKind what);
  bool lies_on_board(const Type& t) const;
  bool has_place_member(const Type& card, std::string_view name) const;
  bool surely_covers(const Type& t) const;
  void knows_own_place(Rule& rule);
  std::string covering_key(const Expr* card) const;
  std::string placed_word(const Type& t) const;
  Stmt* move_onto_board(const Expr* card, Range range, Block& out);
  const Expr* off_board(const Expr* cards, Range range, Block& out);
  bool given_card_at(const Node* node, model::Given& g, model::ScenarioLine& line);

  // ---- decks.cpp
  struct Copy {
    model::KindId kind;
    std::map<std::uint32_t, Int> attributes;
    Range range;
  };
  struct DeckInfo {
    const Node* node = nullptr;                    // the last declaration
    std::vector<const Node*> nodes;
    std::uint32_t unit = 0;
    std::vector<std::pair<std::uint32_t, std::vector<Copy>>> copies;   // by kind, in order of first mention
    bool used = false, built = false, building = false;
    std::optional<model::PoolId> pool;
  };
  void declare_decks();
  std::optional<Copy> copy_of_row(const Node* row, model::CardTypeId type);
  void change_count(DeckInfo& deck, const Copy& design, Int n);
  void ensure_cards();
  void build_deck(DeckInfo& deck);
  void deck_rows(DeckInfo& deck, const Node* rows, std::vector<Copy>& out, model::CardTypeId type);
  void deck_each(DeckInfo& deck, const Node* each, std::size_t gen, std::vector<Copy>& out, model::CardTypeId type);
  void deck_row(const Node* row, std::vector<Copy>& out, model::CardTypeId type);
  void deck_csv(DeckInfo& deck, const Node* node, std::vector<Copy>& out, model::CardTypeId type);
  bool row_holds(const Node* where, const Copy& copy);
  void build_pool(DeckInfo& deck);
  void enum_csv(std::uint32_t id);
  void enum_csv_attributes(std::uint32_t id);
  std::optional<SourceId> read_beside(const Node* path, std::uint32_t unit);
  std::optional<Int> attribute_of_copy(std::uint32_t attribute, Range range);
  const Expr* default_of(std::uint32_t attribute, model::CardTypeId type);
  void override_counts(DeckInfo& deck, const Node* node);
  std::vector<Copy>& copies_of(DeckInfo& deck, model::KindId kind);
  bool count_of(const Node* node, Int& count);
  struct Made {
    model::Card card;
    Range range;
  };
  void make_card(const Copy& copy, std::optional<model::ZoneId> home, Int place, Range range, std::vector<Made>& made);
  void make_deck(const std::string& name, DeckInfo& deck, std::vector<Made>& made);
  void make_at_start(std::uint32_t zone, const Node* starts, std::vector<Made>& made);
  void look_for_full_slots(const std::vector<Made>& made);
  void add_copies(std::vector<Copy>& out, Copy copy, Int n, Range range);
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Expr*> defaults_;
  std::map<std::uint32_t, model::CardTypeId> defaults_of_;
  std::set<std::uint32_t> computing_;
  bool cards_dropped_ = false;
  bool lost_a_card(model::CardTypeId type) const;
  std::vector<const Node*> removed_cards_;
  std::deque<Body> scratch_;         // of expressions that are only computed here
  std::map<std::string, DeckInfo, std::less<>> decks_;
  std::vector<std::string> deck_order_;
  bool cards_built_ = false, building_cards_ = false;

  // ---- state.cpp
  // What belongs to players, the table or the teams, as it is written.
  struct Member {
    const Node* node;
    NodeKind of;                     // player_state, table_state or team_state
    std::uint32_t unit;
  };
  void declare_state();
  std::vector<Member> members_;
  std::vector<Member> state_members();
  void edit_state(const Node* edit, std::optional<NodeKind> of, std::uint32_t unit, std::vector<Member>& members);
  void declare_member(const Member& member);
  void declare_variable(const Node* field, bool per_player, std::uint32_t unit);
  struct VariableInfo {
    const Node* node = nullptr;
    Type declared;                   // without its indices
    std::string part;                // which field of a record it is
  };
  using Table = std::map<std::string, std::uint32_t, std::less<>>;
  void add_variable(model::Variable v, VariableInfo info, Table& table);
  void declare_zone(const Node* zone, bool per_player);
  void finish_variables();
  void check_initial(const model::Variable& v, const Expr* e);
  std::map<std::uint32_t, Range> one_of_a_kind_;     // zone -> where it says so
  std::vector<std::pair<std::uint32_t, const Node*>> refills_, starts_;   // zone, attribute
  std::optional<Type> type(const Node* node, bool report = true);
  Type type_or_poison(const Node* node);
  std::string show(const Type& t) const { return model::to_string(*model_, t); }

  // ---- names.cpp
  Diagnostics& say() { return diagnostics_; }
  Diagnostic& error(cardwright::Code code, Range range, std::string message, std::string help = {}) {
    ++errors_;
    if (code == cardwright::Code::unknown_name) name_its_library(range, help);
    Diagnostic& said = diagnostics_.report(code, range, std::move(message), std::move(help));
    if (code == cardwright::Code::unknown_name) note_its_removal(said);
    if (in_standard_library(range)) note_its_use(said);
    return said;
  }
  // Something of that name is there already.
  Diagnostic& twice(const Node* node, std::string_view word, Range other);
  void note_its_removal(Diagnostic& unknown) const;
  void note_its_use(Diagnostic& in_a_library) const;
  void name_its_library(Range name, std::string& help);   // instead of a guess, if a bundled one declares the name
  Range name_range(const Node* node) const;         // where a declaration's name stands
  Range first_word(const Node* node) const;         // `turns`, `while`, `after`: of what has no name
  bool silent_if_absent(const Node* node);          // a name of another variant: the rule is dropped
  bool silent_if_absent(std::string_view name, Range range);
  Expr* make(ExprKind kind, Type type, Range range, std::vector<const Expr*> args = {});
  const Expr* poison(Range range);
  const Expr* constant(Type type, Int value, Range range);
  const Expr* integer_constant(Int value, Range range);
  const Expr* boolean_constant(bool value, Range range);
  const Expr* local(LocalId id, Range range);
  const Expr* raw_local(LocalId id, Range range);
  LocalId add_local(std::string_view name, Type type, Range range);
  LocalId bind(std::string_view name, Type type, Range range);
  const Binding* find_binding(std::string_view name) const;
  std::vector<std::string> visible_names() const;
  std::optional<Range> later_let(const Node* node) const;
  const Expr* unknown_name(const Node* node, const Type* wanted);
  const Expr* me(const Node* node);
  std::optional<LocalId> me_local();
  const Expr* decider(const Node* node, Range range);
  const Expr* start_of(const Node* domain, Range range);
  const Expr* enum_constant(std::string_view name, Range range, const Type* expected, bool report, bool& found);
  const Expr* member_of(const Expr* of, std::string_view name, Range range, Range whole, bool report = true);
  bool has_member(const Type& t, std::string_view name) const;
  std::vector<std::string> members_of(const Type& t) const;
  std::vector<std::string> constants_of(std::uint32_t id) const;
  std::optional<std::uint32_t> variable_with_enum(std::uint32_t id, bool per_player) const;

  // ---- expressions.cpp
  const Expr* expr(const Node* node, const Type* expected = nullptr);
  const Expr* expr_inner(const Node* node, const Type* expected);
  const Expr* condition(const Node* node);
  const Expr* integer(const Node* node);
  const Expr* player(const Node* node, bool may_be_none = false);
  const Expr* set(const Node* node, const Type* element = nullptr);
  const Expr* name_ref(const Node* node, const Type* expected);
  const Expr* member(const Node* node, const Type* expected);
  const Expr* window_member(std::uint32_t window, std::string_view name, Range range);
  const Expr* event_member(std::uint32_t event, std::string_view name, Range range);
  const Expr* running_member(ExprKind kind, std::uint32_t of, const Callable& c, const model::Body& body,
                             const std::vector<LocalId>& variables, std::string_view name, Range range);
  static std::vector<std::string> running_names(const Callable& c, const model::Body& body,
                                                const std::vector<LocalId>& variables);
  const Expr* index(const Node* node);
  const Expr* indexed(const Expr* of, const Node* at, Range range);
  const Expr* picked(const Expr* of, const Expr* at, Range range);
  const Expr* variable_of(std::uint32_t id, Range range, std::vector<const Expr*> args);
  const Expr* binary(const Node* node, const Type* expected);
  const Expr* comparison(const Node* node);
  const Expr* equality(const Node* node);
  const Expr* equals(const Expr* a, const Expr* b, Range range);
  const Expr* membership(const Node* node);
  const Expr* arithmetic(const Node* node, const Type* expected);
  const Expr* is_expr(const Node* node);
  const Expr* is_kind(const Expr* of, const std::vector<const Node*>& names, Range range);
  const Expr* list_literal(const Node* node, const Type* expected);
  const Expr* listed(const Node* item, const Type* type, bool& left_out);
  const Expr* if_expr(const Node* node, const Type* expected);
  const Expr* logic(const Node* node);
  const Expr* negated(const Expr* e);
  const Expr* both(const Expr* a, const Expr* b);
  const Expr* either(const Expr* a, const Expr* b, Range range);
  const Expr* convert(const Expr* e, const Type& to, std::string_view what = {});
  const Expr* to_int(const Expr* e);
  const Expr* to_amount(const Expr* e);              // a number or a duration
  const Expr* as_set(const Expr* e);
  const Expr* as_list(const Expr* e, const Type& to);
  Int each_of(const Type& list) const;
  Int most_in(const Type& list) const;
  bool has_room(const Type& list, Range range, bool report = true);
  Type added_to(const Type& list, const Node* what) const;
  const Expr* list_with(const Expr* list, const Expr* element, Range range);
  bool same_type(const Type& a, const Type& b) const;
  bool fits(const Type& from, const Type& to) const;
  std::optional<Type> common(const Type& a, const Type& b) const;
  void narrow(const Expr* condition, bool holds);
  std::string key_of(const Expr* e) const;
  bool is_narrowed(const Expr* e) const;
  bool is_soft(const Expr* e) const;
  std::vector<std::string> attributes_in_order(std::uint32_t type) const;
  const Expr* unsupported(const Node* node, std::string what, std::string help = {});
  const Expr* claim_as_condition(const Node* node);
  void known_of_attribute(const Expr* e);
  const Expr* computed_const(const Node* node);
  const Expr* const_value(const Node* declared, const Expr* e);
  std::map<std::string, const Expr*, std::less<>> const_exprs_;

  // ---- sets.cpp
  const Expr* where_expr(const Node* node, const Type* expected);
  const Expr* best_expr(const Node* node);
  const Expr* quantifier(const Node* node);
  const Expr* quantifier_is(const Node* node);
  const Expr* aggregate(const Node* node);
  const Expr* aggregate_over(const Node* node, std::size_t gen);
  bool is_sequence(const Expr* e) const;
  const Expr* not_a_value(const Expr* sequence);
  const Node* walked_ = nullptr;     // an expression whose elements are only walked through
  const Expr* list_of(const Node* node, const Expr* over, LocalId element, const Expr* where, const Expr* body,
                      const Expr* start, bool joins);
  static constexpr Int kMostInList = 1000;
  static constexpr Int kMostNumbers = 65536;   // to choose one from
  Int most_of(const Expr* over);
  const Expr* subsets(const Node* node);
  const Expr* as_plain_list(const Expr* e);
  const Expr* const_lists(const Expr* e, const Computed& value);
  const Expr* joined(const Expr* a, const Expr* b, Range range);
  const Expr* const_list(std::string_view name, const Expr* e, const Computed& value);
  const Expr* collection(const Node* node, const Type* element = nullptr);
  const Expr* pick(const Node* node);
  const Expr* top_expr(const Node* node);
  const Expr* random_cards(const Node* node);
  const Expr* all_but(const Node* node);
  const Expr* size_of(const Expr* of, Range range);
  const Expr* noun_set(const Node* noun);
  std::optional<Where> zone_place(const Node* node, bool report = false);
  const Expr* zone_expr(ExprKind kind, const Where& w, Type type, std::vector<const Expr*> more = {});
  const Expr* universe(const Type& element, Range range);
  const Expr* begins_at(const Expr* set, const Node* node);
  const Expr* number_range(const Node* node);
  const Expr* random_number(const Node* range);
  Type element_type(const Type& set) const { return set.elem ? *set.elem : plain_type(TypeKind::poison); }

  // ---- calls.cpp
  const Expr* call(const Node* node, bool statement);
  const Expr* record_call(const Node* node, const std::string& name, const Type& t, bool statement);
  const Expr* call_named(const Node* node, std::string_view name, bool statement);
  // `lenient`: players and cards may be none, because nothing happens to nobody.
  void note_declaration(Diagnostic& wrong_call, Range call, const Callable& callable) const;
  std::vector<const Expr*> arguments(const Node* node, const Node* list, const Callable& callable,
                                     const std::vector<const Expr*>& initial, std::string_view what,
                                     bool lenient = false, const std::set<const Node*>& but = {});
  const Expr* builtin(const Node* node, std::string_view name, bool& known);
  const Expr* open_window(const Node* node, bool as_truth);
  const Expr* proceed(const Node* node, bool statement);
  const Expr* may_expr(const Node* node);
  const Expr* knows_expr(const Node* node);
  bool effect(Range range, std::string_view what);

  // ---- statements.cpp
  void statements(const Node* list, Block& out, std::size_t from = 0);
  void statement(const Node* node, Block& out);
  void scoped(const Node* list, Block& out);
  Stmt* emit(Block& out, StmtKind kind, Range range, std::vector<const Expr*> exprs = {});
  void let_stmt(const Node* node, Block& out);
  void if_stmt(const Node* node, Block& out);
  void each_stmt(const Node* node, Block& out);
  bool names_cell(const Node* node) const;
  void each_gen(const Node* node, std::size_t gen, Block& out);
  void repeat_stmt(const Node* node, Block& out);
  void return_stmt(const Node* node, Block& out);
  const Expr* return_text(const Node* text, const Type& of);
  void yield_stmt(const Node* node, Block& out);
  void assign_stmt(const Node* node, Block& out);
  void assign_record(const Expr* target, const Node* value, std::string_view op, Range range, Block& out);
  bool can_be_changed(const Expr* target, Range place);
  bool store(const Expr* target, const Expr* value, Range place, Range range, Block& out);
  std::vector<const Expr*> kept_aside(const Expr* e, Range range, Block& out);
  bool is_own(const Node* place) const;
  const Expr* parts_meant(const Node* place);
  void assign_parts(const Node* place, const Expr* parts, const Node* value, std::string_view op, Range range,
                    Block& out);
  void assign_to(const Node* place, const Node* value, std::string_view op, Range range, Block& out);
  std::int64_t facing_in(model::ZoneId zone, bool faceup, bool facedown, Range range);
  void move_stmt(const Node* node, Block& out);
  void picks_top(const Expr* picker, model::ZoneId to, bool together);
  void move_cards(const Node* node, std::int64_t bits, Block& out);
  void fits_slot(model::ZoneId to, const Expr* n);
  void deal_cards(const Node* node, std::int64_t bits, Block& out);
  void deal_constants(const Node* node, Block& out);
  void deal_to_all(const Node* node, Block& out);
  void assign_map(const Expr* map, const Node* value, std::string_view op, Range range, Block& out);
  using OnEntry = std::function<void(const std::vector<const Expr*>& entries, Block& into)>;
  void each_entry(const std::vector<const Expr*>& of, Range range, Block& out, const OnEntry& entry);
  void entries_from(const std::vector<const Expr*>& tables, Range range, Block& out, const OnEntry& entry);
  bool can_walk_entries(const std::vector<const Expr*>& tables) const;
  void assign_tables(const Node* place, const Node* whose, const std::string& path, const Node* value,
                     std::string_view op, Range range, Block& out);
  void assign_table_of_records(const Expr* target, const Node* value, std::string_view op, Range range, Block& out);
  bool show_variables(const Expr* e, Range range, Block& out, const std::function<void(const Expr*, Block&)>& show_one);
  void turn_over(const Node* node, Block& out);
  void facing(const Node* way, Block& out, const std::function<void(bool up, Block&)>& statement);
  // `in S after a`: those of the set that come after it.
  const Expr* later_than(const Node* after, const Expr* set);
  const Expr* listed_after(const Node* after, LocalId element, Range range);
  void deal_stmt(const Node* node, Block& out);
  void end_stmt(const Node* node, Block& out);
  void log_stmt(const Node* node, Block& out);
  // A text, with what `part` makes of each `{…}` in it; a brace that is one stands twice.
  std::string filled_in(const Node* text, const std::function<std::string(Range at, std::string_view inside)>& part);
  const Expr* text_part(Range at);
  // A text as an expression: what stands in its braces is worked out when it is shown.
  const Expr* filled_text(const Node* text);
  // A text that is shown as it stands; empty without one.
  std::string plain_words(const Node* text);
  // What is printed on cards, with the attributes of a card type in its braces.
  std::string printed_words(const Node* text, std::uint32_t type, std::string_view what);
  const Expr* question_text(const Node* text);             // of what somebody is asked; null without a text
  void action_label(const Node* text, model::Action& action);
  std::string decks_of_base() const;
  void reveal_stmt(const Node* node, Block& out);
  void peek_stmt(const Node* node, Block& out);
  void arrange_stmt(const Node* node, Block& out);
  void swap_stmt(const Node* node, Block& out);
  std::string shown_part(const Expr* e, std::vector<const Expr*>& parts) const;
  const Expr* index_of_part(const Expr* part, Range range);
  void bind_witness(const Node* condition, const Expr* c, Block& out);
  bool leaves(const Block& block) const;
  LocalId each_index_;

  // ---- choices.cpp
  void choose_stmt(const Node* node, Block& out);
  void choose_one_stmt(const Node* node, Block& out);
  void may_stmt(const Node* node, Block& out);
  std::map<std::string, Range> groups_said_;         // `as shot` alone: the first of that name
  bool said_of_asking(const Node* node, bool several);
  void ask_stmt(const Node* node, Block& out);
  const Expr* split_domain(const Node* node, const Node*& where);

  // ---- rules.cpp
  void declare_rules();
  void declare_callable(const Decl& d, const std::vector<Passed>& passed = {});
  void pass_in(Callable& c, const Node* parameter, const Passed& passed, Body& body,
               std::vector<model::Parameter>& parameters);
  bool takes_rules(const Node* callable) const;
  const Callable& signature_of(bool is_value, std::uint32_t id) const {
    return is_value ? values_[id] : functions_[id];
  }
  std::optional<Passed> passed_rule(const Node* node, const Node* type);
  bool fits_rule(const Passed& rule, const Node* type, Range range);
  const Expr* call_with_rules(const Node* node, const Decl& of);
  void check_uncalled();
  void check_uncalled(const Decl& of);
  std::optional<std::uint32_t> stand_in(const Node* rule);
  const Expr* call_passed(const Node* node, std::string_view name, const PassedIn& rule);
  // Functions with rules as parameters are made anew for each way in which they are called.
  struct MadeFor {
    std::vector<Passed> passed;
    std::uint32_t function;
  };
  std::map<std::string, Decl, std::less<>> with_rules_;
  std::map<std::string, std::vector<MadeFor>, std::less<>> made_for_;
  void finish_defaults(const Callable& c, std::vector<model::Parameter>& parameters);
  void bind_parameters(Rule& rule, const Callable& c);
  const Expr* parameter_of(const Callable& c, std::string_view name, Range range,
                           const std::function<const Expr*(std::size_t)>& leaf);
  void can_be_kept_by(const model::Local& parameter);
  void build_value(std::uint32_t index);
  void check_table_value(const model::Value& value);
  void build_function(std::uint32_t index);
  void build_sequence(std::uint32_t index, Rule& rule);
  void build_event(std::uint32_t index);
  void check_result(std::uint32_t event, const Block& block);
  static std::size_t variables_at_head(const Node* body);
  void declare_variables(std::span<Node* const> nodes, Block& block, std::vector<LocalId>& variables, Callable& of);
  void build_window(std::uint32_t index);
  void build_triggers();
  void build_trigger(const Decl& d, std::uint32_t event);
  void build_modifier(const Decl& d, std::uint32_t value);
  void build_whenever(const Decl& d);
  void build_also(const Decl& d);
  void build_forbid(const Decl& d);
  bool start_rule(const Decl& d, Rule& rule, Body& body, model::RuleHead& head, std::string name);
  std::vector<model::Pattern> patterns(const Node* list, const Callable& callable, const Node* whole,
                                       std::string_view what, const Node* by = nullptr);
  void record_pattern(const Node* e, const Callable::Whole& whole, model::Pattern* fields);
  bool is_known_in_pattern(std::string_view name, const Type& type) const;
  void acted_by(const Node* by, const Callable& callable, std::string_view what, model::Pattern& pattern);
  std::string rule_name(std::string_view what, const Decl& d) const;
  void declare_rule(Decl d);
  void declare_top(const Decl& d);
  void finish_callables();
  void ensure_modifiers(std::uint32_t value);
  std::vector<std::uint32_t> events_named(std::string_view name, bool phase) const;
  const Expr* rule_condition(const Node* when);
  std::vector<const Expr*> pattern_conditions_;
  std::vector<std::uint8_t> modifiers_built_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> phase_names_;
  std::map<std::uint32_t, std::vector<Decl>> type_plays_, kind_plays_;
  std::optional<model::VariableId> carrier_variable(std::uint32_t character_type, Range range);
  template <class F> void in_rule(Rule& rule, F&& f) {
    Rule* outer = rule_;
    rule_ = &rule;
    f();
    rule_ = outer;
  }
  std::vector<Decl> modifiers_, triggers_, whenevers_, alsos_, forbids_, setups_, plays_, endings_, actions_;
  std::vector<std::vector<Decl>> value_modifiers_;
  std::vector<Callable> values_, events_, windows_;
  std::deque<Callable> functions_;   // grows while bodies are read
  std::map<std::uint32_t, Rule> window_rules_, event_rules_;
  std::optional<std::uint32_t> borrowed_from_;

  // ---- actions.cpp
  void declare_actions();
  std::vector<std::uint32_t> actions_watched(const Node* trigger) const;
  std::vector<Int> kinds_meant(std::string_view name) const;               // of a card, or of all cards of a type
  void no_such_play(const Node* trigger);
  void declare_play(const Decl& d, model::KindId kind, Int ordinal);
  void build_actions();
  void drop_action(model::Action& action, std::uint32_t index, const std::string& gone);
  void build_action(std::uint32_t index);
  void build_play(std::uint32_t index);
  void action_parameter(const Node* param, model::Action& action);
  const Expr* is_by(LocalId actor, const Node* by);
  const Expr* who_acts(const Node* by, model::Action& action);
  void let_others_act(model::Action& action);
  void limits(const Node* list, model::Action& action);
  std::vector<model::WindowId> window_list(const Node* words, bool& any, bool& absent);
  std::optional<model::Place> place(const Node* node);
  void one_of_a_kind(model::Action& action);
  std::optional<model::GroupId> group(std::string_view name, bool create);
  struct ActionSource {
    Decl decl;
    const Node* plays_to = nullptr;
    const Node* when_target = nullptr;
  };
  std::vector<ActionSource> action_sources_;
  void attach(model::Action& action, const Expr* condition);
  void attach_where(model::Action& action, const model::ActionParameter& parameter, const Node* where);
  void attach_wheres(model::Action& action, const Node* list);
  bool mentions(const Expr* e, LocalId local) const;
  bool mentions(const Block& block, LocalId id) const;
  const Expr* part_of_this(std::uint32_t area, Range range);
  Block effect_of(const std::function<void(Block&)>& build);
  void finish_effect(model::Action& action, const Node* effect, std::uint32_t index);
  static std::string plays_to_key(const Node* node) {
    return fmt::format("plays to {}:{}", node->range.source, node->range.begin);
  }
  const Node* plays_to_of(model::KindId kind) const;
  std::deque<std::string> action_names_kept_;
  std::set<std::uint32_t> dropped_actions_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> action_events_;
  std::map<std::uint32_t, std::uint32_t> wrapped_;           // action -> the event that its triggers watch

  // ---- timing.cpp
  std::optional<Int> in_parts(const Node* number, Int unit, bool report);
  std::optional<Int> worth_of_unit(const Node* number, bool report);
  std::string_view unit_of_type(const Node* type) const;
  std::optional<Int> microseconds(const Node* number);
  const Expr* number(const Node* node);
  void check_units();
  void check_consts();
  void note_unit(const Node* node);
  std::optional<Int> in_units(const Node* number, bool report = true);
  const Expr* duration(const Node* node);
  const Expr* constant_duration(const Node* node);
  const Expr* draw(const Node* node);
  const Expr* latency(const Node* node);
  void timing_in(const Node* node, const std::function<void(const Node*)>& found);
  void declare_timing(std::uint32_t window, const Node* body);
  void build_timing(std::uint32_t value);
  const Expr* timed_by(model::Pattern& pattern, Range range);
  void timed_ask(const Node* node, Block& out);
  void missing_answer(const Node* name, model::AtOnce& ask);
  std::vector<model::ActionId> actions_in_window(const Node* name, std::uint32_t window);
  bool fits_window(const model::Action& action, std::uint32_t window) const;
  void race_clause(const Node* node);
  // `held`: names of the rule at hand that the body may speak of, too; those it does not are left out.
  Body race_body(const Node* list, std::uint32_t window, std::vector<Held>* held = nullptr);
  std::vector<Held> names_to_hold() const;
  void delay_stmt(const Node* node, Block& out);
  void pause_stmt(const Node* node, Block& out);
  struct TimerPlace {
    std::uint32_t timer;
    const Expr* owner;
  };
  void declare_timer(const Node* node, bool per_player);
  std::optional<TimerPlace> timer_place(const Node* node);
  const Expr* timer_running(const Node* node, Range range);
  void timer_stmt(const Node* node, Block& out);
  void action_timing(const Node* timing, model::Action& action);
  void check_landings();

  // ---- supposing.cpp
  const Expr* supposing(const Node* node);
  void check_supposings();

  // ---- flow.cpp
  void declare_flow();
  void declare_flow_in(const Node* list, bool in_turn);
  void build_flow();
  void build_endings();
  void check_flow_ends();
  void turns_stmt(const Node* node, Block& out);
  void rounds_stmt(const Node* node, Block& out);
  void phase_stmt(const Node* node, Block& out);
  bool asks(const Node* node) const;
  std::map<const Node*, std::uint32_t> flow_event_;
  std::map<const Node*, std::uint32_t> flow_window_;

  // ---- scenarios.cpp
  void build_scenarios();
  bool is_for_this_table(const ScenarioInfo& info) const;
  std::set<std::string, std::less<>> removed_scenarios_, replaced_scenarios_;
  void build_scenario(const Node* node);
  void look_for_setup(const model::Scenario& scenario);
  void look_for_given_steps(const model::Scenario& scenario);
  std::optional<std::uint32_t> area_in(const Node* node) const;
  std::optional<std::pair<std::uint32_t, Int>> area_part(const Node* node);
  void givens(const Node* given, model::ScenarioLine& line);
  void given(const Node* node, model::ScenarioLine& line);
  void given_at(const Node* node, model::Given g, model::ScenarioLine& line);
  void given_off(const Node* node, model::Given g, model::ScenarioLine& line);
  void given_table(model::Given g, std::uint32_t id, std::vector<const Node*> keys, const Node* place,
                   const Node* table, model::ScenarioLine& line);
  void given_cards(model::Given g, model::ZoneId zone, const Node* node, model::ScenarioLine& line);
  void given_variable(model::Given g, std::uint32_t id, const std::vector<const Node*>& keys, const Node* place,
                      const Node* value, model::ScenarioLine& line);
  bool passes_or_waits(const Node* word, model::Step& s);
  bool another_to_choose(const Node* e, const model::ScenarioLine& line);
  void claim(const Node* node, model::ScenarioLine& line);
  bool known_variable(const Node* node, model::Claim& c);
  std::optional<Int> seat(const Node* node, bool report = true);
  std::optional<model::CardMatch> card_match(const Node* node, bool report = true);
  const Expr* card_as_key(const Node* node, const Type& key);
  const Expr* cards_that_match(const model::CardMatch& match);
  const Expr* such_cards(const Node* node);
  const Expr* is_as_described(const Node* l, const Node* r);
  const Expr* are_as_described(const Node* of, const Node* said, Range range);
  std::vector<model::CardMatch> card_matches(const Node* node);
  std::optional<Int> scalar(const Node* node, const Type* expected, bool report = true);
  bool given_rows(const Node* value, const Type& element, model::Given& g);
  std::optional<std::vector<Int>> elements_of(const Node* node, const Type& set);
  std::vector<Int> seats_of(const Node* node);
  std::map<std::string, const Node*, std::less<>> scenes_;
  std::set<Int> scenario_out_;

  // ---- steps.cpp
  struct Named {                       // what a step is done with
    const Node* node = nullptr;
    std::optional<model::CardMatch> card;
    std::vector<Named> several;        // `[Net, Wasp]`
    bool is_list = false;
  };
  using Items = std::vector<Named>;
  void step(const Node* node, model::ScenarioLine& line);
  void plays_step(const Node* node, model::Step s, model::ScenarioLine& line);
  bool played_as(const Node* as, model::Step& s);
  bool plays_with(const Node* card, const Items& items, model::Step& s);
  bool uses_with(const Node* what, const Node* of, const Items& items, model::Step& s);
  bool chooses(const Items& items, model::Step& s);
  void warn_of_no_answer(const Items& items, const model::Step& s);
  bool arranges(const Items& items, model::Step& s);
  void rolls(Int player, const Items& items, const Node* node, model::ScenarioLine& line);
  bool name_item(const Node* node, Items& out);
  bool name_items(std::span<Node* const> nodes, Items& out);
  std::optional<Int> item_value(const Node* node, const Type& type);
  bool item_fits(const Named& item, const model::ActionParameter& parameter, model::StepArgument& argument);
  std::string why_not(const Named& item, const model::ActionParameter& parameter);
  bool bind_items(std::uint32_t action, const Items& items, model::StepUse& use, std::size_t& fitted);
  bool keep_fitting(const std::vector<std::uint32_t>& actions, const Items& items, Range range, model::Step& s);
  std::string takes_what(const model::Action& action) const;
  model::StepItem meanings(const Named& item);

  // ---- evaluate.cpp
  using Frame = std::map<std::uint32_t, Computed>;
  std::optional<Computed> plain_value(const Node* node, const Type& expected, bool report);
  std::optional<Computed> evaluate(const Expr& e, Frame& frame, int depth = 0);
  std::optional<Computed> subsets_of(const std::vector<Int>& elements, Int least, Int most);
  std::optional<Computed> evaluate_value(std::uint32_t value, const std::vector<Computed>& arguments, int depth);
  std::optional<Computed> evaluate_block(const Block& block, Frame& frame, int depth, bool& returned);
  std::optional<Computed> worked_out(ExprKind kind, Int a, Int b, Range range);
  static std::string_view words_for(Trap trap);
  void not_known(Range range, std::string message, std::string help = {});
  struct Wrong {
    Trap trap;
    Range range;
  };
  std::optional<Wrong> went_wrong_;  // the first arithmetic of what was evaluated last that would be a trap in a game
  const Copy* copy_ = nullptr;       // the card whose attributes are being computed
  std::int64_t evaluations_ = 0;

  // ---- warnings.cpp
  void check_value_cycles();
  bool may_recur(std::uint32_t function) const;
  void warn();
  void warn_conditions();
  void warn_endless();
  void warn_hidden();
  void warn_unused();
  void warn_unnested();

  // ---- slips.cpp
  void suspect_statement(const Node* node, const Node* left_by);
  bool is_decided_by_options(const Node* node);
  std::string what_leaves(const Node* node);
  void warn_slips();
  void warn_left_out();
  void warn_new_names();
  void warn_unread_names();
  void warn_unasked();
  void warn_uncounted();
  void warn_forbidden();
  void warn_never();
  void warn_shown();
  void warn_too_many_cards();
  std::vector<std::string> known_in_patterns(const Type& type) const;

  // ---- warnings.cpp
  bool in_library(Range range) const;
  bool in_standard_library(Range range) const;
  bool is_built_in(Range declared) const;
  bool is_library_member(const Type& t, std::string_view name) const;
  void suspect(Code code, Range range, bool bad, std::string message, std::string help = {});
  void drop_actions();

  const Ruleset& ruleset_;
  const Configuration& configuration_;
  Diagnostics& diagnostics_;
  std::unique_ptr<model::Model> owned_ = std::make_unique<model::Model>();
  model::Model* model_ = owned_.get();
  Rule* rule_ = nullptr;
  std::size_t errors_ = 0;
  Int players_ = 0;
  Choices options_;
  Choices requested_;                // what was asked for by name
  int depth_ = 0;                    // of nested nodes, so that no tree overflows the stack

  const Table& zones_beside(std::uint32_t zone) const;
  Table enum_names_, record_names_, type_names_, kind_names_, player_variables_, table_variables_, player_zones_,
      table_zones_, value_names_, function_names_, window_names_, group_names_, player_timers_, table_timers_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> event_names_, action_names_;
  std::map<std::string, std::vector<std::pair<std::uint32_t, Int>>, std::less<>> constant_names_;
  std::map<std::uint32_t, VariableInfo> variable_nodes_;
  bool has_turns_ = false;
  std::set<std::string, std::less<>> used_;          // names that something reads

  friend struct Scoped;
};

// Puts bindings, elements and narrowings back at the end of a block.
struct Scoped {
  explicit Scoped(Rule& rule)
      : rule_(rule),
        bindings_(rule.bindings.size()),
        elements_(rule.elements.size()),
        narrowed_(rule.narrowed.size()) {}
  ~Scoped() {
    rule_.bindings.resize(bindings_);
    rule_.elements.resize(elements_);
    rule_.narrowed.resize(std::min(narrowed_, rule_.narrowed.size()));
  }
  Scoped(const Scoped&) = delete;

 private:
  Rule& rule_;
  std::size_t bindings_, elements_, narrowed_;
};

// Neither asks nor draws nor changes anything, and may so be worked out twice.
bool pure_expr(const Expr& e);

inline bool is_poison(const Expr* e) { return !e || e->type.kind == TypeKind::poison; }

}  // namespace cardwright::sema
