// The state of one lowering, shared by the files of this folder: each file writes the members of one subject.
//   layout.cpp   ids, variables, zones, offsets          code.cpp     expressions
//   masks.cpp    conditions over cards and cells without a loop
//   elements.cpp conditions over players, parts of areas and small numbers without one
//   boards.cpp   cells, edges, directions, sets of cells as masks
//   tables.cpp   tables that rules hold
//   asked.cpp    conditions as the player who is asked may know them (analysis/secrecy.h says what they may not know)
//   guesses.cpp  where to look first for a card that moves (analysis/origins.h says where a rule found it)
//   statements.cpp  statements                            events.cpp   events, handlers, values, modifiers
//   windows.cpp  asks; windows and actions as functions   flow.cpp     turns, phases, settling, main
//   offers.cpp   what a window offers                     choices.cpp  sets and choices without a name
//   option_ids.cpp  decision sites, ids of options        why.cpp      why an action is not offered
//   explain.cpp  why a condition is so
//   at_once.cpp  windows where several answer at once; answers that take effect later
//   race.cpp     windows in real time
//   watch.cpp    conditions are looked at again only when something was written that they read
//   log.cpp      texts of `log`                         metadata.cpp words for people
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "compiler/analysis/called.h"
#include "compiler/analysis/effects.h"
#include "compiler/analysis/orders.h"
#include "compiler/analysis/origins.h"
#include "compiler/lower/builder.h"
#include "compiler/lower/lower.h"
#include "compiler/model/visit.h"
#include "compiler/analysis/offers.h"
#include "runtime/ops/game.h"

namespace cardwright::lower {

using analysis::Fact;
using analysis::Facts;
using analysis::kPlaced;
using analysis::kSeen;
using model::holds_cards;

struct Bounds {
  Int lo, hi;
};

// A type of which the kind says all.
inline model::Type simple(model::TypeKind kind, bool optional = false) {
  model::Type type;
  type.kind = kind;
  type.optional = optional;
  return type;
}

// Where a local of the Model lives while code of its rule is written.
struct Place {
  enum class Kind : std::uint8_t { none, reg, variable, constant } kind = Kind::none;
  Register reg = ir::kNoRegister;
  Int variable = -1;                     // scratch: seen by other rules as `W.x` or `E.x`
  Int value = 0;                         // constant
};

// One rule's locals, and what `return`, `stop` and `end` mean in it.
struct Env {
  const model::Body* body = nullptr;
  std::map<std::uint32_t, const model::Expr*> fresh;   // `let`s since which nothing has happened
  std::map<std::uint32_t, const model::Expr*> found;   // all `let`s since then: what they found lies where it lay
  bool deferred = false;                 // in an `afterwards`: of the body's names only those it needs are there
  std::vector<Place> places;
  Register me = ir::kNoRegister;
  Facts facts;                           // while something is asked: what is sure of the names
  // cards that were revealed, or to whom, since they got their name
  std::map<std::uint32_t, const model::Expr*> shown;
  // return: either a real one, or a jump with the value in `result`
  bool inline_return = false;
  BlockIndex return_block = 0;
  Register result = ir::kNoRegister;
  std::vector<std::pair<BlockIndex, BlockIndex>> loops;   // next, stop
  Int said_by = 0;                       // 1 + event whose body this is: its afters run although it says `end`
  const model::Event* proceed_event = nullptr;            // inside an instead-of handler
  std::function<Register(const std::vector<Register>&)> proceed;
  std::vector<Register> proceed_arguments;
  bool flow = false;                     // nothing is under way: turn, phase, setup and play bodies
  model::WindowId window;                // of the body
  Register window_acted = ir::kNoRegister;
  Register window_reached = ir::kNoRegister;
  Register from_flow = ir::kNoRegister;  // in a window: was it opened by flow
  // of a sequence: what is done with each element, or its fields
  std::function<void(const std::vector<Register>&)> yields;
  std::vector<std::pair<Int, Register>> restore;          // scratch variables to put back on the way out
  // of an event or window that gives a list or a record: the variables that hand it over
  std::vector<Int> gives;
  bool explains = false;                 // conditions say why they are so
  Register member = ir::kNoRegister;     // … of a function that gives a set: whether this is in it
};

// `ending`: what an `end X` has still to leave. 0 = nothing.
inline constexpr Int kEndGame = 1, kEndPlay = 2, kEndPhase = 3, kEndFirst = 4;
inline constexpr Int kNotLanded = -1;
inline constexpr Int kSayer = 1 << 14;   // ending = target + kSayer * said_by

// Bits of `dirty` (watch.cpp): whenevers from 0, who has which character, endings from kFirstEnding, the queue.
// Whenevers and endings beyond the last share it.
inline constexpr Int kQueueBit = Int{1} << 61;
inline constexpr Int kLastWhenever = 54;
inline constexpr Int kCharactersBit = Int{1} << 55;
inline constexpr Int kAllDirt = (kQueueBit << 1) - 1;
inline constexpr Int kAllConditions = kAllDirt & ~kQueueBit;
inline constexpr Int kFirstEnding = 56, kLastEnding = 60;
inline constexpr Int kEndingBits = (Int{1} << (kLastEnding + 1)) - (Int{1} << kFirstEnding);
inline Int ending_bit(std::size_t ending) {
  return Int{1} << std::min(kFirstEnding + static_cast<Int>(ending), kLastEnding);
}

// Who is told when something is written: bits of `dirty`, and bits of `stale`, one for each kept value (those beyond
// the last share it).
struct Watchers {
  Int dirty = 0, stale = 0;
  Watchers& operator|=(const Watchers& other) { return dirty |= other.dirty, stale |= other.stale, *this; }
  friend Watchers operator|(Watchers a, const Watchers& b) { return a |= b; }
};
inline constexpr Int kLastKept = 61;

// A choice without a name, and what is known where it is made.
struct AskedChoice {
  const model::Stmt* stmt = nullptr;
  const model::Body* body = nullptr;
  model::WindowId window;
  Facts facts;
  std::vector<model::LocalId> names;     // that it reads
};

class Lowering {
 public:
  Lowering(const model::Model& model, Diagnostics& diagnostics, bool plain)
      : model_(model),
        diagnostics_(diagnostics),
        secrecy_(model),
        offers_(model, secrecy_),
        program_(*owned_),
        plain_(plain) {
    program_.plain = plain;
  }
  std::unique_ptr<Program> run();
  std::unique_ptr<Program> run_with(Explanations& explanations);

 private:
  // ---- layout.cpp
  void number_cards();
  void number_variables();
  void number_zones();
  void number_arranged();
  void place_regions();
  Int most_on_board() const;
  Int add_variable(VariableSlot slot, VariableInfo info, bool rules_state);
  Int add_scratch(std::string name, Int lo, Int hi, Int initial, Int count = 1, bool rules_state = false);
  // of cards or cells
  Int add_scratch_sets(std::string name, const model::Type& element, Int count = 1, bool rules_state = false);
  Int add_scratch_list(std::string name, const model::Type& list);
  Int add_scratch_for(const std::string& name, const model::Type& type);
  // Of a list that is a variable: of what kind its single things are, how many there are.
  bool is_of_type(Int kind, std::uint32_t type) const;
  bool has_own_entry(const model::Card& card) const;
  void describe_list(const model::Type& list, VariableSlot& slot, VariableInfo& info);
  ValueKind value_kind(const model::Type& type) const;
  Int enumeration_of(const model::Type& type) const;   // of which enum, or how many parts each player has
  Bounds bounds(const model::Type& type) const;
  void too_large(Range where, std::string what);

