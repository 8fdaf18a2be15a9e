// Formats a Model as text, for `cardwright print --stage model` and for messages.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "compiler/model/entities.h"
#include "compiler/model/model.h"

namespace cardwright::model {

std::string to_string(const Model& model, const Type& type) {
  const std::string optional = type.optional ? "?" : "";
  switch (type.kind) {
    case TypeKind::poison: return "?";
    case TypeKind::nothing: return type.optional ? "none" : "nothing";
    case TypeKind::boolean: return "bool";
    case TypeKind::integer:
      if (type.ref == kDurationRef) return "duration" + optional;
      if (type.ref < model.areas.size()) return model.areas[type.ref].name + optional;
      if (type.lo <= -kUnlimited || type.hi >= kUnlimited) return "int" + optional;
      if (type.lo == type.hi && !type.optional) return "int";
      return type.optional ? fmt::format("({}..{})?", type.lo, type.hi) : fmt::format("{}..{}", type.lo, type.hi);
    case TypeKind::player: return "player" + optional;
    case TypeKind::card:
      if (type.lo > 0) return model.kinds[static_cast<std::size_t>(type.lo - 1)].name + optional;
      return (type.ref < model.card_types.size() ? model.card_types[type.ref].name : "card") + optional;
    case TypeKind::enumeration: return (type.ref < model.enums.size() ? model.enums[type.ref].name : "enum") + optional;
    case TypeKind::kind: return "kind" + optional;
    case TypeKind::set: return "set of " + (type.elem ? to_string(model, *type.elem) : "nothing");
    case TypeKind::list:
      return fmt::format("list of {} up to {}", type.elem ? to_string(model, *type.elem) : "nothing", type.most);
    case TypeKind::map: return fmt::format("{} per {}", to_string(model, *type.elem), to_string(model, *type.key));
    case TypeKind::record: return model.records[type.ref].name;
    case TypeKind::listed: return fmt::format("one of {}", model.set_lists[type.ref].name);
    case TypeKind::text: return "text";
  }
  return "?";
}

namespace {

constexpr std::string_view kExprNames[] = {
#define EXPR(name, looks, parts, layout) #name,
#include "compiler/model/exprs.def"
};
constexpr std::string_view kStmtNames[] = {
#define STMT(name, parts, layout) #name,
#include "compiler/model/stmts.def"
};

class Printer {
 public:
  explicit Printer(const Model& model) : m_(model) { kind_.kind = TypeKind::kind; }

  std::string run();
  std::vector<Entity> take_apart();
  std::string expr(const Expr* e, const Body* body) const;

 private:
  // Starts an entity. The subsequent output belongs to it until the next begin().
  void begin(std::string_view kind, std::string name, Range range) {
    finish();
    if (apart_) apart_->push_back({std::string(kind), std::move(name), {}, range, {}});
  }
  void finish() {
    if (apart_ && !apart_->empty()) apart_->back().meaning += out_;
    if (apart_) out_.clear();
  }
  void copies();
  void line(std::size_t depth, std::string_view text) { out_ += fmt::format("{:{}}{}\n", "", 2 * depth, text); }
  std::string local(const Body* body, LocalId id) const {
    if (!id.valid()) return "-";
    if (!body || id.index >= body->locals.size()) return fmt::format("#{}", id.index);
    return fmt::format("{}#{}", body->locals[id.index].name, id.index);
  }
  std::string constant(const Type& t, std::int64_t v) const {
    if (v == kNone) return "none";
    switch (t.kind) {
      case TypeKind::boolean: return v ? "true" : "false";
      case TypeKind::player: return std::string(1, static_cast<char>('a' + v));
      case TypeKind::enumeration:
        if (t.ref < m_.enums.size() && v >= 0 && v < static_cast<std::int64_t>(m_.enums[t.ref].constants.size()))
          return m_.enums[t.ref].constants[v].name;
        break;
      case TypeKind::kind:
        if (v >= 0 && v < static_cast<std::int64_t>(m_.kinds.size())) return m_.kinds[v].name;
        break;
      case TypeKind::card: return fmt::format("card {}", v);
      case TypeKind::integer:
        if (t.ref == kDurationRef) return v % 1000 ? fmt::format("{} us", v) : fmt::format("{} ms", v / 1000);
        break;
      case TypeKind::set: return t.elem ? set_attribute(*t.elem, v) : "[]";
      default: break;
    }
    return std::to_string(v);
  }
  // Formats the value of a set attribute; `bits` has one bit for each element.
  std::string set_attribute(const Type& element, std::int64_t bits) const {
    std::string elements;
    for (std::int64_t i = 0; i < 63; ++i)
      if (bits >> i & 1) elements += (elements.empty() ? "" : ", ") + constant(element, i);
    return "[" + elements + "]";
  }
  std::string name_of(const Expr& e) const;
  void block(const Block& b, const Body& body, std::size_t depth);
  void stmt(const Stmt& s, const Body& body, std::size_t depth);
  std::string parameters(const std::vector<Parameter>& parameters, const Body& body) const;
  std::string carrier(const Carrier& c) const;
  void head(const RuleHead& h, const Body& body, std::size_t depth);
  std::string patterns(const std::vector<Pattern>& patterns, const Body& body) const;
  std::string match(const CardMatch& c) const;
  std::string place(const Place& p, const Body& body) const;
  void flow(std::string_view name, const Body& body);
  const Event* effect_of(const Action& a) const;
  void components();
  void state();
  void rules();
  void measure(const Measure& m);
  void policy(const Policy& p);
  void at_once(const Window& w);
  void race(const Window& w);
  void scenarios();

