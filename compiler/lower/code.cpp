// Expressions. Each gives a register: an int (scalars, masks) or a card set; see Lowering::register_type.
#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- functions, locals

ir::FunctionIndex Lowering::new_function(std::string name, ir::Returns returns, Range where, bool shown) {
  ir::Function f;
  f.name = std::move(name);
  f.returns = returns;
  f.where = where;
  f.shown = shown;
  program_.playout.functions.push_back(std::move(f));
  return static_cast<ir::FunctionIndex>(program_.playout.functions.size() - 1);
}

void Lowering::with_env(Env& environment, const std::function<void()>& write) {
  Env* outer = env_;
  env_ = &environment;
  write();
  env_ = outer;
}

// The function is written aside and moved in at the end, because writing it may add functions.
void Lowering::write_function(ir::FunctionIndex index, Env& environment, const std::function<void()>& write) {
  ir::Function f = std::move(function(index));
  Builder builder(f);
  builder.at(f.where);
  Builder* outer = builder_;
  ir::FunctionIndex outer_function = current_function_;
  builder_ = &builder;
  current_function_ = index;
  if (environment.flow) program_.flow_functions.push_back(Int(index));
  with_env(environment, write);
  if (!builder.closed()) {
    if (f.returns == ir::Returns::nothing) builder.effect(Op::ret, {});
    else if (f.returns == ir::Returns::set) builder.effect(Op::ret_set, {builder.set(Op::set_empty, {})});
    else builder.effect(Op::ret_int, {builder.constant(kNone)});
  }
  for (ir::Block& block : f.blocks)                        // blocks that nothing reaches still need an end
    if (block.code.empty() || !ends_block(block.code.back().op))
      block.code.push_back({Op::trap, ir::kNoRegister, {static_cast<Int>(Trap::fell_through)}, f.where});
  builder_ = outer;
  current_function_ = outer_function;
  function(index) = std::move(f);
}

RegisterType Lowering::register_type(const model::Type& type) const {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::player: return int_type(1);
    case TypeKind::card: return int_type(program_.layout.card_ids <= 127 ? 1 : 2, true);
    case TypeKind::enumeration:
    case TypeKind::kind: return int_type(bounds(type).hi <= 127 ? 1 : 2);
    case TypeKind::integer:
      if (type.lo > -128 && type.hi <= 127) return int_type(1);
      if (type.lo > -32768 && type.hi <= 32767) return int_type(2);
      return int_type(8);
    case TypeKind::set:
      return is_wide(type) ? set_of(*type.elem) : int_type(type.elem && type.elem->kind == TypeKind::player ? 4 : 8);
    case TypeKind::list: return list_register(type);
    case TypeKind::map: return list_register(as_list(type));
    default: return int_type(8);
  }
}

// Cards that a rule names are the same in every world that is drawn.
RegisterType Lowering::local_type(const model::Body& body, model::LocalId local) {
  RegisterType type = register_type(body.locals[local.index].type);
  if (type.holds_card && secrecy_.holds_named(body, local)) type.holds_card = false;
  return type;
}

RegisterType Lowering::set_of(const model::Type& element) const {
  RegisterType type = set_type();
  type.holds_card = element.kind == TypeKind::card;
  return type;
}

Register Lowering::empty_set(const model::Type& element) {
  Register r = b().make(set_of(element));
  b().put(Op::set_empty, r, {});
  return r;
}

Register Lowering::universe(const model::Type& element) {
  if (element.kind == TypeKind::player) return b().integer(Op::players_in, {}, 4);
  if (element.kind == TypeKind::card) return const_cards(card_id_);
  const Bounds range = bounds(element);
  if (!is_wide_element(element))
    return b().constant(((Int{1} << std::min<Int>(model::kMostInSet + 1, range.hi - range.lo + 1)) - 1) << range.lo);
  std::vector<Int> all;
  for (Int i = range.lo; i <= range.hi; ++i) all.push_back(i);
  Register r = const_cards(all);
  b().holds_no_card(r);
  return r;
}

ir::Returns Lowering::returns_of(const model::Type& type) const {
  if (type.kind == TypeKind::nothing || type.kind == TypeKind::poison) return ir::Returns::nothing;
  return is_wide(type) ? ir::Returns::set : ir::Returns::integer;
}

// A list comes as its length and all its elements.
Register Lowering::parameter(const model::Type& type) { return parameter(type, register_type(type)); }

Register Lowering::parameter(const model::Body& body, model::LocalId local) {
  return parameter(body.locals[local.index].type, local_type(body, local));
}

Register Lowering::parameter(const model::Type& type, RegisterType as) {
  if (type.kind == TypeKind::list) {
    const Register list = b().make(register_type(type));
    std::vector<Register> parts;
    for (std::size_t i = 0; const RegisterType& part : parts_of(b().type(list))) {
      const bool number = part.kind == ir::RegisterKind::integer && holds_ints(type) && i++ > 0;
      parts.push_back(b().make(number ? register_type(*type.elem) : part));
      b().function().parameters.push_back(parts.back());
    }
    put_together(list, parts);
    return list;
  }
  Register r = b().make(as);
  b().function().parameters.push_back(r);
  return r;
}

void Lowering::bind_locals(Env& e, const model::Body& body) {
  e.body = &body;
  if (e.places.size() < body.locals.size()) e.places.resize(body.locals.size());
}

void Lowering::bind(model::LocalId local, Register reg) {
  if (!local.valid()) return;
  if (env().places.size() <= local.index) env().places.resize(local.index + 1);
  env().places[local.index] = {Place::Kind::reg, reg, -1};
  if (hoist_) hoist_->varying.insert(reg);             // most likely an element
}

Register Lowering::read_local(model::LocalId local) {
  if (env().places.size() <= local.index) env().places.resize(local.index + 1);
  Place& place = env().places[local.index];
  const model::Type* type =
      env().body && local.index < env().body->locals.size() ? &env().body->locals[local.index].type : nullptr;
  if (place.kind == Place::Kind::variable) {
    if (!type || !is_wide(*type)) return scratch_value(place.variable);
    Register set = b().make(set_of(*type->elem));
    b().put(Op::load_set, set, {place.variable, b().constant(0)});
    return set;
  }
  if (place.kind == Place::Kind::constant) return b().constant(place.value);
  if (place.kind == Place::Kind::none) {
    place = {Place::Kind::reg, b().make(type ? local_type(*env().body, local) : int_type()), -1};
  }
  return place.reg;
}

void Lowering::bind_constant(model::LocalId local, Int value) {
  if (env().places.size() <= local.index) env().places.resize(local.index + 1);
  env().places[local.index] = {Place::Kind::constant, ir::kNoRegister, -1, value};
}

// A window's variable that other rules reach.
bool Lowering::lies_in_state(model::LocalId local) {
  return local.index < env().places.size() && env().places[local.index].kind == Place::Kind::variable;
}

void Lowering::write_local(model::LocalId local, Register value) {
  if (lies_in_state(local)) {
    put_scratch(env().places[local.index].variable, value);
    return touch(watch_always_);
  }
  if (b().type(value).kind == ir::RegisterKind::array) return b().effect(Op::list_copy, {read_local(local), value});
  const Register place = read_local(local);
  if (b().type(place).kind == ir::RegisterKind::array)
    return fill_table(place, env().body->locals[local.index].type, value);
  b().assign(place, value);
}

Register Lowering::default_value(const model::Type& type) {
  if (is_wide(type)) return empty_set(*type.elem);
  if (type.kind == TypeKind::list) {
    const Register list = b().make(register_type(type));
    b().effect(Op::array_fill, {list, b().constant(0)});
    return list;
  }
  if (type.optional) return b().constant(kNone);
  if (is_mask(type)) return b().constant(0);
  return b().constant(type.kind == TypeKind::integer ? std::clamp<Int>(0, type.lo, type.hi) : 0);
}

// ---------------------------------------------------------------- constants

Int Lowering::table_index(std::vector<Int> values) {
  auto [it, fresh] = tables_.emplace(values, static_cast<Int>(program_.playout.tables.size()));
  if (fresh) program_.playout.tables.push_back(std::move(values));
  return it->second;
}