  // ---- code.cpp
  // Sets of cards and of cells have a bit for each, however many there are; other sets are masks.
  bool is_wide_element(const model::Type& t) const {
    return t.kind == model::TypeKind::card || (t.kind == model::TypeKind::enumeration && model_.enums[t.ref].cells);
  }
  bool is_wide(const model::Type& t) const {
    return t.kind == model::TypeKind::set && t.elem && is_wide_element(*t.elem);
  }
  bool is_mask(const model::Type& t) const { return t.kind == model::TypeKind::set && !is_wide(t); }
  RegisterType set_of(const model::Type& element) const;
  Register empty_set(const model::Type& element);
  // All values of a type that actions choose from.
  Register universe(const model::Type& element);
  RegisterType register_type(const model::Type& type) const;
  RegisterType local_type(const model::Body& body, model::LocalId local);
  Register expr(const model::Expr& e);
  Register value_of(const model::Expr& e);
  void branch_on(const model::Expr& e, BlockIndex yes, BlockIndex no);
  Register arithmetic(const model::Expr& e);
  Register set_operation(const model::Expr& e);
  Register condition_value(const model::Expr& e);
  Register zone_instance(std::uint32_t zone, const model::Expr* owner, const model::Expr* copy);
  Register zone_instance(model::ZoneId zone, Register owner);
  // The cards of a zone, whichever side they lie on, given its instance.
  Register zone_of(const model::Expr& card);
  Register zone_set(std::uint32_t zone, Register instance);
  // Where the face-down cards of a zone lie, given its instance.
  Register facedown_instance(std::uint32_t zone, Register instance);
  // The instance that holds the top card.
  Register top_instance(std::uint32_t zone, Register instance);
  Register flat_index(const model::Variable& variable, const std::vector<const model::Expr*>& args, std::size_t first);
  Register known_at(std::uint32_t variable, const std::vector<const model::Expr*>& args, std::size_t first);
  Register attribute(const model::Expr& e);
  std::vector<Int> printed(const model::Expr& attribute) const;
  bool is_printed_table(const model::Expr& e) const;
  Register printed_entry(const model::Expr& e);
  Register counts_as(const model::Expr& e);
  Register filter(const model::Expr& e);
  // The elements of `domain` (a register with a set or mask) for which `where` holds; null `where`: all.
  Register filtered(Register domain, bool cards, model::LocalId local, const model::Expr* where);
  Register also_set(const std::vector<Int>& kinds, Register domain, Register holder);
  RegisterType element_type(Register set);
  void for_each(Register domain, bool cards, const std::function<void(Register)>& body);
  void clockwise(Register mask, Register start, bool backwards,
                 const std::function<void(Register, BlockIndex next)>& body);
  Register aggregate(const model::Expr& e);
  Register exists(const model::Expr& e);