  const Model& m_;
  Type kind_;
  std::string out_;
  std::vector<Entity>* apart_ = nullptr;
};

std::string Printer::name_of(const Expr& e) const {
  switch (e.kind) {
    case ExprKind::variable: return m_.variables[e.ref].name;
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot:
    case ExprKind::knows_top: return m_.zones[e.ref].name;
    case ExprKind::attribute: return m_.attributes[e.ref].name;
    case ExprKind::call_value: return m_.values[e.ref].name;
    case ExprKind::call_function: return m_.functions[e.ref].name;
    case ExprKind::call_event:
    case ExprKind::during_event:
    case ExprKind::event_field: return m_.events[e.ref].name;
    case ExprKind::open_window:
    case ExprKind::during_window:
    case ExprKind::window_field:
    case ExprKind::window_left: return m_.windows[e.ref].name;
    case ExprKind::pool_values: return m_.pools[e.ref].name;
    case ExprKind::set_list:
    case ExprKind::listed_set: return m_.set_lists[e.ref].name;
    case ExprKind::timer_running: return m_.timers[e.ref].name;
    default: return "";
  }
}

std::string Printer::expr(const Expr* e, const Body* body) const {
  if (!e) return "-";
  switch (e->kind) {
    case ExprKind::constant:
      return e->type.kind == TypeKind::text ? fmt::format("\"{}\"", e->text) : constant(e->type, e->value);
    case ExprKind::local: return local(body, e->local);
    case ExprKind::text: {
      std::string s = fmt::format("\"{}\"", e->text);
      for (const Expr* a : e->args) s += " " + expr(a, body);
      return "(" + s + ")";
    }
    case ExprKind::set_constant: {
      if (const Type* t = e->type.elem.get(); t && t->kind == TypeKind::enumeration && m_.enums[t->ref].cells &&
                                              e->values.size() == m_.enums[t->ref].constants.size())
        return "{all cells}";
      std::string s = "{";
      for (std::int64_t v : e->values)
        s += (s.size() > 1 ? " " : "") + constant(e->type.elem ? *e->type.elem : Type{}, v);
      return s + "}";
    }
    default: break;
  }
  std::string s(kExprNames[static_cast<std::size_t>(e->kind)]);
  if (std::string n = name_of(*e); !n.empty()) s += ":" + n;
  if (e->local.valid()) s += " " + local(body, e->local);
  if (e->value != 0) s += fmt::format(" {}", e->value);
  if (!e->values.empty()) {
    s += " {";
    for (std::size_t i = 0; i < e->values.size(); ++i)
      s += (i ? " " : "") +
           (e->kind == ExprKind::counts_as ? constant(kind_, e->values[i]) : std::to_string(e->values[i]));
    s += "}";
  }
  if (e->args.empty()) return s;
  s += "(";
  for (std::size_t i = 0; i < e->args.size(); ++i) s += (i ? ", " : "") + expr(e->args[i], body);
  return s + ")";
}

void Printer::stmt(const Stmt& s, const Body& body, std::size_t depth) {
  std::string text(kStmtNames[static_cast<std::size_t>(s.kind)]);
  const auto zone = [&](std::uint64_t z) { return z < m_.zones.size() ? m_.zones[z].name : "?"; };
  switch (s.kind) {
    case StmtKind::assign_variable:
    case StmtKind::assign_all:
    case StmtKind::show_faces:
    case StmtKind::reveal_variable:
    case StmtKind::peek_variable: text += ":" + m_.variables[s.ref].name; break;
    case StmtKind::assign_window_field:
    case StmtKind::end_window:
    case StmtKind::ask:
    case StmtKind::pause: text += ":" + m_.windows[s.ref].name; break;
    case StmtKind::assign_event_field:
    case StmtKind::end_event:
    case StmtKind::turns:
    case StmtKind::rounds:
    case StmtKind::phase: text += ":" + m_.events[s.ref].name; break;
    case StmtKind::return_value: text += s.why ? fmt::format(" \"{}\"", s.why->text) : ""; break;
    case StmtKind::move:
    case StmtKind::arrange:
    case StmtKind::shuffle: text += ":" + zone(s.ref); break;
    case StmtKind::draw_to:
    case StmtKind::deal_each:
      text += fmt::format(":{}->{}", zone(s.ref), zone(static_cast<std::uint64_t>(s.value)));
      break;
    case StmtKind::deal_pool:
      text += fmt::format(":{}->{}", m_.pools[s.ref].name, m_.variables[static_cast<std::size_t>(s.value)].name);
      break;
    case StmtKind::start_timer:
    case StmtKind::stop_timer: text += ":" + m_.timers[s.ref].name; break;
    case StmtKind::delay:
      for (ActionId a : s.ref < m_.delay_groups.size() ? m_.delay_groups[s.ref] : std::vector<ActionId>{})
        text += fmt::format(" \"{}\"", m_.actions[a.index].name);
      break;
    case StmtKind::choose: text += fmt::format(" element {}", local(&body, LocalId{s.ref})); break;
    default: break;
  }
  if (s.local.valid()) text += " " + local(&body, s.local);
  if (s.value != 0 && s.kind != StmtKind::draw_to && s.kind != StmtKind::deal_each && s.kind != StmtKind::deal_pool)
    text += fmt::format(" {}", s.value);
  if (!s.text.empty()) text += fmt::format(" \"{}\"", s.text);
  if (!s.exprs.empty()) {
    text += " (";
    for (std::size_t i = 0; i < s.exprs.size(); ++i) text += (i ? ", " : "") + expr(s.exprs[i], &body);
    text += ")";
  }
  line(depth, text);
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    if (i > 0) line(depth, "|");
    block(s.blocks[i], body, depth + 1);
  }
}

void Printer::block(const Block& b, const Body& body, std::size_t depth) {
  for (const Stmt* s : b) stmt(*s, body, depth);
}

std::string Printer::parameters(const std::vector<Parameter>& parameters, const Body& body) const {
  std::string s = "(";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Local& l = body.locals[parameters[i].local.index];
    s += fmt::format("{}{}: {}", i ? ", " : "", l.name, to_string(m_, l.type));
    if (parameters[i].initial) s += " = " + expr(parameters[i].initial, &body);
  }
  return s + ")";
}