Int Lowering::set_index(std::vector<Word> bits) {
  bits.resize(program_.layout.words);
  auto& sets = program_.playout.sets;
  auto it = std::find(sets.begin(), sets.end(), bits);
  if (it != sets.end()) return it - sets.begin();
  sets.push_back(std::move(bits));
  return static_cast<Int>(sets.size() - 1);
}

Register Lowering::const_cards(const std::vector<Int>& ids) {
  std::vector<Word> bits(program_.layout.words);
  for (Int id : ids) bits[id / 64] |= Word{1} << (id % 64);
  return b().set(Op::const_set, {set_index(std::move(bits))});
}

std::vector<Int> Lowering::cards_of_kinds(const std::vector<model::KindId>& kinds) const {
  std::vector<Int> numbers;
  for (const model::KindId k : kinds) numbers.push_back(k.index);
  return cards_of_kinds(numbers);
}
std::vector<Int> Lowering::cards_of_kinds(const std::vector<Int>& kinds) const {
  std::vector<Int> ids;
  for (std::size_t c = 0; c < model_.cards.size(); ++c)
    if (std::find(kinds.begin(), kinds.end(), Int(model_.cards[c].kind.index)) != kinds.end())
      ids.push_back(card_id_[c]);
  return ids;
}

Int Lowering::constant_value(const model::Expr& e) const {
  if (e.kind == ExprKind::set_constant) {
    Int mask = 0;
    for (Int v : e.values) mask |= Int{1} << (v & 63);
    return mask;
  }
  return static_value(nullptr, e, model::LocalId{}, -1).value_or(0);
}

bool Lowering::mentions(const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local && e.local == local) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && mentions(*a, local); });
}

// May it be computed early or twice: no effect, no chance. (It may still trap.)
bool Lowering::pure(const model::Expr& e) const {
  switch (e.kind) {
    case ExprKind::zone_top: case ExprKind::zone_bottom: return always_ordered_[e.ref];
    case ExprKind::call_event: case ExprKind::open_window: case ExprKind::proceed: case ExprKind::may:
    case ExprKind::roll: case ExprKind::pick_random: case ExprKind::random_n: case ExprKind::supposing:
    case ExprKind::latency:
    case ExprKind::zone_top_n: case ExprKind::text:
      return false;
    default:
      return std::all_of(e.args.begin(), e.args.end(), [this](const model::Expr* a) { return !a || pure(*a); });
  }
}

// ---------------------------------------------------------------- places

Register Lowering::zone_instance(std::uint32_t zone, const model::Expr* owner, const model::Expr* copy) {
  const ZoneSlot& slot = program_.zones[zone];
  if (slot.owners == 1 && slot.copies == 1) return b().constant(slot.first);
  Register o = owner ? expr(*owner) : b().constant(0);
  Register c = copy ? expr(*copy) : b().constant(0);
  return b().integer(Op::zone_index, {Int(zone), o, c}, 1);
}

Register Lowering::zone_instance(model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = program_.zones[zone.index];
  if (slot.owners == 1) return b().constant(slot.first);
  return b().integer(Op::zone_index, {Int(zone.index), owner, b().constant(0)}, 1);
}

Register Lowering::facedown_instance(std::uint32_t zone, Register instance) {
  const Int offset = program_.zones[facedown_zone_[zone]].first - program_.zones[zone].first;
  return b().integer(Op::add_small, {instance, b().constant(offset)}, 1);
}

Register Lowering::zone_of(const model::Expr& e) {
  const Register card = expr(e);
  if (asking() && !fact(e).placed) need(knows_all(b().set(Op::set_of, {card})));
  return b().integer(Op::zone_of, {card, guess(e)});
}

Register Lowering::zone_set(std::uint32_t zone, Register instance) {
  Register cards = b().set(Op::zone_cards, {instance});
  if (facedown_zone_[zone] < 0) return cards;
  return b().set(Op::set_or, {cards, b().set(Op::zone_cards, {facedown_instance(zone, instance)})});
}

Register Lowering::top_instance(std::uint32_t zone, Register instance) {
  // both sides are one pile
  if (facedown_zone_[zone] < 0 || program_.layout.instance[program_.zones[zone].first].ordered) return instance;
  return b().integer(
      Op::select,
      {b().integer(Op::set_any, {b().set(Op::zone_cards, {instance})}, 1), instance, facedown_instance(zone, instance)},
      1);
}

// Parts are counted from 1: that of a player or a constant is one more than what it belongs to.
static const model::Expr* counted_from_nought(const model::Expr& part) {
  if (part.kind == ExprKind::part_of_constant) return part.args[0];
  const bool only = part.kind == ExprKind::part_at && part.value == 1 && part.args[1]->kind == ExprKind::constant &&
                    part.args[1]->value == 1;
  return only ? part.args[0] : nullptr;
}

Register Lowering::flat_index(const model::Variable& variable, const std::vector<const model::Expr*>& args,
                              std::size_t first) {
  const std::size_t dimensions = variable.indices.size() + (variable.per_player ? 1 : 0);
  Register index = ir::kNoRegister;
  std::size_t at = first;
  const auto add = [&](const Bounds& bound) {
    const Int count = bound.hi - bound.lo + 1;
    const model::Expr& said = *args[at++];
    const model::Expr* from_nought = dimensions > 1 || plain_ ? nullptr : counted_from_nought(said);
    Register i = expr(from_nought ? *from_nought : said);
    // An index outside its own dimension must not reach into the next row; that of a single one is checked where it is
    // used.
    if (dimensions > 1) i = b().integer(Op::place_in, {i, bound.lo, count});
    else if (bound.lo != 0 && !from_nought) i = b().integer(Op::sub_small, {i, b().constant(bound.lo)});
    index = index == ir::kNoRegister
                ? i
                : b().integer(Op::add_small, {b().integer(Op::mul_small, {index, b().constant(count)}), i});
  };
  if (variable.per_player) add({0, model_.players - 1});
  for (const model::Type& dimension : variable.indices) add(bounds(dimension));
  return index == ir::kNoRegister ? b().constant(0) : index;
}

// Where knowledge of a secret variable stands: of a list it is that of its first place.
Register Lowering::known_at(std::uint32_t variable, const std::vector<const model::Expr*>& args, std::size_t first) {
  const Register index = flat_index(model_.variables[variable], args, first);
  const Int run = program_.variable_infos[variable_of_[variable]].run();
  return run > 0 ? b().integer(Op::mul_small, {index, b().constant(run)}) : index;
}

// What is printed on each card, or stands with each constant.
std::vector<Int> Lowering::printed(const model::Expr& e) const {
  std::vector<Int> values;
  if (e.args[0]->type.kind == TypeKind::card) {
    for (Int card : id_card_) values.push_back(card < 0 ? kNone : model_.cards[card].attributes[e.ref]);
    return values;
  }
  const model::Enum& en = model_.enums[e.args[0]->type.ref];
  std::size_t position = 0;
  while (position < en.attributes.size() && en.attributes[position].index != e.ref) ++position;
  for (const model::EnumConst& c : en.constants)
    values.push_back(position < c.attributes.size() ? c.attributes[position] : kNone);
  return values;
}

// `a.road`, of which the entries are attributes of one thing that is there.
bool Lowering::is_printed_table(const model::Expr& e) const {
  return e.kind == ExprKind::list_literal && !e.args.empty() && e.args[0]->kind == ExprKind::attribute &&
         !e.args[0]->args[0]->type.optional && std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) {
           return a->kind == ExprKind::attribute && a->args[0] == e.args[0]->args[0];
         });
}

// `a.road[b]`: all of them in one table, row by row.
Register Lowering::printed_entry(const model::Expr& e) {
  const std::vector<const model::Expr*>& columns = e.args[0]->args;
  std::vector<std::vector<Int>> by_column;
  for (const model::Expr* column : columns) by_column.push_back(printed(*column));
  std::vector<Int> rows, keys, entries;
  for (std::size_t row = 0; row < by_column[0].size(); ++row) {
    rows.push_back(Int(row * columns.size()));
    for (const std::vector<Int>& column : by_column) entries.push_back(column[row]);
  }
  for (std::size_t key = 0; key < columns.size(); ++key) keys.push_back(Int(key));   // what is no key traps
  const Register row = b().integer(Op::table, {table_index(std::move(rows)), card_seen(*columns[0]->args[0])});
  const Register key = b().integer(Op::table, {table_index(std::move(keys)), expr(*e.args[1])});
  return b().integer(Op::table, {table_index(std::move(entries)), b().integer(Op::add, {row, key})});
}