  // ---- asked.cpp
  // While something is offered: what is looked at is what the asked player may know.
  struct Asking {
    enum class Mode : std::uint8_t {
      sure,                              // what is not known leads to `unknown`
      may, must,                         // of conditions: could it be so for all that is known, or must it be
    };
    Register player = ir::kNoRegister;
    Mode mode = Mode::sure;
    BlockIndex unknown = 0;
  };
  struct Asked;
  struct Apart;
  bool asking() const { return asking_.player != ir::kNoRegister; }
  bool reads(const model::Expr& e) { return secrecy_.reads(e, env().facts); }
  bool reads(const model::Expr* e) { return e && reads(*e); }
  Fact fact(const model::Expr& e) { return secrecy_.fact(e, env().facts); }
  void branch_asked(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void branch_if_else(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void branch_exists(const model::Expr& domain, model::LocalId local, const model::Expr& condition, BlockIndex yes,
                     BlockIndex no);
  Register knows_all(Register cards);
  void need(Register known);
  void need_seen(Register cards, Fact fact);
  void need_told_apart(const model::Expr& a, Register x, const model::Expr& c, Register y);
  void need_value(const model::Expr& variable);
  void need_whose(const model::RuleHead& head, Register me);
  void unknown_here();
  Register unknown_value(const model::Expr& e);
  Register card_seen(const model::Expr& card);
  // A domain, and what is sure of its elements, whose `uses` are worked out next.
  Register looked_through(const model::Expr& domain, model::LocalId local,
                          std::initializer_list<const model::Expr*> uses);
  void look_in_order(const model::Expr& domain, Register cards, model::LocalId local);
  Register call_asked(const model::Expr& call);
  ir::FunctionIndex asked_function(const model::Expr& call);
  ir::FunctionIndex forget_function();
  // What it is for all that is known; where that is not known, what `otherwise` says.
  Register as_known(const model::Expr& e, const std::function<Register()>& otherwise);

  // ---- lists.cpp
  Int each_of(const model::Type& list) const;
  bool holds_ints(const model::Type& list) const;
  RegisterType list_register(const model::Type& list) const;
  RegisterType list_register(Int variable) const;
  Register load_list(Int variable, Register index, RegisterType type);
  bool is_plain_list(const model::Expr& e) const;
  Register state_list(Op op, const model::Expr& list, const model::Expr* at = nullptr);
  void store_list(Int variable, Register index, Register list);
  void add_element(Register list, const model::Type& type, Register element);
  Register element_of(Register list, const model::Type& type, Register index);
  void take_element(Register to, Register list, Register index);
  void put_element(Register list, const model::Type& type, Register index, Register element);
  Register length_of(Register list);
  void walk(Register list, const model::Type& type, const std::function<void(Register, BlockIndex)>& body);
  std::vector<RegisterType> parts_of(const RegisterType& list) const;
  std::vector<Register> taken_apart(Register list);
  void put_together(Register list, const std::vector<Register>& parts);
  Int set_list_table(std::uint32_t list);
  Register listed_set(const model::Expr& e);
  const model::Expr* within_of(const model::Expr& list) const;
  void for_each_listed(const model::Expr& list, const std::function<void(Register, BlockIndex)>& body);
  void for_each_number(Register lo, Register hi, const std::function<void(Register, BlockIndex)>& body);
  void for_each_subset(const model::Expr& e, const std::function<void(Register, BlockIndex)>& body);
  void for_each_in(Register array, const std::function<void(Register, BlockIndex)>& body, Int count = 0);
  void for_each_yielded(const model::Expr& call, const std::function<void(Register, BlockIndex)>& body);
  void bind_arguments(Env& inner, const model::Function& f, const model::Expr& call);
  Register list_value(const model::Expr& e);
  Register list_operation(const model::Expr& e);
  void append_all(Register list, const model::Expr& e);
  Register number_mask(Register lo, Register hi);
  Register best(const model::Expr& e, bool first_alone);
  Register first_with_most(Register domain, model::LocalId local, const model::Expr& key, bool least);
  Register call(ir::FunctionIndex function, std::vector<Register> arguments);
  // for_each over a condition: the body changes nothing.
  void look_through(Register domain, bool cards, const std::function<void(Register)>& body);
  bool is_varying(const model::Expr& e) const;
  Register hoisted(const model::Expr& call, const std::function<Register()>& work);
  bool stands_here(const model::Expr& call) const;
  void with_called(const model::Expr& call, const std::function<void(const model::Expr& body)>& write);
  ir::FunctionIndex supposed_event(std::uint32_t event);
  Register supposing(const model::Expr& e);
  Register call_with_exprs(ir::FunctionIndex function, const std::vector<const model::Expr*>& args);
  Register conditional(const model::Expr& e);
  Int table_index(std::vector<Int> values);
  Int set_index(std::vector<Word> bits);
  Register const_cards(const std::vector<Int>& card_ids);
  std::vector<Int> cards_of_kinds(const std::vector<Int>& kinds) const;
  std::vector<Int> cards_of_kinds(const std::vector<model::KindId>& kinds) const;
  Register read_local(model::LocalId local);
  void write_local(model::LocalId local, Register value);
  bool lies_in_state(model::LocalId local);
  Register default_value(const model::Type& type);
  Int constant_value(const model::Expr& e) const;
  static bool mentions(const model::Expr& e, model::LocalId local);
  bool pure(const model::Expr& e) const;

  // ---- masks.cpp
  // none of a kept value, of which the State holds what it comes to
  const model::Expr* plain_body(const model::Expr& call) const;
  const model::Expr* said_body(const model::Expr& call) const;
  // What an expression is for one card or cell, if that alone decides it, and the constants that names stand for in `env`.
  std::optional<Int> static_value(const Env* env, const model::Expr& e, model::LocalId local, Int card) const;
  // The cards or cells for which `condition` over `local` holds, inside `domain`, if it can be said without a loop.
  std::optional<Register> set_where(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> set_where_all(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> set_where_it_stands(const model::Expr& condition, model::LocalId local, Register domain);
  bool wants_something(const model::Expr& e) const { return wants_something(e, env_->body); }
  bool wants_something(const model::Expr& e, const model::Body* body) const;
  bool may_be_outside(const model::Expr& entry) const;
  std::optional<Register> compared_mask(const model::Expr& condition, model::LocalId local, Register domain);
  bool is_never_none(const model::Expr& e) const;
  std::optional<Register> called_mask(const model::Expr& call, model::LocalId local, Register domain);
  std::optional<Register> same_as_card(const model::Expr& of_card, model::LocalId local, const model::Expr& of_other);
  Register cards_by(const std::vector<std::optional<Int>>& printed, const std::vector<Int>& values, Register index,
                    const std::function<bool(Int printed, Int value)>& holds);
  std::optional<Register> if_any(Register domain, const std::function<std::optional<Register>()>& look);
  static std::vector<const model::Expr*> conjuncts(const model::Expr& condition);
  Register narrowed(Register domain, bool cards, model::LocalId local, std::vector<const model::Expr*>& parts);
  std::optional<Register> static_aggregate(const model::Expr& e, Register domain);

  // ---- elements.cpp
  // The elements of the mask for which `condition` over `local` holds, if it can be said without a loop over them.
  std::optional<Register> element_mask(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> element_mask_all(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> compared_elements(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> compared_with_fixed(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> elements_by_case(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> called_elements(const model::Expr& call, model::LocalId local, Register domain);
  std::optional<std::size_t> element_argument(const model::Expr& call, model::LocalId local) const;
  std::vector<Register> other_arguments(const model::Expr& call, std::size_t element);

  // ---- lanes.cpp
  // A number of each player: the byte in their lane, from 0 to `most`, and what is the same for all of them beside it;
  // then no less than `floor` and no more than `ceiling`. Registers may be none.
  struct Lanes {
    Register bytes = ir::kNoRegister;      // none: what `seen_from` has
    Int most = 0;
    Register beside = ir::kNoRegister, floor = ir::kNoRegister, ceiling = ir::kNoRegister;
    // what hangs on a seat and on who is in alone: the lanes by in * players + seat
    Register seat = ir::kNoRegister;
    std::vector<Int> seen_from = {};
    bool is_bounded() const { return floor != ir::kNoRegister || ceiling != ir::kNoRegister; }
  };
  std::optional<Register> compared_lanes(const model::Expr& condition, model::LocalId local, Register domain);
  Register lanes_within(const Lanes& numbers, Register limit);
  std::optional<Lanes> lanes(const model::Expr& e, model::LocalId local);
  Register bytes_of(const Lanes& numbers);
  std::optional<Lanes> lanes_of_steps(const model::Expr& e, model::LocalId local);
  std::optional<Lanes> least_lanes(const model::Expr& e, model::LocalId local);
  std::optional<Lanes> called_lanes(const model::Expr& call, model::LocalId local);
  std::optional<Lanes> sum_of_lanes(const Lanes& a, const Lanes& c);
  std::optional<Lanes> bend_of_lanes(const model::Modifier& m, std::size_t element,
                                     const std::vector<Register>& arguments);
  std::optional<Lanes> carriers_in_lanes(const model::RuleHead& head);

  std::optional<Register> elements_by_value(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> holding(const model::Expr& e, model::LocalId local, Register value);
  bool has_one_each(const model::Expr& e, model::LocalId local) const;
  bool is_small(const model::Expr& e) const;
  bool is_moved(const model::Expr& e, model::LocalId local) const;
  Register moved_by(const model::Expr& e, model::LocalId local);
  std::optional<Int> apart(const model::Expr& e, model::LocalId local) const;
  Register index_of_first(const model::Expr& e, model::LocalId local);
  Register compared_small(model::ExprKind kind, Register a, Register c);
  struct Topped {
    Int zone, from;
  };
  std::optional<Topped> topped(const model::Expr& e, model::LocalId local) const;
  std::optional<Register> elements_topped(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> elements_topped_as_known(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> owners_of_such(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> set_where_exists(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> cards_by_number(const model::Expr& condition, model::LocalId local, Register domain);
  struct ByNumber;
  std::optional<ByNumber> by_number(const model::Expr& condition, model::LocalId local,
                                    const std::function<bool(const model::Expr&)>& is_number);
  std::vector<Int> could_hold(Register domain, model::LocalId local) const;

  // A function about cells or directions, written where it is called: what it is given is often constant there.
  bool is_inlined(std::uint32_t function) const;
  // What is written out where it stands (calls, loops over directions) must not grow without end.
  bool has_room() const { return builder_->function().registers.size() < 2000; }
  bool too_many_lists(const model::Expr& e);
  Register inline_value(const model::Expr& e);
  Register inline_call(const model::Expr& e);

  // ---- tables.cpp
  model::Type as_list(const model::Type& table) const;
  void fill_table(Register table, const model::Type& type, Register entry);
  Register place_in_table(const model::Type& table, const model::Expr& key);
  Register entry_of(const model::Expr& e);
  void set_entry(Register table, const model::Type& type, const model::Expr& key, const model::Expr& value);
  Register load_table(const model::Expr& e);
  // Lists and tables, which stand in arrays.
  static bool is_array(const model::Type& t) {
    return t.kind == model::TypeKind::list || t.kind == model::TypeKind::map;
  }
  static bool takes_table(const model::Function& f) {
    return std::any_of(f.parameters.begin(), f.parameters.end(), [&](const model::Parameter& p) {
      return f.body.locals[p.local.index].type.kind == model::TypeKind::map;
    });
  }

  // ---- boards.cpp
  const model::Board& board_of(const model::Type& cell) const;
  const model::Board& board_of_edge(const model::Type& edge) const;
  Register edge_of(const model::Expr& e);
  Register cells_beside(const model::Expr& e);
  const model::Board& board_with(const model::Type& direction) const;
  std::optional<Register> cells_by_edge(const model::Expr& condition, model::LocalId local, Register domain);
  Register shift_by(const model::Expr& e);
  void for_each_crossing(const model::Function& f);
  bool is_direction(const model::Type& t) const {
    return t.kind == model::TypeKind::enumeration && model_.enums[t.ref].dirs;
  }
  // How cells move one step: those of a part all by as many ids, so that a shift does it. `last`: beyond it nothing is
  // kept.
  struct Part {
    Int by = 0;
    std::vector<Word> from;
    bool all = false;                    // what else could move so falls off
  };
  std::vector<Part> parts(const model::Board& board, Int direction) const;
  Register cell_at(const model::Expr& e);
  Register step(const model::Expr& e);
  // ---- pieces.cpp
  std::vector<Word> covered_from(const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets,
                                 Int cell) const;
  Int fitting_cells(std::uint32_t shapes);
  Register fits(std::uint32_t shapes, Register shape, Register cell);
  Register footprint(const model::Expr& e);
  Register fitting(const model::Expr& e);
  Int placed_info(std::uint32_t area) const;
  void describe_pieces();
  void describe_dice(const model::Area& area);
  std::vector<std::vector<std::vector<Int>>> edges_by_place(const model::Shapes& shapes) const;
  Register edges_covered(const model::Expr& e);
  void describe_lying_cards();
  std::string free_sign(const std::string& name, std::span<const std::string> taken = {}) const;
  Int sort_of_piece(const model::Area& area, Int part) const;
  Register shift(Register cells, const model::Board& board, const model::Expr& direction, bool back);
  Register shift(Register cells, const model::Board& board, Int direction);
  // The cells from which the steps in `of` (over `local`) lead into `target`, if these are all that it does.
  std::optional<Register> before_steps(const model::Expr& of, model::LocalId local, Register target);
  std::optional<Register> cells_by_key(const model::Expr& condition, model::LocalId local, Register domain);
  std::optional<Register> cells_where(const model::Expr& condition, model::LocalId local, Register domain);
  // A loop over a few directions is written out where its body moves sets by them, so that each move is a constant one.
  bool writes_out(const model::Expr& domain, model::LocalId local, std::initializer_list<const model::Expr*> bodies,
                  const model::Block* block) const;
  void bind_constant(model::LocalId local, Int value);

  // ---- statements.cpp
  void block(const model::Block& statements);
  bool only_looks(const model::Stmt& s) const;
  void note_shown(const model::Stmt& s);
  void statement(const model::Stmt& s);
  void write_statement(const model::Stmt& s);
  void assign_variable(const model::Stmt& s);
  void store(Int variable, Register index, Register value, std::uint32_t model_variable);
  void each(const model::Stmt& s);
  void repeat(const model::Stmt& s);
  void move(const model::Stmt& s);
  // Who is told when one card leaves: in any case, and by the instance where it lies (a table of bits of `stale`).
  struct Leaving {
    Watchers anywhere;
    Int stale;
  };
  // Moves what a register holds; `facing` as Analysis::facing_in says it.
  struct Moving {
    Register found;
    bool cards;                          // a set of them
    Register from, guess;                // instances; `from` none if they come from several
    Watchers touched;                    // by their leaving
    std::optional<Leaving> touched_by;   // … and by that of a card from where it lies, `from`
    std::uint32_t zone;                  // and which instance of it they go to
    Register to;
    Int facing, how;
    bool bottom;
  };
  void move_found(Moving move);
  void room_in_slot(std::uint32_t zone, Register instance, Register what);
  void turn_cards(Register what, bool faceup, Register guess);
  void draw_to(const model::Stmt& s);
  void draw_one(std::uint32_t source, Register from, std::uint32_t zone, Register to, Int facing);
  void deal_each(const model::Stmt& s);
  void deal_pool(const model::Stmt& s);
  void decide_order(const model::Expr& looked_at);
  void afterwards(const model::Stmt& s);
  void return_value(const model::Stmt& s);

  // ---- log.cpp
  struct Secrets;
  using Domains = std::vector<std::pair<model::LocalId, const model::Expr*>>;
  void log(const model::Stmt& s);
  std::string tell(const std::string& pattern, const std::vector<const model::Expr*>& parts, bool as_signs = false);
  std::string sort_in_sign(const model::Type& type) const;
  Int lower_shown_text(const model::ShownText& shown, bool of_something, bool sign);
  Register inner_text(const model::Expr& e);
  std::string plain_text(const model::Expr* text) const;
  void tell_question(Int which, const model::Expr* text);
  // A label as one text, with what stands for each `{}` in it. `picked`: of a set all that was picked, else the first
  // of it.
  struct Label {
    std::string pattern;
    std::vector<const model::Expr*> parts;
  };
  Label label_of(const model::Action& action, bool picked);
  static bool not_chosen_yet(const model::Action& action, const model::Expr& part);
  const model::Expr* named_in_label(const model::Action& action, std::string_view name, bool picked);
  Register copy_meant(const model::Action& action, const model::ActionParameter& p, Register card);
  void log_heading(const char* text, Register number, Register player = ir::kNoRegister);
  void lower_label(std::size_t action);
  Int text_index(const std::string& text);
  std::string sort_in_text(const model::Type& type) const;
  void find_secrets(const model::Expr& e, Domains domains, bool later, Secrets& out);
  void secrets_of_each(const model::Expr& e, Secrets& out);
  void secrets_of_called(const model::Expr& e, Secrets& out);
  void tell_secrets(const Secrets& secrets);
  void hangs_on_cards(const model::Expr& e, const Domains& domains, bool later, Secrets& out);
  bool telling_ = false;                 // a variable that is not set is no error in a text

  // ---- statements.cpp, further
  // Leaves `target`; where it may be that none is running (`running` counts them), only the rule itself is left.
  void end_of(Int target, Int running = -1);
  // Turns, rounds and phases of one name are left and counted as one event: the first of them.
  std::uint32_t of_name(std::uint32_t event) const;
  void check_unwind(ir::FunctionIndex callee);
  void leave_function(Register value);
  void fuel(Int steps = 1) { b().effect(Op::fuel, {steps}); }
  // Until it goes out of scope; then what is written stands where it did before.
  class Standing {
   public:
    explicit Standing(Lowering& lowering) : lowering_(lowering), outer_(lowering.b().where()) {}
    ~Standing() { lowering_.b().at(outer_); }
    Standing(const Standing&) = delete;
    Standing& operator=(const Standing&) = delete;

   private:
    Lowering& lowering_;
    const Range outer_;
  };
  // The game ends here.
  void fail(Trap trap, About about, Register a, Register other) {
    b().effect(Op::fail, {Int(trap), Int(about), a, other});
    b().effect(Op::trap, {Int(trap)});
  }

  // ---- events.cpp
  void declare_events();
  void lower_event(std::size_t index);
  void event_body(std::size_t index);
  void lower_instead_chain(std::size_t index);
  Register collect_carriers(const model::Event& event);
  void handlers_of(const model::Event& event, model::Hook hook, const std::vector<Register>& arguments,
                   Register collected);
  void run_handler(const model::Event& event, std::size_t handler, Register me, Register self,
                   const std::vector<Register>& arguments);
  // Calls `then(me, self)` for every carrier of the rule that is in force; `me` may be fixed beforehand.
  // `together`: once for all cards of a player that carry it, with their set for `self`.
  void carriers(const model::RuleHead& head, Register fixed_me,
                const std::function<void(Register me, Register self)>& then, bool together = false);
  void each_with_character(const model::Carrier& carrier, Register start,
                           const std::function<void(Register me, Register self)>& then);
  // False for the rules of a card that is in no deck, and of a character that no deck can deal at this table: they
  // leave nothing behind.
  bool possible(const model::RuleHead& head) const;
  bool possible(const model::Action& action) const;
  bool in_play(model::KindId kind) const;
  // The cards that a rule hangs on, of player `me` where that matters.
  Register carrier_cards(const model::RuleHead& head, Register me);
  Register zone_cards_of(model::ZoneId zone, Register owner);   // in all parts, if the zone belongs to an area
  std::optional<std::uint32_t> picked_by_me(const model::RuleHead& head) const;
  Register carrier_in_force(const model::RuleHead& head, Register me);
  std::optional<std::size_t> me_argument(const model::RuleHead& head,
                                         const std::vector<model::Pattern>& patterns) const;
  // Jumps to `no` unless patterns and `when` hold; binds the names. The rule's Env must be current.
  void guard(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
             const std::vector<Register>& arguments, BlockIndex no);
  // Sets a scratch variable for the time of the function being written; leave_function puts it back.
  void save_and_set(Int variable, Register value);
  Register scratch_value(Int variable);
  void put_scratch(Int variable, Register value);
  void hand_over(const std::vector<Register>& values);
  Register handed_over(Int variable, Register happened, const model::Expr* otherwise, const model::Type& type);
  Register happened(const model::Expr& call);
  Register taken(const model::Expr& call, Register happened);
  const std::vector<Int>& given_by(const model::Expr& call);
  Register value_settled(const model::Value& value, const std::vector<Register>& arguments);
  Register settled_and_bent(const model::Value& value, const std::vector<Register>& arguments);
  Facts facts_in(const model::Value& value, const model::Modifier& m);
  void lower_value(std::size_t index);
  void work_out(const model::Value& value, ir::FunctionIndex function);
  void lower_function(std::size_t index);
  void lower_handler(std::size_t event, std::size_t handler);
  Register apply_modifiers(const model::Value& value, Register base, const std::vector<Register>& arguments);
  void apply_modifier(const model::Modifier& m, Op op, Register result, const std::vector<Register>& arguments,
                      Facts facts = {});

  // ---- offers.cpp
  // What a choice offers: what fits, and those unseen that could.
  struct Offered {
    Register fitting, unseen = ir::kNoRegister;
  };
  struct Level;
  struct Group;
  struct GroupRun;
  struct Offers;
  struct Chosen;
  struct Offering;
  static bool is_walked(const model::ActionParameter& p);
  std::vector<Group> groups_for(model::WindowId window, Register player, Register sensible = ir::kNoRegister);
  Offers offers_for(model::WindowId window, Register player, Register sensible = ir::kNoRegister);
  std::vector<Int> cards_alone(Group& g);
  // How many options there are; `counted` is told of each group that is counted by itself.
  Register count_offers(Offers& offers, Int site, const std::function<void(Group&)>& counted = {});
  void count_together(Offers& offers, GroupRun& run);
  void list_offers(Offers& offers);
  // Which group the k-th option belongs to: `mine` goes on with it, `k` is its number in the group. What is left over
  // comes after all.
  void choose_offer(Offers& offers, Register k, const std::function<void(Group&)>& mine);
  // Whether the action is offered whenever there is a card for it.
  bool asks_nothing(const Group& g) const;
  void warn_of_telling(const model::Expr& e, const char* what);
  Register count_group(Group& group);
  Register count_level(Group& group, std::size_t level);
  void select_level(Group& group, std::size_t level, Register k);
  void list_group(Group& group, Register some);
  void list_level(Group& group, std::size_t level, Register id);
  Chosen pick_arguments(Group& group, Register k, bool flow);
  void do_group(Group& group, Register k, bool flow);
  Register level_domain(Group& group, std::size_t level);
  // Between which numbers a level's lie; and whether all between them are offered, so that nobody walks through them.
  void level_bounds(Group& group, std::size_t level);
  bool is_interval(Group& group, std::size_t level);
  // Calls `body` with every element and its digit; where some may be unseen it is written twice.
  void each_element(Group& group, std::size_t level,
                    const std::function<void(Register element, Register digit, BlockIndex next)>& body);
  Register level_digit(const Group& group, const Level& level, Register element);
  const ParameterInfo& level_info(const Group& group, const Level& level) const;
  // The zones, by hidden bit, in which cards of a set lie; and one set's cards in the zone of such a bit.
  Register zones_of_unseen(Register cards);
  Register unseen_in(Register cards, Register bit);
  Register unseen_that_fit(Register unseen, model::LocalId element, bool each,
                           const std::function<void(Register one, BlockIndex no)>& test);
  bool tells_unseen_apart(const model::Expr& condition, model::LocalId element) const;
  bool tells_unseen_apart(const Group& group, std::size_t level) const;
  Offered elements_offered(const model::ActionParameter& p, model::LocalId element);
  void find_unseen(Group& group, std::size_t level, Register unseen);
  void do_wrong(Group& group, const Chosen& chosen);
  static std::vector<Level> levels_of(const model::Action& action);
  void only_ones_first(std::vector<Level>& levels);
  static std::vector<const Level*> as_written(const Group& group);
  Int radix_of(const Group& group, const Level& level) const;
  void pass_all(const std::vector<const model::Expr*>& conditions, BlockIndex no);
  void element_conditions(Group& group, std::size_t level, Register element, BlockIndex no);
  void extra_conditions(Group& group, std::size_t level, Register element, BlockIndex no);
  bool has_extra(const Group& group, std::size_t level) const;
  std::size_t parameter_level(const Group& group, std::size_t parameter) const;
  void action_conditions(std::size_t action, Register me, BlockIndex no);
  void declare_sensible();
  Register sensible_in(model::WindowId window);
  Register count_sensible(Offers& offers, Int site, Register sensible, bool may_pass, const model::Expr* pass_when);
  void sensible_only(const Group& group, BlockIndex no);
  bool sensible_reads_parameters(const Group& group) const;
  void forbids(std::size_t action, Register me, const std::vector<Register>& arguments, const std::vector<Fact>& given,
               BlockIndex no);
  bool forbid_reads_parameters(std::size_t action) const;
  Register lookalikes(Register domain, const Group& group, const model::Expr* named);

  // ---- numbers.cpp
  std::optional<Int> course(const model::Expr& e, model::LocalId number) const;
  bool is_bound(const model::Expr& condition, model::LocalId number);
  std::vector<const model::Expr*> bounds_among(const std::vector<const model::Expr*>& conditions, model::LocalId number,
                                               std::vector<const model::Expr*>& left);
  bool narrow_by_value(const model::Expr& condition, model::LocalId number, Register low, Register high,
                       BlockIndex none);
  void narrow_by_halves(const model::Expr& condition, model::LocalId number, Register low, Register high);
  void narrow_numbers(const std::vector<const model::Expr*>& bounds, model::LocalId number, Register low,
                      Register high);
  Register count_numbers(Register low, Register high);

  // ---- choices.cpp
  void take_chosen(const model::Stmt& s, Register chosen, bool is_set);
  Facts facts_of_choice(const model::Expr* who, const model::Stmt& here);
  void keep_if(const model::Expr& keeping, model::LocalId set, Register chosen);
  void choose_number(const model::Stmt& s);
  void note_asked_in_vain(BlockIndex nothing, Register player, BlockIndex then);
  bool is_unseen(const model::Expr* e) const;
  bool filters_unseen(const model::Stmt& s) const;
  void choose(const model::Stmt& s);
  void choose_one(const model::Stmt& s);
  Register may(const model::Expr& e);
  RegisterType picks_type(const model::Type& element, const Fact& of) const;
  Register as_cards(Register picks, const model::Type& element);
  Register more_of_set(Group& group, Level& level, bool flow);
  // Of the cards in the zone out of which an element is taken those that they know, if they see into it.
  std::optional<Register> known_where_taken(model::LocalId element, const model::Expr& who);
  // What the asked player knows of these cards, and the others.
  Offered told_apart(const model::Expr& cards);
  Offered told_apart(Register cards);
  // Cards that could be in a set, for all that the asked player knows.
  Offered offered_domain(const model::Expr& cards);
  Offered offered_domain_where(const model::Expr& cards, model::LocalId element,
                               std::initializer_list<const model::Expr*> conditions);
  Offered offered_either(const Offered& a, const Offered& c);
  Register cards_that_could_be(const model::Expr& cards);
  Offered offered_of(Offered domain, bool cards, model::LocalId element, const model::Expr* where);
  void pick_set(Register chosen, Register want, model::PickCount count, bool cards, const model::Type& element,
                const std::function<Offered()>& offered, const model::Expr* keeping, model::LocalId set_local,
                model::LocalId element_local, Register player, Int block, const Group* named_by_id, std::string window,
                const model::Expr* prompt, bool flow, Range where, bool in_vain,
                const std::function<void()>& names = nullptr);
  Register pick_top(const model::Stmt& s, Register all);
  void arrange(const model::Stmt& s);

  // ---- dice.cpp
  const model::Area* area_with_face(std::uint32_t variable) const;
  Register rolled(const model::Dice& dice);
  Register turned_to(const model::Dice& dice, const model::Expr& face);
  void show_faces(const model::Stmt& s);
  std::vector<Int> marks_of_dice(const model::Type& element) const;
  Register dice_apart(Register dice, const model::Type& element, Register player);

  // ---- option_ids.cpp
  Int card_digits(bool by_id) const { return std::max<Int>(1, by_id ? program_.layout.card_ids : class_count_); }
  Int begin_site(std::string window, const model::Expr* prompt, bool flow, Range where, const char* own_prompt = "");
  void list_options(const std::function<void()>& write, const std::function<void()>& tell = nullptr,
                    const std::function<void()>& names = nullptr);
  std::function<void()> telling(const std::vector<const model::Expr*>& texts, Register offered = ir::kNoRegister);
  void tell_picked(Register chosen, Register want, bool cards, const model::Type& element);
  bool hangs_on_unseen(const model::Action& action) const;
  bool is_forbidden_unseen(const model::Action& action) const;
  void list_option(Register id);
  void list_option_if(Register condition, Register id);
  void list_each(Register elements, const model::Type& element, Int base, bool by_id = false);
  Int add_action(ActionInfo info);
  ParameterInfo parameter_info(const std::string& name, const model::Type& type, bool by_id = false,
                               bool unseen = false) const;
  ParameterInfo parameter_of(const model::Action& action, const model::ActionParameter& p, bool unseen) const;
  ParameterInfo whose_card(const model::Action& action) const;
  static std::vector<Int> kinds_left(const model::Expr* where, model::LocalId card);
  std::vector<Int> cards_meant(const model::ActionParameter& p) const;
  void count_cards(ParameterInfo& info, std::vector<Int> cards) const;
  Register card_digit(const ParameterInfo& info, Register card);
  Int choice_block(const model::Type& element, bool by_id = false, bool unseen = false);
  // A value's digit in an option id. `by_id`: a card's own, else its look-alike class.
  Register digit(const model::Type& type, Register value, bool by_id = false);
  Int digits(const model::Type& type, bool by_id = false) const;
  // Where several answer at once it matters which of two look-alikes somebody names.
  bool by_id(const model::Action& action) const;

  // ---- windows.cpp
  struct LimitUse {
    Int variable = -1;                   // a mask of players, a bit per player and target, or a card set
    bool cards = false;
    bool per_target = false;
  };
  void declare_windows();
  void lower_window(std::size_t index);
  void lower_action(std::size_t index);
  void ask(const model::Stmt& s);
  Register ask_player(const model::Stmt& s, Register player, bool again, BlockIndex close);
  void look_whether_may_pass(const model::Stmt& s, Register player, Register can_pass);
  void unwind_after_action(const model::Stmt& s, Register player, BlockIndex close, Register acted, bool free);
  void leave_window();
  void settle_after_action(Register player, bool again, const model::Expr* until = nullptr, BlockIndex reached = 0);
  void keep_hand(const std::vector<Group>& groups, Register player);
  std::optional<Int> same_limit(std::size_t a, std::size_t l) const;
  void make_limit(std::size_t action, std::size_t limit);
  void remember_limit(model::Scope scope, const model::Action& action, const LimitUse& use);
  Register limit_used(const LimitUse& use, Register me);
  void use_up_limits(std::size_t action, Register me, Register self, std::span<const Register> arguments);
  void use_up_limits_by(std::size_t action, std::span<const Register> arguments);
  Register limit_index(Register me, Register target);
  Int most_targets() const;
  void reset_window_limits(std::uint32_t window, bool nested);
  static bool asks_until(const model::Block& statements);
  void play_to(const model::Action& action, Register self);

  // ---- why.cpp
  void lower_why(std::size_t action);
  bool forbidden_somewhere(std::size_t action) const;

  // ---- at_once.cpp
  // Where the answers of a window lie until they take effect.
  enum SetSort : std::uint8_t { kSetOfCards, kSetOfCells, kSetOfOthers };
  struct Answers {
    Int option = -1, held = -1;                // per player: id or none; mask
    std::array<Int, 3> sets = {-1, -1, -1};    // per player: what was picked for a set, by SetSort
  };
  void declare_answers();
  void lower_landings();
  void ask_at_once(const model::Stmt& s);
  // The parameter for which the action takes a set, or null. It is the last one.
  const model::ActionParameter* set_taken(const model::Action& action) const;
  SetSort sort_of_set(const model::Type& element) const;
  std::vector<Int> declare_picked(Answers& answers, const std::string& where,
                                  const std::function<bool(std::size_t action)>& may_be_kept);
  bool fits_answers(std::size_t action) const;
  std::vector<Register> action_arguments(const model::Action& action);
  void lower_holds(std::size_t action);
  void lower_land(std::size_t action);
  void note_landed(int how, Register player, Register option, const model::Action& action);
  void close_if_ended(const model::Stmt& s, BlockIndex close);
  Register holds(std::size_t action, const std::vector<Register>& arguments);
  Register set_parameter(const model::Type& element);
  Register load_picked(const Answers& answers, const model::Type& element, Register player);
  void keep_answer(const Answers& answers, const Group& group, const Chosen& chosen);
  // Lets the answer of one player take effect: what it gives is kNotLanded, or how long the action keeps them busy.
  void land(const Answers& answers, model::WindowId window, Register player,
            const std::function<void(std::size_t action, Register result)>& then);

  // ---- race.cpp
  void declare_race();
  void describe_race(std::size_t window);
  Register race_load(Int variable, Register index = ir::kNoRegister);
  void race_store(Int variable, Register value, Register index = ir::kNoRegister);
  Register larger(Register a, Register c);
  Register scaled(Register duration);
  Register at_speed(Register duration, Register player);
  Register timing(model::ValueId value, Register player);
  Register modulo_players(Register number);
  Register race_key(Register time, Int kind, Register player);
  // The mask of that mode, or -1: idle; and those in which they may have been till now.
  void set_mode(Register player, Int mode, std::initializer_list<Int> till_now);
  std::size_t effort(const Group& g) const;
  void in_open_race(const std::function<void()>& write, Int window = -1);
  void drop_intents();
  void close_race();
  void write_offers(ir::FunctionIndex function, model::WindowId window, const std::vector<model::ActionId>* counting);
  void write_think(ir::FunctionIndex function, const model::Race& race);
  Register takes(Group& group, const Chosen& chosen);
  void ask_in_real_time(const model::Stmt& s);
  Register latency(const model::Expr& e);
  void delay(const model::Stmt& s);
  void pause(const model::Stmt& s);
  void start_timer(const model::Stmt& s);
  void stop_timer(const model::Stmt& s);

  // ---- flow.cpp
  void declare_flow();
  void lower_settle();
  void lower_settle_player();
  void lower_main();
  void turns(const model::Stmt& s);
  void stop_at_horizon(BlockIndex stop);
  void rounds(const model::Stmt& s);
  void phase(const model::Stmt& s);
  void flow_block(const model::Block& statements);
  std::set<std::uint32_t> flow_in(const model::Stmt& s) const;
  std::set<std::uint32_t> flow_in(const model::Block& block) const;
  void inner_block(const model::Block& statements);
  Register start();
  Register starting_player();
  void has_started(bool whose_too);
  void start_with(std::uint32_t event, bool whose_too);
  void branch_if_starts(Register start, const std::set<std::uint32_t>& events, BlockIndex yes, BlockIndex no);
  void branch_in_flow(const model::Expr& condition, const model::Block& then, BlockIndex yes, BlockIndex no);
  void enter_in_flow(Register element, BlockIndex body, BlockIndex next);
  void settle();
  Register heeded_dirt();
  void heed(Register dirty);
  void settle_one(Register player);
  Int says_as_before(std::size_t whenever) const;
  void branch_on_whenever(std::size_t whenever, BlockIndex yes, BlockIndex no);
  void look_at_whenever(std::size_t whenever, Register player);
  bool has_afterwards() const;
  void run_queue(Register wanted);
  void lower_deferred();
  Int ending_index(const std::string& text, const std::string& words, Range where);
  void winners(const model::Stmt& s);
  bool has_variables(model::Lifetime lifetime) const;
  Register begun_with(model::Lifetime lifetime);
  void reset(model::Lifetime lifetime, Register begun);
  void lower_claims();
  void describe_edges(const model::Board& board, BoardInfo& info) const;
  void lower_shown();
  BoardShows lower_shown(const model::Board& board, const model::Board::Shows& shows, model::EnumId by);
  void note_ways_out();
  void bound_recursion();

  // ---- watch.cpp
  void make_watches();
  void watch_characters();
  void watch(const analysis::Reads& reads, Watchers who);
  Watchers watchers_leaving(const model::Expr& what) const;
  std::optional<Watchers> watchers_leaving_known(const model::Expr& what) const;
  std::optional<Leaving> watchers_by_instance();
  Watchers watchers_move(std::uint32_t from, std::uint32_t to) const;
  Watchers watchers_variable(std::uint32_t variable) const;
  void touch(Watchers who);
  void touch(Int variable, Register bits);
  void touch(const Leaving& leaving, Register from);

  // ---- kept.cpp
  struct Kept {
    std::uint32_t value;
    Int bit;                             // of `stale`
    std::vector<Bounds> keys;            // one for each parameter; an optional one starts one lower, with none
    Int count;                           // of all their combinations
    Int results = -1, known = -1;        // variables: what was worked out, and for which arguments
  };
  void find_kept();
  const Kept* kept(std::size_t value) const;
  void lower_kept(const Kept& kept, ir::FunctionIndex work);
  void lower_kept_table(const Kept& kept);
  void forget_kept(const Kept& kept, Register stale);
  Register kept_entry(const Kept& kept, Register place);
  bool is_printed(std::size_t attribute) const;
  bool somebody_chooses_cards() const;
  void find_exposed();
  void place_event_variables(std::size_t index);

  // ---- guesses.cpp
  std::optional<analysis::Origin> origin(const model::Expr& e) const;
  Register instance_of(const analysis::Origin& at);
  Register guess(const model::Expr& e);
  bool guess_is_vague(const model::Expr& e);
  Register guess(model::LocalId local);
  Register guess_before_turned(const model::Expr& e, bool faceup);

  // ---- explain.cpp
  struct Explaining {                    // while its names mean this: do conditions say why?
    Explaining(Lowering& lowering, bool now) : env(lowering.env_), outer(std::exchange(lowering.env_->explains, now)) {}
    ~Explaining() { env->explains = outer; }
    Explaining(const Explaining&) = delete;
    Env* env;
    bool outer;
  };
  void note(std::string_view text);
  Int open_notes();
  void close_notes(Int opened, std::string_view how);
  bool is_of_page(Range range) const;
  void note_condition(const model::Expr& e, std::string_view side = {});
  void note_said(const model::Expr& text);
  void note_element(model::LocalId local);
  void note_bent(const model::RuleHead& head);
  Register quietly(const model::Expr& e);
  void explain(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void explain_both(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void explain_either(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void explain_exists(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void explain_member_of_both(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes,
                              BlockIndex no);
  void explain_member(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes, BlockIndex no,
                      std::string_view side = {});
  bool is_compared_element(const model::Type& set) const;
  Register explained_call(const model::Expr& e, Register member);
  ir::FunctionIndex explained_function(bool is_value, std::uint32_t ref, bool of_member);
  Register explained_value(const model::Expr& e);
  void explain_return(const model::Stmt& s);
  void explain_supposed(const model::Expr& e, BlockIndex yes, BlockIndex no);
  void fails(BlockIndex no, const model::Expr* part, std::string words, Range where);
  void look_why(const model::Expr& part);
  void look_why_in(const model::Expr& domain, Register x);
  ir::FunctionIndex lower_explanation(std::size_t index);
  std::optional<std::vector<model::LocalId>> names_in_choice(const model::Stmt& s);
  std::function<void()> telling_names(const model::Stmt& s);
  Register named_parameter(const model::Type& type);
  void note_name(const model::Body& body, model::LocalId local);
  ir::FunctionIndex lower_explanation(const AskedChoice& choice, std::size_t source);
  void lower_explanations();

  // ---- metadata.cpp
  void describe();
  std::string reason_text(Range range) const;

  // ---- a function being written
  Builder& b() { return *builder_; }
  Env& env() { return *env_; }
  ir::FunctionIndex new_function(std::string name, ir::Returns returns, Range where, bool shown = true);
  // Writes the body of a function: makes builder and environment current for the time of `write`.
  void write_function(ir::FunctionIndex index, Env& environment, const std::function<void()>& write);
  void with_env(Env& environment, const std::function<void()>& write);
  void bind_locals(Env& e, const model::Body& body);
  void bind(model::LocalId local, Register reg);
  ir::Returns returns_of(const model::Type& type) const;
  Register parameter(const model::Type& type);
  Register parameter(const model::Body& body, model::LocalId local);
  Register parameter(const model::Type& type, RegisterType as);
  ir::Function& function(ir::FunctionIndex i) { return program_.playout.functions[i]; }

  const model::Model& model_;
  Diagnostics& diagnostics_;
  analysis::Secrecy secrecy_;
  analysis::Offers offers_;
  std::unique_ptr<Program> owned_ = std::make_unique<Program>();
  Program& program_;
  bool plain_;                           // no short cuts: each place that takes one looks
  bool explaining_ = false;              // explanations are written
  Explanations* explanations_ = nullptr;   // if any are wanted
  std::vector<AskedChoice> asked_choices_;   // of which there can be one
  Int notes_ = 0;
  // values and functions, also of sets whether something is in them
  std::map<std::tuple<bool, std::uint32_t, bool>, ir::FunctionIndex> explained_;
  Builder* builder_ = nullptr;
  Env* env_ = nullptr;
  bool too_large_ = false;

  std::vector<Int> card_id_;             // model card -> id
  std::vector<Int> id_card_;             // id -> model card, or -1 for a guard
  std::vector<Int> class_of_;            // id -> look-alike class
  Int class_count_ = 0;
  std::vector<Int> variable_of_;         // model variable -> slot
  std::vector<Int> pool_variable_;
  const analysis::Called called_ = analysis::called_in(model_);
  const analysis::Orders orders_ = analysis::orders_in(model_);
  const std::vector<bool> always_ordered_ = analysis::zones_in_known_order(model_);
  std::vector<Int> facedown_zone_;       // model zone -> Program zone that holds its face-down cards, or -1
  Int active_ = 0, turn_number_ = 0, round_number_ = 0, play_over_ = 0, ending_ = 0, cancelled_ = 0, dirty_ = 0;
  // bits of `dirty` that somebody may care about; none where that is always all of them
  Int heeded_ = -1;
  std::vector<Kept> kept_;
  Int start_player_ = 0, start_event_ = 0;
  bool queue_used_ = false;
  Int race_tie_ = 0, race_quiet_ = 0, race_resume_ = 0, race_asked_ = 0, race_timers_ = 0, race_quiets_ = 0;
  Answers race_answers_;
  // window and Race::resumes: variables for Resume::held
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Int>> race_held_;
  std::vector<Int> timer_at_;            // model timer -> variable

  std::vector<ir::FunctionIndex> event_function_, event_body_function_, value_function_, function_function_,
      window_function_, action_function_, holds_function_, land_function_;   // the last two 0 where nobody asks
  std::map<std::uint32_t, ir::FunctionIndex> supposed_function_;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> handler_function_;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> chain_function_;   // event, position in its chain
  // event -> instead handlers, strongest first
  std::map<std::size_t, std::vector<std::size_t>> chain_;
  ir::FunctionIndex settle_function_ = 0, settle_player_function_ = 0, check_function_ = 0;
  bool has_settle_player_ = false;

  // scratch of fields that other rules read: (event or window, index) -> variable
  std::map<std::pair<std::uint32_t, Int>, Int> window_field_, event_field_, window_left_;
  std::vector<std::vector<Int>> event_gives_, window_gives_;   // see hand_over
  std::map<std::uint32_t, Int> event_depth_, window_depth_;   // how many run: of events by of_name()
  Int phase_depth_ = -1;

  std::map<std::pair<std::size_t, std::size_t>, LimitUse> limits_;    // action, limit
  std::map<std::pair<std::uint32_t, int>, Int> group_limits_;
  std::map<model::Scope, std::vector<Int>> scope_limits_;   // variables to clear
  std::map<std::uint32_t, std::set<Int>> window_limits_;
  std::vector<BlockIndex> allowed_ends_;
  std::vector<std::uint32_t> inlining_;  // functions, outermost first

  std::vector<Int> action_info_;         // model action -> Program::actions
  std::map<std::string, Int> choice_blocks_;
  Int next_id_ = 0;
  Int pass_action_ = -1, yes_no_action_ = -1, wait_action_ = -1;

  std::vector<Int> whenever_told_, whenever_bit_;
  Int sleeping_bits_ = 0;                // of whenevers that count for nothing while nobody has their character
  // while all are looked at: whether the last one holds; none where it was not looked at
  Register whenever_said_ = ir::kNoRegister;
  std::vector<ir::FunctionIndex> whenever_function_;
  std::optional<Int> within_ending_;     // while the block of an `end when` is written: which of Program::endings it is
  ir::FunctionIndex queue_runner_ = 0;
  std::map<std::uint32_t, Watchers> watch_variables_;
  std::vector<Watchers> watch_entered_, watch_left_;   // by zone
  Watchers watch_zones_, watch_players_, watch_always_;   // watch_zones_: whoever looks at any zone

  std::optional<analysis::Origins> origins_;   // not of a plain Program
  std::deque<model::Expr> own_exprs_;
  std::set<const model::Expr*> named_;   // parameters in labels: they are told as what is chosen is
  Int class_cards_ = -1;                 // table: the cards of each class of look-alikes

  struct Deferred {
    const model::Stmt* stmt;
    const model::Body* body;
    std::vector<std::pair<model::LocalId, bool>> captured;   // local, is it a card set
  };
  std::vector<Deferred> deferred_;
  struct KeptZone {                      // a zone already read at this decision site
    std::uint32_t zone = 0;
    Register player = ir::kNoRegister, cards = ir::kNoRegister;
  } kept_zone_;
  Register collected_ = ir::kNoRegister; // carriers(): only cards that were there when the event began …
  std::deque<model::Expr> rewritten_;    // expressions that stand for others …
  std::deque<model::Body> rewritten_for_;   // … and the locals of where they stand
  // A loop that only looks: what does not hang on its element is worked out when it is first needed, once.
  struct HoistScope {
    BlockIndex before = 0;               // where the flags of what is known begin as 0 …
    std::size_t at = 0;                  // … before this instruction
    std::set<Register> varying;          // the element, and what is computed from it
  };
  HoistScope* hoist_ = nullptr;
  int called_deep_ = 0;                  // values written where they are called, one inside the other
  // of this condition it is asked only whether any element has it, so any mask but 0 says so
  const model::Expr* only_whether_ = nullptr;
  Asking asking_;
  // values and functions as who is asked may know them
  std::map<std::tuple<bool, std::uint32_t, std::vector<Fact>>, ir::FunctionIndex> asked_functions_;
  Int met_unknown_ = -1;                 // one of these could not say
  std::optional<ir::FunctionIndex> forget_function_;   // makes nothing of that again
  struct Unasked {                       // while it is worked out as it is
    explicit Unasked(Lowering& lowering) : of(lowering), asking(std::exchange(of.asking_, {})) {}
    ~Unasked() { of.asking_ = asking; }
    Unasked(const Unasked&) = delete;
    Lowering& of;
    Asking asking;
  };
  struct Taken {                         // while it is looked at, an element lies in the zone out of which it is taken
    Taken(Lowering& lowering, model::LocalId element, const model::Expr* zone);
    ~Taken() { of.taken_ = outer; }
    Taken(const Taken&) = delete;
    Lowering& of;
    const Taken* outer;
    const Env* env;
    model::LocalId element;
    const model::Expr* zone;
  };
  const Taken* taken_ = nullptr;
  bool recheck_ = false;                 // … and are still there when their turn comes
  bool all_cards_ = false;               // carrier_cards(): also those for which `in force while C` does not hold now
  // where it is only asked whether there is an option: where to go with the first
  std::optional<BlockIndex> first_option_;
  std::set<std::uint32_t> ended_events_, ended_windows_;   // named by some `end`
  std::set<ir::FunctionIndex> enders_;   // functions that say `end` themselves
  ir::FunctionIndex current_function_ = 0;
  std::map<std::vector<Int>, Int> tables_;
};

void finish_layout(Program& program, Int frame_bytes);

}  // namespace cardwright::lower