std::string Printer::carrier(const Carrier& c) const {
  if (c.kind == CarrierKind::none) return "";
  if (c.kind == CarrierKind::character) return " of " + m_.enums[c.character_type.index].constants[c.character].name;
  std::string s = " of";
  for (KindId k : c.kinds) s += " " + m_.kinds[k.index].name;
  return c.zone.valid() ? s + " in " + m_.zones[c.zone.index].name : s;
}

void Printer::head(const RuleHead& h, const Body& body, std::size_t depth) {
  constexpr std::string_view kKinds[] = {"rule", "option", "card"};
  // Omits precedences, because they change when a rule is added or removed before this one.
  if (apart_)
    line(depth, fmt::format("\"{}\"{}", h.name, carrier(h.carrier)));
  else
    line(depth,
         fmt::format("\"{}\"{} [{} {} {}]", h.name, carrier(h.carrier),
                     kKinds[static_cast<std::size_t>(h.precedence.kind)], h.precedence.depth, h.precedence.position));
  if (h.when) line(depth, "when " + expr(h.when, &body));
}

std::string Printer::patterns(const std::vector<Pattern>& patterns, const Body& body) const {
  std::string s = "(";
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    s += i ? ", " : "";
    switch (patterns[i].kind) {
      case Pattern::Kind::any: s += "_"; break;
      case Pattern::Kind::binds: s += local(&body, patterns[i].local); break;
      case Pattern::Kind::equals: s += "== " + expr(patterns[i].value, &body); break;
    }
  }
  return s + ")";
}

std::string Printer::match(const CardMatch& c) const {
  std::string s = c.kind ? m_.kinds[c.kind->index].name : "a";
  for (const auto& [a, v] : c.attributes)
    s += fmt::format(" {}={}", m_.attributes[a.index].name, constant(m_.attributes[a.index].type, v));
  return c.place == 0 ? s : fmt::format("{}[{}]", s, c.place);
}