Register Lowering::attribute(const model::Expr& e) {
  Register of = card_seen(*e.args[0]);
  const Register found = b().integer(Op::table, {table_index(printed(e)), of});
  if (!is_mask(e.type) || !e.args[0]->type.optional) return found;
  // what nothing has is empty
  return b().integer(Op::select, {b().integer(Op::eq, {of, b().constant(kNone)}, 1), b().constant(0), found});
}

// ---------------------------------------------------------------- what a card counts as

// Those of `domain` that an Also rule makes one of `kinds`; `holder` is the player whose cards they are, if known.
Register Lowering::also_set(const std::vector<Int>& kinds, Register domain, Register holder) {
  Register found = b().set(Op::set_empty, {});
  for (const model::Also& also : model_.alsos) {
    if (std::find(kinds.begin(), kinds.end(), Int(also.counts_as.index)) == kinds.end()) continue;
    std::vector<Int> made;
    for (model::KindId k : also.kinds)
      if (std::find(kinds.begin(), kinds.end(), Int(k.index)) == kinds.end()) made.push_back(k.index);
    if (made.empty()) continue;
    Register candidates = b().set(Op::set_and, {domain, const_cards(cards_of_kinds(made))});
    Env inner = env();
    model::Body none;
    inner.body = &none;
    inner.places.clear();
    inner.facts = {};
    with_env(inner, [&] {
      carriers(also.head, holder, [&](Register me, Register) {
        Register zone = b().set(Op::zone_cards, {zone_instance(also.zone, me)});
        b().put(Op::set_or, found, {found, b().set(Op::set_and, {candidates, zone})});
      });
    });
  }
  return found;
}

Register Lowering::counts_as(const model::Expr& e) {
  Register card = card_seen(*e.args[0]);
  Register result = b().make(int_type(1));
  Register printed = b().integer(Op::set_has, {const_cards(cards_of_kinds(e.values)), card}, 1);
  bool also = std::any_of(model_.alsos.begin(), model_.alsos.end(), [&](const model::Also& a) {
    return std::find(e.values.begin(), e.values.end(), Int(a.counts_as.index)) != e.values.end();
  });
  if (!also) return printed;
  Register holder = e.args.size() > 1 && e.args[1] ? expr(*e.args[1]) : ir::kNoRegister;
  Register one = b().set(Op::set_of, {card});
  if (asking() && !fact(*e.args[0]).placed) need(knows_all(one));
  Register made = b().integer(Op::set_any, {also_set(e.values, one, holder)}, 1);
  b().put(Op::or_, result, {printed, made});
  return result;
}

// ---------------------------------------------------------------- sets and their elements

// Of one element of a set or mask.
RegisterType Lowering::element_type(Register set) {
  if (b().type(set).kind != ir::RegisterKind::set) return int_type(1);
  return b().type(set).holds_card ? register_type(simple(TypeKind::card)) : int_type(2);
}

void Lowering::for_each(Register domain, bool cards, const std::function<void(Register)>& body) {
  if (const auto mask = b().known_here(domain); mask && std::has_single_bit(static_cast<std::uint64_t>(*mask)))
    return body(b().constant(std::countr_zero(static_cast<std::uint64_t>(*mask))));
  Register rest = b().make(b().type(domain));
  b().assign(rest, domain);
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  Register more = cards ? b().integer(Op::set_any, {rest}, 1) : b().integer(Op::ne, {rest, b().constant(0)}, 1);
  b().branch(more, inside, done);
  b().go_to(inside);
  Register element = b().make(element_type(rest));
  b().put(cards ? Op::set_first : Op::mask_first, element, {rest});
  if (cards) b().put(Op::set_rest, rest, {rest});
  else b().put(Op::mask_without, rest, {rest, b().integer(Op::mask_of, {element})});
  body(element);
  b().jump(head);
  b().go_to(done);
}

// Players of `mask` one after the other from `start`; `body` may jump to `next` to go on.
void Lowering::clockwise(Register mask, Register start, bool backwards,
                         const std::function<void(Register, BlockIndex)>& body) {
  Register rest = b().make_int(4);
  b().assign(rest, mask);
  Register from = b().make(int_type(1));
  b().put(Op::select, from, {b().integer(Op::eq, {start, b().constant(kNone)}, 1), b().constant(0), start});
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::ne, {rest, b().constant(0)}, 1), inside, done);
  b().go_to(inside);
  Register player = b().make(int_type(1));
  b().put(backwards ? Op::mask_previous : Op::mask_next, player, {rest, from});
  b().put(Op::mask_without, rest, {rest, b().integer(Op::mask_of, {player}, 4)});
  body(player, head);
  b().jump(head);
  b().go_to(done);
}

Register Lowering::filtered(Register domain, bool cards, model::LocalId local, const model::Expr* where) {
  if (!where) return domain;
  std::vector<const model::Expr*> parts = conjuncts(*where);
  domain = narrowed(domain, cards, local, parts);
  if (parts.empty()) return domain;
  Register found = b().make(b().type(domain));
  if (cards) b().put(Op::set_empty, found, {});
  else b().assign_constant(found, 0);
  look_through(domain, cards, [&](Register element) {
    bind(local, element);
    BlockIndex next = b().add_block();
    for (const model::Expr* part : parts) {
      BlockIndex yes = b().add_block();
      branch_on(*part, yes, next);
      b().go_to(yes);
    }
    if (cards) b().put(Op::set_add, found, {found, element});
    else b().put(Op::mask_or, found, {found, b().integer(Op::mask_of, {element})});
    b().jump(next);
    b().go_to(next);
  });
  return found;
}

Register Lowering::filter(const model::Expr& e) {
  if (e.type.kind == TypeKind::list) return list_value(e);
  bool cards = is_wide(e.args[0]->type);
  Register domain = looked_through(*e.args[0], e.local, {e.args[1]});
  const Taken taken(*this, e.local, e.args[0]);
  return filtered(domain, cards, e.local, e.args[1]);
}

Register Lowering::aggregate(const model::Expr& e) {
  bool cards = is_wide(e.args[0]->type);
  const model::Expr* body = e.args.size() > 2 ? e.args[2] : nullptr;
  if (e.value == 3 && is_wide(e.type) && !e.args[1] && writes_out(*e.args[0], e.local, {body}, nullptr)) {
    Register all = empty_set(*e.type.elem);
    for (Int v : e.args[0]->values) {
      bind_constant(e.local, v);
      b().put(Op::set_or, all, {all, expr(*body)});
    }
    return all;
  }
  const bool list = e.args[0]->type.kind == TypeKind::list;
  const model::Expr* where = e.args.size() > 1 ? e.args[1] : nullptr;
  Register domain = ir::kNoRegister;
  const Taken taken(*this, e.local, e.args[0]);
  if (!list) {
    domain = looked_through(*e.args[0], e.local, {where, body});
    if (asking() && holds_cards(e.args[0]->type) && fact(*e.args[0]).is_mixed()) need(knows_all(domain));
    domain = filtered(domain, cards, e.local, where);
    if (e.value == 4) return b().integer(cards ? Op::set_count : Op::mask_count, {domain});
    if (auto result = static_aggregate(e, domain)) return *result;
  }
  bool set_result = e.value == 3 && is_wide(e.type);
  Register total = set_result ? empty_set(*e.type.elem) : b().make_int();
  if (!set_result) b().assign_constant(total, e.value == 1 || e.value == 2 ? kNone : 0);
  const auto take = [&](Register element) {
    bind(e.local, element);
    if (e.value == 4) return b().put(Op::add_small, total, {total, b().constant(1)});
    Register v = expr(*body);
    switch (e.value) {
      case 0: b().put(Op::add, total, {total, v}); return;
      case 3: b().put(set_result ? Op::set_or : Op::mask_or, total, {total, v}); return;
      default: break;
    }
    BlockIndex first = b().add_block(), other = b().add_block(), next = b().add_block(), known = b().add_block();
    b().branch(b().integer(Op::eq, {v, b().constant(kNone)}, 1), next, known);
    b().go_to(known);
    b().branch(b().integer(Op::eq, {total, b().constant(kNone)}, 1), first, other);
    b().go_to(first);
    b().assign(total, v);
    b().jump(next);
    b().go_to(other);
    b().put(e.value == 1 ? Op::max : Op::min, total, {total, v});
    b().jump(next);
    b().go_to(next);
  };
  if (!list) {
    for_each(domain, cards, take);
    return total;
  }
  if (asking()) env().facts.put(e.local, fact(*e.args[0]));
  for_each_listed(*e.args[0], [&](Register element, BlockIndex next) {
    bind(e.local, element);
    if (where) {
      BlockIndex yes = b().add_block();
      branch_on(*where, yes, next);
      b().go_to(yes);
    }
    take(element);
  });
  return total;
}