std::string Printer::place(const Place& p, const Body& body) const {
  return (p.owner ? expr(p.owner, &body) + "." : "") + m_.zones[p.zone.index].name;
}

namespace {
std::string shown_on(const Board& b) {
  return (b.shows ? " shows " + b.shows->text : "") + (b.edges_show ? " edges show " + b.edges_show->text : "");
}
}   // namespace

void Printer::components() {
  for (const OptionValue& o : m_.options) {
    begin("option", o.name, {});
    line(0, fmt::format("option {} = {}", o.name, o.value));
  }
  const auto of_board = [&](std::size_t e) { return m_.enums[e].cells || m_.enums[e].dirs; };
  std::vector<bool> built_in(m_.attributes.size());
  for (std::size_t e = 0; e < m_.enums.size(); ++e)
    for (AttributeId a : m_.enums[e].attributes) built_in[a.index] = of_board(e);
  for (const Board& b : m_.boards) {
    begin("board", b.name, b.range);
    if (b.graph) {
      line(0, fmt::format("board {}: graph{}", b.name, shown_on(b)));
      for (std::size_t p = 0; p < b.joined.size(); ++p) {
        const auto& constants = m_.enums[b.cells.index].constants;
        std::string next;
        for (const std::int64_t to : b.joined[p]) next += " " + constants[static_cast<std::size_t>(to)].name;
        line(1, fmt::format("{} at ({}, {}) next{}", constants[p].name, b.places[p].first, b.places[p].second, next));
      }
    } else {
      line(0, fmt::format("board {}: {} {} x {}{}", b.name, b.hex ? "hex" : "grid", b.width, b.height,
                          b.across && b.down ? " wraps both"
                          : b.across         ? " wraps across"
                          : b.down           ? " wraps down"
                                             : "") +
                  shown_on(b));
    }
  }
  for (const Area& a : m_.areas) {
    if (a.piece) {
      begin("piece", a.name, {});
      line(0, fmt::format("piece {} x {} at {}{}{}{}", a.name, a.parts, m_.variables[a.piece->at.index].name,
                          a.piece->facing ? " facing " + m_.variables[a.piece->facing->index].name : "",
                          a.piece->shapes ? " covers " + m_.shapes[*a.piece->shapes].name : "",
                          a.sign.empty() ? "" : fmt::format(" \"{}\"", a.sign)));
    } else if (apart_ && a.name != "team") {
      begin("area", a.name, {});
      line(0, fmt::format("area {} x {}", a.name, a.each > 0 ? a.each : a.parts));
    }
    if (a.drawn) line(1, "drawn " + a.drawn->text);
  }
  for (const ShownText& shown : m_.shown) {
    begin("shows", shown.text, shown.range);
    line(0, fmt::format("{} shows {}", shown.of_players ? "player" : "table", shown.text));
  }
  if (m_.board_cards) {
    begin("cards on", m_.boards[0].name, {});
    for (std::size_t k = 0; k < m_.kinds.size(); ++k)
      if (const std::string& sign = m_.board_cards->signs[k]; m_.board_cards->sort_of[k] != kNone)
        line(0, fmt::format("{} on {}, size {}{}", m_.kinds[k].name, m_.boards[0].name, m_.board_cards->sort_of[k],
                            sign.empty() ? "" : fmt::format(" \"{}\"", sign)));
  }
  for (const Shapes& s : m_.shapes) {
    begin("shapes", s.name, {});
    for (const auto& offsets : s.offsets) {
      std::string all;
      for (const auto& [x, y] : offsets) all += fmt::format(" ({}, {})", x, y);
      line(0, "covers" + all);
    }
  }
  if (!m_.teams.empty()) {
    begin("teams", "", {});
    line(0, fmt::format("teams by seat: {}", fmt::join(m_.teams, " ")));
  }
  for (std::size_t i = 0; i < m_.attributes.size(); ++i) {
    const Attribute& a = m_.attributes[i];
    if (built_in[i]) continue;
    begin("attribute", a.name, a.range);
    line(0, fmt::format("attribute {}: {}{}", a.name, to_string(m_, a.type), a.unprinted ? ", unprinted" : ""));
  }
  for (std::size_t i = 0; i < m_.enums.size(); ++i) {
    const Enum& e = m_.enums[i];
    if (of_board(i)) continue;
    begin(e.character ? "character type" : "enum", e.name, e.range);
    line(0, fmt::format("{} {}", e.character ? "characters" : "enum", e.name));
    for (const EnumConst& c : e.constants) {
      if (e.character) begin("character", c.name, c.range);
      std::string s = apart_ && e.character ? fmt::format("{} \"{}\"", c.name, c.label)
                                            : fmt::format("{} \"{}\" {}", c.name, c.label, c.number);
      for (std::size_t i = 0; i < e.attributes.size() && i < c.attributes.size(); ++i)
        s += fmt::format(" {}={}", m_.attributes[e.attributes[i].index].name,
                         constant(m_.attributes[e.attributes[i].index].type, c.attributes[i]));
      line(1, s);
    }
  }
  for (const CardType& t : m_.card_types) {
    begin("card type", t.name, t.range);
    line(0, fmt::format("card type {}{}", t.name, t.base ? ": " + m_.card_types[t.base->index].name : ""));
  }
  for (const Kind& k : m_.kinds) {
    begin("card", k.name, k.range);
    line(0, fmt::format("card {}: {} \"{}\"", k.name, m_.card_types[k.type.index].name, k.label));
    if (apart_) line(1, k.text);
  }
  if (apart_)
    copies();
  else {
    line(0, fmt::format("{} cards", m_.cards.size()));
    for (std::size_t i = 0; i < m_.cards.size(); ++i) {
      std::string s = fmt::format("{} {}", i, m_.kinds[m_.cards[i].kind.index].name);
      for (std::size_t a = 0; a < m_.cards[i].attributes.size(); ++a)
        if (m_.cards[i].attributes[a] != kNone)
          s += fmt::format(" {}={}", m_.attributes[a].name, constant(m_.attributes[a].type, m_.cards[i].attributes[a]));
      if (m_.cards[i].home) s += " in " + m_.zones[m_.cards[i].home->index].name;
      line(1, s);
    }
  }
  for (const Pool& p : m_.pools) {
    begin("deck", p.name, p.range);
    std::string s = fmt::format("pool {}:", p.name);
    for (std::size_t i = 0; i < p.counts.size(); ++i)
      s += fmt::format(" {} x {}", m_.enums[p.element.index].constants[i].name, p.counts[i]);
    line(0, s);
  }
}