// Does an element have it?
Register Lowering::exists(const model::Expr& e) {
  const bool cards = is_wide(e.args[0]->type), list = e.args[0]->type.kind == TypeKind::list;
  std::vector<const model::Expr*> parts = conjuncts(*e.args[1]);
  Register domain = ir::kNoRegister;
  const Taken taken(*this, e.local, e.args[0]);
  if (!list) {
    const Register all = looked_through(*e.args[0], e.local, {e.args[1]});
    const model::Expr* const outer = std::exchange(only_whether_, parts.back());
    domain = narrowed(all, cards, e.local, parts);
    only_whether_ = outer;
    if (parts.empty())
      return cards ? b().integer(Op::set_any, {domain}, 1) : b().integer(Op::ne, {domain, b().constant(0)}, 1);
  }
  Register found = b().make(int_type(1));
  b().assign_constant(found, 0);
  BlockIndex done = b().add_block();
  const auto look = [&](Register element) {
    bind(e.local, element);
    BlockIndex no = b().add_block();
    for (const model::Expr* part : parts) {
      BlockIndex yes = b().add_block();
      branch_on(*part, yes, no);
      b().go_to(yes);
    }
    b().assign_constant(found, 1);
    b().jump(done);
    b().go_to(no);
  };
  if (list && asking()) env().facts.put(e.local, fact(*e.args[0]));
  if (list) for_each_listed(*e.args[0], [&](Register element, BlockIndex) { look(element); });
  else look_through(domain, cards, look);
  b().jump(done);
  b().go_to(done);
  return found;
}

// The set of the numbers from the one to the other.
Register Lowering::number_mask(Register lo, Register hi) {
  Register found = b().make_int();
  b().assign_constant(found, 0);
  BlockIndex some = b().add_block(), fits = b().add_block(), wrong = b().add_block(), done = b().add_block();
  b().branch(b().integer(Op::le, {lo, hi}, 1), some, done);
  b().go_to(some);
  b().branch(b().integer(Op::and_,
                         {b().integer(Op::le, {b().constant(0), lo}, 1),
                          b().integer(Op::le, {hi, b().constant(model::kMostInSet)}, 1)},
                         1),
             fits, wrong);
  b().go_to(wrong);
  fail(Trap::out_of_range, About::range, lo, hi);
  b().go_to(fits);
  b().put(Op::mask_without, found,
          {b().integer(Op::mask_below, {b().integer(Op::add_small, {hi, b().constant(1)})}),
           b().integer(Op::mask_below, {lo})});
  b().jump(done);
  b().go_to(done);
  return found;
}

// S with most E, then least F: by one key after the other, keeping the best. Without a branch: which is better nobody
// foresees.
Register Lowering::best(const model::Expr& e, bool first_alone) {
  bool cards = is_wide(e.args[0]->type);
  Register domain = b().make(cards ? register_type(e.type) : int_type(8));
  b().assign(domain, expr(*e.args[0]));
  if (asking()) {
    const Fact sure = fact(*e.args[0]);
    env().facts.put(e.local, sure);
    const auto hangs_on_them = [&](const model::Expr* key) { return reads(key); };
    if (holds_cards(e.args[0]->type) && !sure.named && std::any_of(e.args.begin() + 1, e.args.end(), hangs_on_them)) {
      need_seen(domain, sure);
      env().facts.put(e.local, kSeen);
    }
  }
  for (std::size_t k = 1; k < e.args.size(); ++k) {
    bool least = e.value >> (k - 1) & 1;
    if (first_alone && k + 1 == e.args.size()) return first_with_most(domain, e.local, *e.args[k], least);
    Register top = b().make_int();
    Register kept = b().make(b().type(domain));
    // what is as far off is kept for being equal
    b().assign_constant(top, least ? std::numeric_limits<Int>::max() : kNone + 1);
    if (cards) b().put(Op::set_empty, kept, {});
    else b().assign_constant(kept, 0);
    for_each(domain, cards, [&](Register element) {
      bind(e.local, element);
      Register v = expr(*e.args[k]);
      Register better = least ? b().integer(Op::lt, {v, top}, 1) : b().integer(Op::lt, {top, v}, 1);
      Register same = b().integer(Op::eq, {v, top}, 1);
      if (cards) {
        Register with = b().set(Op::set_add, {kept, element}), alone = b().make(b().type(kept));
        b().put(Op::set_of, alone, {element});
        b().put(Op::set_select, kept, {better, alone, b().set(Op::set_select, {same, with, kept})});
      } else {
        Register alone = b().integer(Op::mask_of, {element}), with = b().integer(Op::mask_or, {kept, alone});
        b().put(Op::select, kept, {better, alone, b().integer(Op::select, {same, with, kept})});
      }
      b().put(Op::select, top, {better, v, top});
    });
    b().assign(domain, kept);
  }
  return domain;
}

// The lowest of the cards or cells with the most, or the least; none of none.
Register Lowering::first_with_most(Register domain, model::LocalId local, const model::Expr& key, bool least) {
  const Register top = b().make_int(), found = b().make(element_type(domain));
  b().assign_constant(top, least ? std::numeric_limits<Int>::max() : kNone + 1);
  b().assign_constant(found, kNone);
  for_each(domain, true, [&](Register element) {
    bind(local, element);
    const Register v = expr(key);
    Register better = least ? b().integer(Op::lt, {v, top}, 1) : b().integer(Op::lt, {top, v}, 1);
    better = b().integer(Op::or_, {better, b().integer(Op::eq, {found, b().constant(kNone)}, 1)}, 1);
    b().put(Op::select, found, {better, element, found});
    b().put(Op::select, top, {better, v, top});
  });
  return found;
}

// ---------------------------------------------------------------- conditions

void Lowering::branch_on(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const Standing here(*this);
  b().at(e.range);
  if (asking()) {
    if (reads(e)) return branch_asked(e, yes, no);
    const Unasked unasked(*this);
    return branch_on(e, yes, no);
  }
  if (env().explains) return explain(e, yes, no);
  switch (e.kind) {
    case ExprKind::logical_not: branch_on(*e.args[0], no, yes); return;
    case ExprKind::logical_and: {
      BlockIndex second = b().add_block();
      branch_on(*e.args[0], second, no);
      b().go_to(second);
      branch_on(*e.args[1], yes, no);
      return;
    }
    case ExprKind::logical_or: {
      BlockIndex second = b().add_block();
      branch_on(*e.args[0], yes, second);
      b().go_to(second);
      branch_on(*e.args[1], yes, no);
      return;
    }
    case ExprKind::constant: b().jump(e.value ? yes : no); return;
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (!stands_here(e) || (hoist_ && !is_varying(e))) break;
      with_called(e, [&](const model::Expr& body) { branch_on(body, yes, no); });
      return;
    default: break;
  }
  b().branch(expr(e), yes, no);
}

Register Lowering::condition_value(const model::Expr& e) {
  Register result = b().make(int_type(1));
  BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
  branch_on(e, yes, no);
  b().go_to(yes);
  b().assign_constant(result, 1);
  b().jump(after);
  b().go_to(no);
  b().assign_constant(result, 0);
  b().jump(after);
  b().go_to(after);
  return result;
}

Register Lowering::conditional(const model::Expr& e) {
  Register result = b().make(is_wide(e.type) || is_array(e.type) ? register_type(e.type) : int_type(8));
  const auto take = [&](Register value) {
    if (is_array(e.type)) b().effect(Op::list_copy, {result, value});
    else b().assign(result, value);
  };
  BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
  branch_on(*e.args[0], yes, no);
  b().go_to(yes);
  take(expr(*e.args[1]));
  b().jump(after);
  b().go_to(no);
  take(expr(*e.args[2]));
  b().jump(after);
  b().go_to(after);
  return result;
}

// ---------------------------------------------------------------- calls

Register Lowering::call(ir::FunctionIndex callee, std::vector<Register> arguments) {
  std::vector<std::int64_t> operands{Int(callee)};
  for (const Register a : arguments) {
    const RegisterType type = b().type(a);
    if (type.kind != ir::RegisterKind::array) {
      operands.push_back(a);
      continue;
    }
    for (const Register part : taken_apart(a)) operands.push_back(part);
  }
  ir::Returns returns = function(callee).returns;
  Register result = ir::kNoRegister;
  if (returns == ir::Returns::integer) result = b().make_int();
  if (returns == ir::Returns::set) result = b().make_set();
  b().put(returns == ir::Returns::set ? Op::call_set : Op::call, result, std::move(operands));
  return result;
}

void Lowering::look_through(Register domain, bool cards, const std::function<void(Register)>& body) {
  HoistScope scope{b().here(), b().function().blocks[b().here()].code.size(), {}};
  if (hoist_) scope.varying = hoist_->varying;       // of the loops around it, too
  HoistScope* const outer = std::exchange(hoist_, plain_ ? nullptr : &scope);
  for_each(domain, cards, [&](Register element) {
    scope.varying.insert(element);
    body(element);
  });
  hoist_ = outer;
}

bool Lowering::is_varying(const model::Expr& e) const {
  if (e.kind == ExprKind::local) {
    if (e.local.index >= env_->places.size()) return true;
    const Place& place = env_->places[e.local.index];
    return place.kind != Place::Kind::constant && (place.kind != Place::Kind::reg || hoist_->varying.count(place.reg));
  }
  if (!pure(e)) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && is_varying(*a); });
}

Register Lowering::hoisted(const model::Expr& call, const std::function<Register()>& work) {
  const Register known = b().make(int_type(1)), value = b().make(register_type(call.type));
  b().insert(hoist_->before, hoist_->at, ir::Instruction{Op::const_int, known, {0}, call.range});
  // Nothing reads it before, but who follows the ways through the loop without regard to the flag can't tell.
  if (b().type(value).kind == ir::RegisterKind::set)
    b().insert(hoist_->before, hoist_->at, ir::Instruction{Op::set_empty, value, {}, call.range});
  else b().insert(hoist_->before, hoist_->at, ir::Instruction{Op::const_int, value, {0}, call.range});
  BlockIndex first = b().add_block(), after = b().add_block();
  b().branch(known, after, first);
  b().go_to(first);
  b().assign(value, work());
  b().assign_constant(known, 1);
  b().jump(after);
  b().go_to(after);
  return value;
}

// A short value or function that nobody bends is written where it is called.
bool Lowering::stands_here(const model::Expr& call) const {
  constexpr int kShort = 24, kDeep = 4;
  if (plain_ || called_deep_ >= kDeep) return false;
  const model::Expr* body = plain_body(call);
  int left = kShort;
  const auto is_short = [&](auto&& self, const model::Expr& e) -> bool {
    switch (e.kind) {
      case ExprKind::exists: case ExprKind::filter: case ExprKind::aggregate: case ExprKind::best:
      case ExprKind::list_literal: return false;
      default: break;
    }
    if (--left < 0) return false;
    return std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return !a || self(self, *a); });
  };
  const std::size_t wanted = !body                               ? 0
                             : call.kind == ExprKind::call_value ? model_.values[call.ref].parameters.size()
                                                                 : model_.functions[call.ref].parameters.size();
  return body && !is_array(call.type) && wanted == call.args.size() && is_short(is_short, *body) &&
         std::all_of(call.args.begin(), call.args.end(), [](const model::Expr* a) { return a && !is_array(a->type); });
}

void Lowering::with_called(const model::Expr& call, const std::function<void(const model::Expr& body)>& write) {
  const bool is_value = call.kind == ExprKind::call_value;
  const auto& parameters = is_value ? model_.values[call.ref].parameters : model_.functions[call.ref].parameters;
  std::vector<Register> arguments;
  std::vector<bool> varies;
  Env inner;
  bind_locals(inner, is_value ? model_.values[call.ref].body : model_.functions[call.ref].body);
  if (asking()) inner.facts = secrecy_.of_call(call, env().facts);
  for (const model::Expr* a : call.args) {
    varies.push_back(hoist_ && is_varying(*a));
    arguments.push_back(b().make(register_type(a->type)));
    b().assign(arguments.back(), expr(*a));
  }
  const Range here = b().where();
  ++called_deep_;
  with_env(inner, [&] {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      bind(parameters[i].local, arguments[i]);
      if (hoist_ && !varies[i]) hoist_->varying.erase(arguments[i]);
    }
    write(*said_body(call));
  });
  --called_deep_;
  b().at(here);
}

// An event of which no `end` leads out.
ir::FunctionIndex Lowering::supposed_event(std::uint32_t event) {
  if (auto known = supposed_function_.find(event); known != supposed_function_.end()) return known->second;
  const model::Event& of = model_.events[event];
  const ir::FunctionIndex index = new_function("supposing " + of.name, ir::Returns::nothing, of.range, false);
  supposed_function_[event] = index;
  Env at;
  bind_locals(at, of.body);
  write_function(index, at, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : of.parameters) arguments.push_back(parameter(of.body.locals[p.local.index].type));
    call(event_function_[event], arguments);
    b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
  });
  return index;
}

// What was read before holds no more while it is supposed, and what is read then doesn't hold afterwards.
Register Lowering::supposing(const model::Expr& e) {
  const auto kept_zone = std::exchange(kept_zone_, {});
  HoistScope* const scope = std::exchange(hoist_, nullptr);
  b().effect(Op::suppose, {});
  call_with_exprs(supposed_event(e.args[0]->ref), e.args[0]->args);
  const Register holds = condition_value(*e.args[1]);
  b().effect(Op::unsuppose, {});
  hoist_ = scope;
  kept_zone_ = kept_zone;
  return holds;
}

Register Lowering::call_with_exprs(ir::FunctionIndex callee, const std::vector<const model::Expr*>& args) {
  std::vector<Register> registers;
  for (const model::Expr* a : args) {
    // an argument that a later one could change is kept
    Register value = expr(*a);
    Register kept = b().make(register_type(a->type));
    if (b().type(value).kind == ir::RegisterKind::array) kept = value;
    else b().assign(kept, value);
    registers.push_back(kept);
  }
  return call(callee, std::move(registers));
}

bool Lowering::is_inlined(std::uint32_t function) const {
  const model::Function& f = model_.functions[function];
  if (f.recursive) return false;
  const auto of_board = [&](const model::Type& t) {
    const model::Type& element = t.elem ? *t.elem : t;
    return is_direction(element) || (element.kind == TypeKind::enumeration && model_.enums[element.ref].cells);
  };
  const bool geometry =
      of_board(f.result) || std::any_of(f.parameters.begin(), f.parameters.end(), [&](const model::Parameter& p) {
        return of_board(f.body.locals[p.local.index].type);
      });
  constexpr std::size_t kDeepest = 8;
  if (is_array(f.result) || takes_table(f)) return true;   // no function of the IR gives a list, or takes a table
  if (plain_) return false;
  return geometry && has_room() && inlining_.size() < kDeepest &&
         std::find(inlining_.begin(), inlining_.end(), function) == inlining_.end();
}

void Lowering::bind_arguments(Env& inner, const model::Function& f, const model::Expr& call) {
  const std::vector<const model::Expr*>& arguments = call.args;
  bind_locals(inner, f.body);
  if (asking()) inner.facts = secrecy_.of_call(call, env().facts);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const model::LocalId local = f.parameters[i].local;
    const model::Type& type = f.body.locals[local.index].type;
    if (const auto known = plain_ || type.kind == TypeKind::set || is_array(type)
                               ? std::nullopt
                               : static_value(env_, *arguments[i], {}, -1)) {
      inner.places[local.index] = {Place::Kind::constant, ir::kNoRegister, -1, *known};
      continue;
    }
    const Register value = expr(*arguments[i]);
    Register kept = value;
    if (b().type(value).kind != ir::RegisterKind::array) b().assign(kept = b().make(register_type(type)), value);
    // whoever walks may change theirs
    else if (f.sequence) b().effect(Op::list_copy, {kept = b().make(register_type(type)), value});
    inner.places[local.index] = {Place::Kind::reg, kept, -1, 0};
  }
}