void Printer::state() {
  constexpr std::string_view kSeen[] = {"public", "owner", "team", "hidden"};
  constexpr std::string_view kShapes[] = {"set", "pile", "row", "slot"};
  constexpr std::string_view kLives[] = {"", " of a round", " of a turn", " of a phase"};
  for (const Variable& v : m_.variables) {
    begin("variable", v.per_player ? "player." + v.name : v.name, v.range);
    std::string s = fmt::format("variable {}{}: {}", v.per_player ? "player." : "", v.name, to_string(m_, v.type));
    for (const Type& i : v.indices) s += " per " + to_string(m_, i);
    s += fmt::format(", {}{}", kSeen[static_cast<std::size_t>(v.visibility)],
                     kLives[static_cast<std::size_t>(v.lifetime)]);
    if (v.initial) s += " = " + expr(v.initial, nullptr);
    if (v.can_be_unset) s += ", unset at first";
    if (v.dealt_from) s += ", dealt from " + m_.pools[v.dealt_from->index].name;
    line(0, s);
  }
  for (const Timer& t : m_.timers) {
    begin("timer", t.name, t.range);
    line(0, fmt::format("timer {}{}", t.per_player ? "player." : "", t.name));
  }
  for (const Zone& z : m_.zones) {
    begin("zone", z.per_player ? "player." + z.name : z.name, z.range);
    line(0, fmt::format("zone {}{}: {}, {}{}{}", z.per_player ? "player." : "", z.name,
                        kShapes[static_cast<std::size_t>(z.shape)], kSeen[static_cast<std::size_t>(z.visibility)],
                        z.refill_from ? ", refill from " + m_.zones[z.refill_from->index].name : "",
                        z.one_of_a_kind ? ", one of a kind" : ""));
  }
}

void Printer::flow(std::string_view name, const Body& body) {
  begin(name, "", body.block.empty() ? Range{} : body.block.front()->range);
  if (apart_)
    for (const Stmt* s : body.block) apart_->back().parts.push_back(s->range);
  line(0, name);
  block(body.block, body, 1);
}

// Returns the event that contains the effect of an action, or null. An action with triggers calls a separate event for
// its effect.
const Event* Printer::effect_of(const Action& a) const {
  if (a.body.block.size() != 1 || a.body.block[0]->kind != StmtKind::evaluate) return nullptr;
  const Expr& call = *a.body.block[0]->exprs[0];
  const Event* event = call.kind == ExprKind::call_event ? &m_.events[call.ref] : nullptr;
  return event && event->range == call.range ? event : nullptr;
}

void Printer::rules() {
  constexpr std::string_view kHow[] = {"to", "by", "at least", "at most"};
  constexpr std::string_view kHooks[] = {"before", "instead of", "after"};
  for (const Value& v : m_.values) {
    begin("value", v.name, v.range);
    line(0, fmt::format("value {}{}: {}", v.name, parameters(v.parameters, v.body), to_string(m_, v.result)));
    if (v.base)
      line(1, "= " + expr(v.base, &v.body));
    else
      block(v.body.block, v.body, 1);
    if (v.at_least) line(1, "at least " + expr(v.at_least, &v.body));
    if (v.at_most) line(1, "at most " + expr(v.at_most, &v.body));
    if (v.latest_first) line(1, "latest modifier first");
    for (const Modifier& x : v.modifiers) {
      begin("", x.head.name, x.head.range);
      line(1, fmt::format("modify {} {} {}", patterns(x.patterns, x.body), kHow[static_cast<std::size_t>(x.how)],
                          expr(x.amount, &x.body)));
      head(x.head, x.body, 2);
    }
  }
  for (const Function& f : m_.functions) {
    begin("function", f.name, f.range);
    line(0, fmt::format("function {}{}: {}", f.name, parameters(f.parameters, f.body), to_string(m_, f.result)));
    block(f.body.block, f.body, 1);
  }
  // In a comparison, the effects of actions with triggers are not separate entities.
  std::set<const Event*> effects;
  for (const Action& a : m_.actions)
    if (const Event* effect = apart_ ? effect_of(a) : nullptr) effects.insert(effect);
  constexpr std::string_view kEventKinds[] = {"event", "turn", "round", "phase"};
  for (const Event& e : m_.events) {
    if (!effects.contains(&e)) {
      begin(kEventKinds[static_cast<std::size_t>(e.kind)], e.name, e.range);
      line(0, fmt::format("{} {}{}: {}", kEventKinds[static_cast<std::size_t>(e.kind)], e.name,
                          parameters(e.parameters, e.body), to_string(m_, e.result)));
      if (e.order) line(1, fmt::format("{} orders replacements", expr(e.order->player, &e.body)));
      block(e.body.block, e.body, 1);
    }
    for (const Handler& h : e.handlers) {
      begin("", h.head.name, h.head.range);
      line(1, fmt::format("{} {}", kHooks[static_cast<std::size_t>(h.hook)], patterns(h.patterns, h.body)));
      head(h.head, h.body, 2);
      block(h.body.block, h.body, 2);
    }
  }
  for (const Window& w : m_.windows) {
    begin("window", w.name, w.range);
    line(0, fmt::format("window {}{}{}", w.name, parameters(w.parameters, w.body), w.phase ? " (a phase)" : ""));
    block(w.body.block, w.body, 1);
    if (w.at_once) at_once(w);
    if (w.race) race(w);
  }
  constexpr std::string_view kCounts[] = {"one", "exactly", "up to", "any number"};
  constexpr std::string_view kScopes[] = {"window", "phase", "turn", "round", "game"};
  for (const Action& a : m_.actions) {
    begin("action", a.name, a.head.range);
    std::string s = fmt::format("action {}", a.name);
    if (a.any_window) s += " in any window";
    for (WindowId w : a.windows) s += " in " + m_.windows[w.index].name;
    if (a.free) s += ", free";
    if (a.secret) s += ", secret";
    for (const Limit& l : a.limits)
      s += fmt::format(", once per {}{}{}", kScopes[static_cast<std::size_t>(l.scope)],
                       l.per_target ? " and target" : "", l.group ? " as " + m_.groups[l.group->index] : "");
    line(0, s);
    head(a.head, a.body, 1);
    if (a.play)
      line(1, fmt::format("plays {} from {}{}", m_.kinds[a.kind.index].name, m_.zones[a.from.index].name,
                          a.to ? " to " + place(*a.to, a.body) : ""));
    for (const ActionParameter& p : a.parameters) {
      line(1, fmt::format("{} {}: {}{}", kCounts[static_cast<std::size_t>(p.count)], local(&a.body, p.local),
                          to_string(m_, p.type), p.domain ? " in " + expr(p.domain, &a.body) : ""));
      if (p.where) line(2, "where " + expr(p.where, &a.body));
      if (p.amount) line(2, "count " + expr(p.amount, &a.body));
      if (p.keeping) line(2, "keeping " + expr(p.keeping, &a.body));
    }
    if (const Event* effect = apart_ ? effect_of(a) : nullptr)
      block(effect->body.block, effect->body, 1);
    else
      block(a.body.block, a.body, 1);
    if (a.takes) line(1, fmt::format("takes {}{}", expr(a.takes, &a.body), a.by_hand ? ", by hand" : ""));
    if (a.busy) line(1, "then busy " + expr(a.busy, &a.body));
    if (a.sensible) line(1, "sensible if " + expr(a.sensible, &a.body));
    if (a.must) line(1, "must" + (a.must_if ? " if " + expr(a.must_if, &a.body) : ""));
    if (a.has_late) {
      line(1, "late");
      block(a.late, a.body, 2);
    }
    if (a.has_wrong) {
      line(1, "wrong");
      block(a.wrong, a.body, 2);
    }
  }
  for (const Whenever& w : m_.whenevers) {
    begin("", w.head.name, w.head.range);
    line(0, "whenever");
    head(w.head, w.body, 1);
    block(w.body.block, w.body, 1);
  }
  for (const Also& a : m_.alsos) {
    begin("", a.head.name, a.head.range);
    std::string kinds;
    for (KindId k : a.kinds) kinds += m_.kinds[k.index].name + " ";
    line(0, fmt::format("{}in {} is also {}", kinds, m_.zones[a.zone.index].name, m_.kinds[a.counts_as.index].name));
    head(a.head, {}, 1);
  }
  for (const Forbid& f : m_.forbids) {
    begin("", f.head.name, f.head.range);
    std::string s = f.allow ? "allow" : "forbid";
    for (ActionId a : f.actions) s += " \"" + m_.actions[a.index].name + "\"";
    line(0, s + " " + patterns(f.patterns, f.body));
    head(f.head, f.body, 1);
  }
  for (const Measure& m : m_.measures) measure(m);
  for (const Policy& p : m_.policies) policy(p);
  flow("setup", m_.setup);
  flow("play", m_.play);
  for (const EndWhen& e : m_.endings) {
    begin("end when", e.name, e.range);
    line(0, (e.name.empty() ? "end when " : "ending " + e.name + " when ") + expr(e.when, &e.body));
    block(e.body.block, e.body, 1);
  }
}