// What stands in the arrays of one function is on the stack while it runs.
bool Lowering::too_many_lists(const model::Expr& e) {
  constexpr std::size_t kMostRegisters = 20'000, kMostInts = 64 * 1024;
  if (!is_array(e.type)) return false;
  const std::vector<RegisterType>& registers = b().function().registers;
  std::size_t ints = 0;
  for (const RegisterType& r : registers)
    if (r.length >= 64) ints += r.length;
  if (registers.size() <= kMostRegisters && ints <= kMostInts) return false;
  if (!too_large_) too_large(e.range, "functions and values that give lists call each other too often");
  return true;
}

// A value that gives a list, with all that bends it.
Register Lowering::inline_value(const model::Expr& e) {
  if (too_many_lists(e)) return b().make(register_type(e.type));
  const model::Value& value = model_.values[e.ref];
  std::vector<Register> arguments;
  for (const model::Expr* a : e.args) {
    arguments.push_back(b().make(register_type(a->type)));
    if (a->type.kind == TypeKind::list) b().effect(Op::list_copy, {arguments.back(), expr(*a)});
    else b().assign(arguments.back(), expr(*a));
  }
  Env inner;
  bind_locals(inner, value.body);
  if (asking()) inner.facts = secrecy_.of_call(e, env().facts);
  HoistScope* const outer = std::exchange(hoist_, nullptr);   // its variables change
  Register result = ir::kNoRegister;
  with_env(inner, [&] {
    for (std::size_t i = 0; i < arguments.size(); ++i) bind(value.parameters[i].local, arguments[i]);
    result = value_settled(value, arguments);
  });
  hoist_ = outer;
  return result;
}

Register Lowering::inline_call(const model::Expr& e) {
  const model::Function& f = model_.functions[e.ref];
  if (too_many_lists(e)) return b().make(register_type(f.result));
  Env inner;
  bind_arguments(inner, f, e);
  inner.inline_return = true;
  inner.return_block = b().add_block();
  inner.result = b().make(is_wide(f.result) || is_array(f.result) ? register_type(f.result) : int_type(8));
  inlining_.push_back(e.ref);
  HoistScope* const outer = std::exchange(hoist_, nullptr);   // its variables change
  with_env(inner, [&] {
    block(f.body.block);
    if (!b().closed()) leave_function(ir::kNoRegister);
  });
  hoist_ = outer;
  inlining_.pop_back();
  b().go_to(inner.return_block);
  return inner.result;
}

// ---------------------------------------------------------------- the switch

static Op operation_of(ExprKind kind) {
  switch (kind) {
#define ARITHMETIC(expression, operation) \
  case ExprKind::expression: return Op::operation;
#include "compiler/analysis/arithmetic.def"
#undef ARITHMETIC
    default: return Op::eq;
  }
}

Register Lowering::arithmetic(const model::Expr& e) {
  Register x = expr(*e.args[0]);
  Register kept = x;
  if (e.args.size() > 1 && !pure(*e.args[1])) {
    kept = b().make_int();
    b().assign(kept, x);
  }
  Register y = e.args.size() > 1 ? expr(*e.args[1]) : ir::kNoRegister;
  if (e.kind == ExprKind::equal || e.kind == ExprKind::not_equal) need_told_apart(*e.args[0], kept, *e.args[1], y);
  const bool truth = e.type.kind == TypeKind::boolean;
  std::vector<std::int64_t> operands{kept};
  if (y != ir::kNoRegister) operands.push_back(y);
  const Register result = b().make_int(truth ? 1 : 8);
  b().put(operation_of(e.kind), result, std::move(operands));
  return result;
}

Register Lowering::set_operation(const model::Expr& e) {
  const model::Type& type = e.args[0]->type.kind == TypeKind::set ? e.args[0]->type : e.args[1]->type;
  bool cards = is_wide(type);
  const bool picks_best =
      e.kind == ExprKind::pick_first && cards && e.args.size() == 1 && e.args[0]->kind == ExprKind::best;
  if (picks_best && !asking() && !plain_) return best(*e.args[0], true);
  Register x = expr(*e.args[0]);
  Register y = e.args.size() > 1 ? expr(*e.args[1]) : ir::kNoRegister;
  auto mask_both = [&](Op op) { return b().integer(op, {x, y}); };
  if (e.kind != ExprKind::set_union && e.args.size() > 1) need_told_apart(*e.args[0], x, *e.args[1], y);
  if (asking() && cards && (e.kind == ExprKind::pick_first || e.kind == ExprKind::pick_last) && !fact(*e.args[0]).named)
    need(b().integer(
        Op::or_, {knows_all(x), b().integer(Op::le_small, {b().integer(Op::set_count, {x}), b().constant(1)}, 1)}, 1));
  const bool counts = e.kind == ExprKind::size || e.kind == ExprKind::pick_only;
  if (asking() && counts && holds_cards(type) && fact(*e.args[0]).is_mixed()) need(knows_all(x));
  switch (e.kind) {
    case ExprKind::set_equal: return cards ? b().integer(Op::set_equal, {x, y}, 1) : mask_both(Op::eq);
    case ExprKind::in_set:
      return cards ? b().integer(Op::set_has, {y, x}, 1) : b().integer(Op::mask_has, {y, x}, 1);
    case ExprKind::within:
      return cards ? b().integer(Op::set_within, {x, y}, 1)
                   : b().integer(Op::eq, {mask_both(Op::mask_without), b().constant(0)}, 1);
    case ExprKind::disjoint:
      return cards ? b().integer(Op::set_disjoint, {x, y}, 1)
                   : b().integer(Op::eq, {mask_both(Op::mask_and), b().constant(0)}, 1);
    case ExprKind::set_union: return cards ? b().set(Op::set_or, {x, y}) : mask_both(Op::mask_or);
    case ExprKind::set_minus: return cards ? b().set(Op::set_without, {x, y}) : mask_both(Op::mask_without);
    case ExprKind::set_and: return cards ? b().set(Op::set_and, {x, y}) : mask_both(Op::mask_and);
    case ExprKind::is_empty:
      return cards ? b().integer(Op::not_, {b().integer(Op::set_any, {x}, 1)}, 1)
                   : b().integer(Op::eq, {x, b().constant(0)}, 1);
    case ExprKind::size: return b().integer(cards ? Op::set_count : Op::mask_count, {x});
    case ExprKind::pick_first:
      return y != ir::kNoRegister ? b().integer(Op::mask_next, {x, y})
                                  : b().integer(cards ? Op::set_first : Op::mask_first, {x});
    case ExprKind::pick_last:                              // the one before it would begin anew
      return y != ir::kNoRegister
                 ? b().integer(Op::mask_previous, {x, b().integer(Op::sub_small, {y, b().constant(1)})})
                 : b().integer(cards ? Op::set_last : Op::mask_last, {x});
    case ExprKind::pick_random: return b().integer(cards ? Op::set_random : Op::mask_random, {x});
    default: {                                             // pick_only
      Register n = b().integer(cards ? Op::set_count : Op::mask_count, {x});
      BlockIndex good = b().add_block(), bad = b().add_block();
      b().branch(b().integer(Op::eq, {n, b().constant(1)}, 1), good, bad);
      b().go_to(bad);
      fail(Trap::not_exactly_one, About::count, n, n);
      b().go_to(good);
      return b().integer(cards ? Op::set_first : Op::mask_first, {x});
    }
  }
}

Register Lowering::expr(const model::Expr& e) {
  if (asking() && (asking_.mode != Asking::Mode::sure || !reads(e))) {
    const Unasked unasked(*this);
    return expr(e);
  }
  const Standing here(*this);
  const Register r = value_of(e);
  if (is_wide(e.type) && e.type.elem->kind != TypeKind::card) b().holds_no_card(r);
  return r;
}