void Printer::measure(const Measure& m) {
  constexpr std::string_view kWhats[] = {"count", "sum", "mean", "share"};
  constexpr std::string_view kWhens[] = {"before", "after", "late", "wrong", "at end"};
  constexpr std::string_view kSpans[] = {"", " along turns", " along rounds"};
  constexpr std::string_view kPer[] = {"", " per turn", " per round"};
  begin("measure", m.name, m.range);
  line(0, fmt::format("measure {} \"{}\": {}{}", m.name, m.label, kWhats[static_cast<std::size_t>(m.what)],
                      (m.per_span ? kPer : kSpans)[static_cast<std::size_t>(m.along)]));
  for (const Moment& at : m.moments) {
    const std::string_view of = at.event    ? m_.events[at.event->index].name
                                : at.action ? m_.actions[at.action->index].name
                                            : "";
    line(1, fmt::format("{}{}{}{}", kWhens[static_cast<std::size_t>(m.when)], of.empty() ? "" : " ", of,
                        of.empty() ? "" : " " + patterns(at.patterns, at.body)));
    for (std::size_t i = 0; i < at.keys.size(); ++i)
      line(2, fmt::format("per {}{}: {}", at.keys[i].domain ? local(&at.body, at.keys[i].each) + " in " : "",
                          expr(at.keys[i].domain ? at.keys[i].domain : at.keys[i].value, &at.body),
                          to_string(m_, m.keys[i].type)));
    head(at.head, at.body, 2);
    if (at.value) line(2, "of " + expr(at.value, &at.body));
  }
}

void Printer::policy(const Policy& p) {
  begin("policy", p.name, p.range);
  line(0, fmt::format("policy {}{}{}", p.name, p.for_bots ? " for bots" : "",
                      p.label.empty() ? "" : fmt::format(" \"{}\"", p.label)));
  for (const PolicyRule& r : p.rules) {
    std::string s = r.avoid ? "avoid" : "weight";
    for (const ActionId a : r.actions) s += " \"" + m_.actions[a.index].name + "\"";
    if (r.passes) s += " pass";
    if (!r.choice.empty()) s += " choose " + r.choice;
    line(1, s + " " + patterns(r.patterns, r.body));
    if (r.weight) line(2, "by " + expr(r.weight, &r.body));
    head(r.head, r.body, 2);
  }
}

void Printer::at_once(const Window& w) {
  constexpr std::string_view kMissing[] = {"", ", otherwise random", ", otherwise pass", ", otherwise "};
  const AtOnce& a = *w.at_once;
  std::string s = "at once";
  if (a.within) s += " within " + expr(a.within, &w.body);
  s += kMissing[static_cast<std::size_t>(a.missing)];
  if (a.missing == AtOnce::Missing::action) s += m_.actions[a.action.index].name;
  if (a.together) s += ", together within " + expr(a.together, &w.body);
  line(1, s);
}