Register Lowering::value_of(const model::Expr& e) {
  b().at(e.range);
  switch (e.kind) {
    case ExprKind::constant:
      if (e.type.kind == TypeKind::card && e.value != kNone) return b().constant(card_id_[e.value]);
      if (e.type.kind == TypeKind::text) return b().constant(text_index(e.text));
      return b().constant(e.value);
    case ExprKind::unlimited: return b().constant(kUnlimited);
    case ExprKind::text: return inner_text(e);
    case ExprKind::set_constant: {
      if (!is_wide(e.type)) return b().constant(constant_value(e));
      if (e.type.elem->kind != TypeKind::card) return const_cards(e.values);
      std::vector<Int> ids;
      for (Int card : e.values) ids.push_back(card_id_[card]);
      return const_cards(ids);
    }
    case ExprKind::local: {
      const Register value = read_local(e.local);
      return is_wide(e.type) && holds_cards(e.type) && !b().type(value).holds_card ? as_cards(value, *e.type.elem)
                                                                                   : value;
    }
    case ExprKind::variable: {
      const model::Variable& v = model_.variables[e.ref];
      need_value(e);
      if (e.type.kind == TypeKind::map) return load_table(e);
      Register index = flat_index(v, e.args, 0);
      if (v.type.kind == TypeKind::list) return load_list(variable_of_[e.ref], index, register_type(v.type));
      if (is_wide(v.type)) return b().set(Op::load_set, {variable_of_[e.ref], index});
      Register r = b().make(register_type(v.type));
      const bool told = telling_ && !plain_ && std::none_of(e.args.begin(), e.args.end(), [](const model::Expr* a) {
                          return a->type.optional;
                        });
      b().put(told ? Op::load_raw : Op::load, r, {variable_of_[e.ref], index});
      return r;
    }
    case ExprKind::window_field: return asking() ? unknown_value(e) : scratch_value(window_field_.at({e.ref, e.value}));
    case ExprKind::event_field: return asking() ? unknown_value(e) : scratch_value(event_field_.at({e.ref, e.value}));
    case ExprKind::zone: {
      if (kept_zone_.cards != ir::kNoRegister && kept_zone_.zone == e.ref && e.args[0] &&
          e.args[0]->kind == ExprKind::local && read_local(e.args[0]->local) == kept_zone_.player)
        return kept_zone_.cards;
      return zone_set(e.ref, zone_instance(e.ref, e.args.size() > 0 ? e.args[0] : nullptr,
                                           e.args.size() > 1 ? e.args[1] : nullptr));
    }
    case ExprKind::zone_top:
    case ExprKind::zone_bottom: {
      Register instance =
          zone_instance(e.ref, e.args.size() > 0 ? e.args[0] : nullptr, e.args.size() > 1 ? e.args[1] : nullptr);
      Register card = b().make(register_type(simple(TypeKind::card)));
      if (e.kind == ExprKind::zone_top)
        b().put(always_ordered_[e.ref] ? Op::zone_unchanged_top : Op::zone_top, card, {top_instance(e.ref, instance)});
      else b().put(Op::zone_bottom, card, {instance});
      return card;
    }
    case ExprKind::zone_top_n: {
      Register instance = zone_instance(e.ref, e.args[0], e.args[1]);
      return b().set(e.value ? Op::zone_bottom_n : Op::zone_top_n, {instance, expr(*e.args[2])});
    }
    case ExprKind::card_of_slot: {
      Register instance =
          zone_instance(e.ref, e.args.size() > 0 ? e.args[0] : nullptr, e.args.size() > 1 ? e.args[1] : nullptr);
      return b().integer(Op::set_first, {zone_set(e.ref, instance)});
    }
    case ExprKind::latency: return latency(e);
    case ExprKind::at_first:
      return b().integer(Op::not_, {b().integer(Op::mask_has, {race_load(race_asked_), expr(*e.args[0])}, 1)}, 1);
    case ExprKind::timer_running: {
      if (!program_.race) return b().constant(0);
      const Register at =
          race_load(timer_at_[e.ref], !e.args.empty() && e.args[0] ? expr(*e.args[0]) : ir::kNoRegister);
      return b().integer(Op::ne, {at, b().constant(kNone)}, 1);
    }
    case ExprKind::race_clock:
      if (!program_.race) return b().constant(0);
      return b().integer(Op::select, {race_load(program_.race->open), race_load(program_.race->time), b().constant(0)});
    case ExprKind::race_busy:
      if (!program_.race) return b().constant(0);
      return b().integer(Op::max,
                         {b().constant(0), b().integer(Op::sub_small, {race_load(program_.race->free, expr(*e.args[0])),
                                                                       race_load(program_.race->time)})});
    case ExprKind::attribute: return attribute(e);
    case ExprKind::kind_of: {
      std::vector<Int> kinds;
      for (Int card : id_card_) kinds.push_back(card < 0 ? kNone : Int(model_.cards[card].kind.index));
      return b().integer(Op::table, {table_index(std::move(kinds)), card_seen(*e.args[0])});
    }
    case ExprKind::number_of: {
      std::vector<Int> numbers;
      for (const model::EnumConst& c : model_.enums[e.args[0]->type.ref].constants) numbers.push_back(c.number);
      return b().integer(Op::table, {table_index(std::move(numbers)), expr(*e.args[0])});
    }
    case ExprKind::counts_as: return counts_as(e);
    case ExprKind::logical_not: return b().integer(Op::not_, {expr(*e.args[0])}, 1);
    case ExprKind::logical_and:
    case ExprKind::logical_or: return condition_value(e);
    case ExprKind::negate: case ExprKind::absolute: case ExprKind::add: case ExprKind::subtract:
    case ExprKind::multiply:
    case ExprKind::divide: case ExprKind::modulo: case ExprKind::power: case ExprKind::minimum: case ExprKind::maximum:
    case ExprKind::equal: case ExprKind::not_equal: case ExprKind::less: case ExprKind::less_equal:
      return arithmetic(e);
    case ExprKind::set_equal: case ExprKind::in_set: case ExprKind::within: case ExprKind::disjoint:
    case ExprKind::set_union: case ExprKind::set_minus: case ExprKind::set_and: case ExprKind::is_empty:
    case ExprKind::size:
    case ExprKind::pick_first: case ExprKind::pick_last: case ExprKind::pick_only: case ExprKind::pick_random:
      return set_operation(e);
    case ExprKind::set_of_one:
      return is_wide(e.type) ? b().set(Op::set_of, {expr(*e.args[0])}) : b().integer(Op::mask_of, {expr(*e.args[0])});
    case ExprKind::conditional: return conditional(e);
    case ExprKind::or_else: {
      bool set = is_wide(e.type);
      Register result = b().make(set ? register_type(e.type) : int_type(8));
      b().assign(result, expr(*e.args[0]));
      BlockIndex other = b().add_block(), after = b().add_block();
      if (set) b().branch(b().integer(Op::set_any, {result}, 1), after, other);
      else b().branch(b().integer(Op::eq, {result, b().constant(is_mask(e.type) ? 0 : kNone)}, 1), other, after);
      b().go_to(other);
      b().assign(result, expr(*e.args[1]));
      b().jump(after);
      b().go_to(after);
      return result;
    }
    case ExprKind::is_none: return b().integer(Op::eq, {expr(*e.args[0]), b().constant(kNone)}, 1);
    case ExprKind::exists: return exists(e);
    case ExprKind::set_list: return list_value(e);
    case ExprKind::listed_set: return listed_set(e);
    case ExprKind::filter: return filter(e);
    case ExprKind::aggregate: return aggregate(e);
    case ExprKind::best: return best(e, false);
    case ExprKind::random_n: return b().set(Op::set_random_n, {expr(*e.args[0]), expr(*e.args[1])});
    case ExprKind::roll: return b().integer(Op::roll, {expr(*e.args[0]), expr(*e.args[1])});
    case ExprKind::players_in: return b().integer(Op::players_in, {}, 4);
    case ExprKind::everyone: return b().constant((Int{1} << model_.players) - 1);
    case ExprKind::is_in_game:
      return b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), expr(*e.args[0])}, 1);
    case ExprKind::active_player: return b().integer(Op::load_raw, {active_, b().constant(0)}, 1);
    case ExprKind::turn_number: return b().integer(Op::load_raw, {turn_number_, b().constant(0)});
    case ExprKind::round_number: return b().integer(Op::load_raw, {round_number_, b().constant(0)});
    case ExprKind::steps: {
      Register from = expr(*e.args[0]);
      return b().integer(Op::steps, {from, expr(*e.args[1])});
    }
    case ExprKind::next_player: return b().integer(Op::next_in, {expr(*e.args[0])}, 1);
    case ExprKind::previous_player: return b().integer(Op::previous_in, {expr(*e.args[0])}, 1);
    case ExprKind::team_of: return b().integer(Op::table, {table_index(model_.teams), expr(*e.args[0])}, 1);
    case ExprKind::team_players: {
      std::vector<Int> players{0};
      for (std::size_t seat = 0; seat < model_.teams.size(); ++seat) {
        if (std::size_t(model_.teams[seat]) >= players.size()) players.resize(std::size_t(model_.teams[seat]) + 1);
        players[std::size_t(model_.teams[seat])] |= Int{1} << seat;
      }
      return b().integer(Op::table, {table_index(std::move(players)), expr(*e.args[0])}, 4);
    }
    case ExprKind::seat_of: return expr(*e.args[0]);
    case ExprKind::call_value:
    case ExprKind::call_function: {
      if (e.kind == ExprKind::call_function && is_inlined(e.ref)) return inline_call(e);
      const auto work = [&] {
        if (e.kind == ExprKind::call_value && is_array(e.type)) return inline_value(e);
        if (asking() && !stands_here(e)) return call_asked(e);
        if (!stands_here(e))
          return call_with_exprs(e.kind == ExprKind::call_value ? value_function_[e.ref] : function_function_[e.ref],
                                 e.args);
        Register result = b().make(register_type(e.type));
        with_called(e, [&](const model::Expr& body) { b().assign(result, expr(body)); });
        return result;
      };
      return hoist_ && !is_array(e.type) && !is_varying(e) ? hoisted(e, work) : work();
    }
    case ExprKind::cell_at: return cell_at(e);
    case ExprKind::step: return step(e);
    case ExprKind::footprint: return footprint(e);
    case ExprKind::fitting: return fitting(e);
    case ExprKind::constant_of_part: return b().integer(Op::sub, {expr(*e.args[0]), b().constant(1)}, 2);
    case ExprKind::part_of_constant: return b().integer(Op::add, {expr(*e.args[0]), b().constant(1)}, 1);
    case ExprKind::shift_by: return shift_by(e);
    case ExprKind::edge_of: return edge_of(e);
    case ExprKind::cells_beside: return cells_beside(e);
    case ExprKind::shift: return shift(expr(*e.args[0]), board_of(*e.type.elem), *e.args[1], false);
    case ExprKind::rotated: {
      Register turned = b().integer(Op::add, {expr(*e.args[0]), expr(*e.args[1])});
      return b().integer(Op::mod, {turned, b().constant(board_with(e.type).directions())}, 1);
    }
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed: return taken(e, happened(e));
    case ExprKind::may: return may(e);
    case ExprKind::knows: {
      const bool is_local = e.args[1]->kind == ExprKind::local;
      if (const auto known = is_local ? known_where_taken(e.args[1]->local, *e.args[0]) : std::nullopt)
        return b().integer(Op::set_has, {*known, expr(*e.args[1])}, 1);
      Register who = expr(*e.args[0]);
      return is_wide(e.args[1]->type) ? b().integer(Op::knows_cards, {who, expr(*e.args[1])}, 1)
                                          : b().integer(Op::knows_card, {who, expr(*e.args[1])}, 1);
    }
    case ExprKind::knows_top: {
      Register who = expr(*e.args[0]);
      Register instance = zone_instance(e.ref, e.args[1], e.args[2]);
      return b().integer(Op::knows_top, {who, instance}, 1);
    }
    case ExprKind::pool_values:
      return asking() ? unknown_value(e) : b().integer(Op::pool_mask, {pool_variable_[e.ref]});
    case ExprKind::element_at: {
      if (e.args[0]->type.kind == TypeKind::map) return entry_of(e);
      if (is_printed_table(*e.args[0])) return printed_entry(e);
      if (is_plain_list(*e.args[0]) && pure(*e.args[1])) return state_list(Op::list_at, *e.args[0], e.args[1]);
      Register list = expr(*e.args[0]);
      Register index = expr(*e.args[1]);
      BlockIndex good = b().add_block(), bad = b().add_block();
      Register length = length_of(list);
      Register inside = b().integer(
          Op::and_, {b().integer(Op::le, {b().constant(0), index}, 1), b().integer(Op::lt, {index, length}, 1)}, 1);
      b().branch(inside, good, bad);
      b().go_to(bad);
      fail(Trap::bad_index, About::place, index, length);
      b().go_to(good);
      return element_of(list, e.args[0]->type, index);
    }
    case ExprKind::list_literal: {
      model::Type type = e.type;
      type.most = std::max<Int>(Int(e.args.size()), type.most);
      Register list = b().make(list_register(type));
      b().effect(Op::array_fill, {list, b().constant(0)});
      if (!holds_ints(type)) {
        for (const model::Expr* a : e.args) add_element(list, type, expr(*a));
        return list;
      }
      b().effect(Op::array_set, {list, b().constant(0), b().constant(Int(e.args.size()))});
      for (std::size_t i = 0; i < e.args.size(); ++i)
        b().effect(Op::array_set, {list, b().constant(Int(i) + 1), expr(*e.args[i])});
      return list;
    }
    case ExprKind::list_of: case ExprKind::joined: case ExprKind::list_add: case ExprKind::list_drop:
    case ExprKind::list_as:
    case ExprKind::list_end: case ExprKind::list_equal: case ExprKind::in_list:
      return list_operation(e);
    case ExprKind::list_size:
      return is_plain_list(*e.args[0]) ? state_list(Op::list_length, *e.args[0]) : length_of(expr(*e.args[0]));
    case ExprKind::window_left: return asking() ? unknown_value(e) : scratch_value(window_left_.at({e.ref, e.value}));
    case ExprKind::part_of: {
      std::vector<Int> parts(static_cast<std::size_t>(program_.layout.instances), kNone);
      const ZoneSlot& slot = program_.zones[e.ref];
      for (Int i = 0; i < slot.copies; ++i) parts[static_cast<std::size_t>(slot.first + i)] = i + 1;
      return b().integer(Op::table, {table_index(std::move(parts)), zone_of(*e.args[0])});
    }
    case ExprKind::part_owner: {
      std::vector<Int> owners{kNone};
      for (Int p = 0; p < model_.players; ++p) owners.insert(owners.end(), static_cast<std::size_t>(e.value), p);
      return b().integer(Op::table, {table_index(std::move(owners)), expr(*e.args[0])}, 1);
    }
    case ExprKind::part_at: {
      std::vector<Int> before;
      for (Int p = 0; p < model_.players; ++p) before.push_back(p * e.value + 1);
      const Register first = b().integer(Op::table, {table_index(std::move(before)), expr(*e.args[0])});
      if (!plain_ && counted_from_nought(e)) return first;
      return b().integer(Op::add, {first, b().integer(Op::place_in, {expr(*e.args[1]), 1, e.value})}, 1);
    }
    case ExprKind::parts_of: {
      std::vector<Int> masks;
      for (Int p = 0; p < model_.players; ++p) masks.push_back(((Int{1} << e.value) - 1) << (p * e.value + 1));
      return b().integer(Op::table, {table_index(std::move(masks)), expr(*e.args[0])});
    }
    case ExprKind::faces: {
      std::vector<Int> lies;
      for (Int i = 0; i < program_.layout.instances; ++i)
        lies.push_back((program_.layout.instance[i].visible != 0) == (e.value != 0));
      return b().integer(Op::table, {table_index(std::move(lies)), zone_of(*e.args[0])}, 1);
    }
    case ExprKind::during_event:
      return b().integer(
          Op::lt, {b().constant(0), b().integer(Op::load_raw, {event_depth_.at(of_name(e.ref)), b().constant(0)})}, 1);
    case ExprKind::during_window:
      return b().integer(Op::lt,
                         {b().constant(0), b().integer(Op::load_raw, {window_depth_.at(e.ref), b().constant(0)})}, 1);
    case ExprKind::play_is_over: return b().integer(Op::load_raw, {play_over_, b().constant(0)}, 1);
    case ExprKind::supposing: return asking() ? unknown_value(e) : supposing(e);
    case ExprKind::numbers: return number_mask(expr(*e.args[0]), expr(*e.args[1]));
    case ExprKind::subsets:                                // walked through, or worked out before the game
    case ExprKind::record: case ExprKind::poison:          // nothing that is handed on holds one
      return b().constant(0);
  }
  return b().constant(0);
}

}  // namespace cardwright::lower