void Printer::race(const Window& w) {
  const Race& r = *w.race;
  line(1, fmt::format("in real time: {}, {}, {}", m_.values[r.sight.index].name, m_.values[r.think.index].name,
                      m_.values[r.patience.index].name));
  if (r.countdown)
    line(2, "countdown " + expr(r.countdown, &w.body) +
                (r.countdown_then ? fmt::format(" then {}", *r.countdown_then) : ""));
  for (std::size_t i = 0; i < r.resumes.size(); ++i) {
    line(2, fmt::format("when a pause is over, {}", i));
    block(r.resumes[i].body.block, r.resumes[i].body, 3);
  }
  for (const RaceTimer& t : r.timers) {
    line(2, fmt::format("after {}{}", expr(t.delay, &w.body), t.quiet ? " of quiet" : ""));
    block(t.body.block, t.body, 3);
  }
  if (!r.has_stalemate) return;
  std::string s = "stalemate";
  for (ActionId a : r.stalemate) s += fmt::format(" \"{}\"", m_.actions[a.index].name);
  line(2, s);
  block(r.stalemate_body.block, r.stalemate_body, 3);
}

void Printer::scenarios() {
  const auto steps = [&](const Step& s) {
    std::string t = s.text;
    for (const StepUse& use : s.uses) {
      t += fmt::format(" <{}", m_.actions[use.action.index].name);
      for (const StepArgument& a : use.arguments) {
        for (const CardMatch& c : a.cards) t += " " + match(c);
        for (std::int64_t x : a.values) t += fmt::format(" {}", x);
      }
      t += ">";
    }
    return t;
  };
  for (const Scenario& s : m_.scenarios) {
    line(0, fmt::format("scenario \"{}\"", s.title));
    for (const ScenarioLine& l : s.lines) {
      for (const Given& g : l.givens) {
        std::string t = "given";
        if (g.variable.valid()) t += " " + m_.variables[g.variable.index].name;
        if (g.zone.valid()) t += " " + m_.zones[g.zone.index].name;
        for (std::int64_t p : g.seats) t += fmt::format(" {}", static_cast<char>('a' + p));
        for (std::int64_t v : g.values)
          t += fmt::format(" ={}",
                           g.variable.valid() ? constant(m_.variables[g.variable.index].type, v) : std::to_string(v));
        for (const CardMatch& c : g.cards) t += " <" + match(c) + ">";
        line(1, t);
      }
      for (const Step& x : l.steps) line(1, "when " + steps(x));
      for (const Claim& c : l.claims) line(1, "then " + c.text);
    }
  }
}

// Prints the copies of each card, as in "Miss x 12 in draw", and their attributes if these differ between copies.
void Printer::copies() {
  for (std::size_t k = 0; k < m_.kinds.size(); ++k) {
    std::map<std::string, int> counts;
    int total = 0;
    for (const Card& card : m_.cards) {
      if (card.kind.index != k) continue;
      ++total;
      std::string s;
      for (std::size_t a = 0; a < card.attributes.size(); ++a)
        if (card.attributes[a] != kNone)
          s += fmt::format("{}{} {}", s.empty() ? "" : ", ", m_.attributes[a].name,
                           constant(m_.attributes[a].type, card.attributes[a]));
      ++counts[fmt::format("{}{}", s.empty() ? "" : " (" + s + ")",
                           card.home ? " in " + m_.zones[card.home->index].name : "")];
    }
    if (counts.empty()) continue;
    begin("copies of", m_.kinds[k].name, m_.kinds[k].range);
    line(0, fmt::format("{} in all", total));
    for (const auto& [what, n] : counts) line(0, fmt::format("x {}{}", n, what));
  }
}

std::vector<Entity> Printer::take_apart() {
  std::vector<Entity> all;
  apart_ = &all;
  components();
  state();
  rules();
  finish();
  return all;
}

std::string Printer::run() {
  line(0, fmt::format("model {} \"{}\" for {} players", m_.name, m_.title, m_.players));
  components();
  state();
  rules();
  scenarios();
  return std::move(out_);
}

}   // namespace

std::string to_string(const Model& model, const Expr& e, const Body* body) { return Printer(model).expr(&e, body); }
std::string print(const Model& model) { return Printer(model).run(); }
std::vector<Entity> entities(const Model& model) { return Printer(model).take_apart(); }

}   // namespace cardwright::model
