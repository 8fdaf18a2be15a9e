// Lowers the strings of `log`. The code passes the values one by one, each followed by the players who may read it, and
// then the string, with a placeholder `{index:format}` for each value (runtime/log.h). A player may read a value if
// three-valued evaluation over the player's knowledge finds it, as in conditions. The code is skipped if there is no
// listener.
#include "compiler/lower/text/log.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/model/purity.h"

namespace cardwright::lower {

using model::ExprKind;
using model::StmtKind;
using model::TypeKind;

using Domains = std::vector<std::pair<model::LocalId, const model::Expr*>>;

namespace {

const model::Expr* domain_of(const Domains& domains, model::LocalId local) {
  for (auto it = domains.rbegin(); it != domains.rend(); ++it)
    if (it->first == local) return it->second;
  return nullptr;
}

// Finds the values that a `let` or `var` stores in `local`, and the domain of a loop over `local`.
void stored_in(const model::Block& block, model::LocalId local, std::vector<const model::Expr*>& stored,
               const model::Expr*& loop) {
  for (const model::Stmt* s : block) {
    if (s->local == local && (s->kind == StmtKind::let || s->kind == StmtKind::assign_local) && !s->exprs.empty() &&
        s->exprs.back())
      stored.push_back(s->exprs.back());
    if (s->local == local && s->kind == StmtKind::each) loop = view::each(s).domain();
    for (const model::Block& inner : s->blocks) stored_in(inner, local, stored, loop);
  }
}

bool sets(const model::Block& block, model::LocalId local) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    return (s->kind == StmtKind::let && s->local == local) ||
           std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return sets(inner, local); });
  });
}

// Returns whether a name is bound inside a loop. Such a name is read only while the loop is still at the same element.
bool is_set_within(const model::Block& block, model::LocalId loop, model::LocalId local) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    if (s->kind == StmtKind::each && s->local == loop) return sets(s->blocks[0], local);
    return std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return is_set_within(inner, loop, local); });
  });
}

}   // namespace

// The hidden information on which a value in a string depends.
struct Secrets {
  // Expressions that can be evaluated here. A player may read the value if the three-valued evaluation for this player
  // finds a result (three_valued.h), which is the same evaluation as for the conditions of options.
  std::vector<const model::Expr*> evaluated;
  // Dependencies of values that were computed earlier and stored in a name. The State may have changed since then, so a
  // player must know all variables and cards that the value may depend on.
  std::vector<std::pair<std::uint32_t, Register>> variables;
  std::vector<Register> cards;
  std::set<std::uint32_t> followed;   // names whose values have been analyzed
  std::vector<model::LocalId> following;   // names being analyzed
  std::uint32_t since = ~std::uint32_t{0};   // position in the rule at which the first followed value was stored
  // True if the value depends on information that cannot be described. No player sees such a value.
  bool unreadable = false;
  bool any() const { return unreadable || !evaluated.empty() || !variables.empty() || !cards.empty(); }
};

static void secrets_of_earlier(const FunctionContext& code, const model::Expr& e, Domains domains, Secrets& out);
static void find_secrets(const FunctionContext& code, const model::Expr& e, Secrets& out);

// Returns whether the variable may have been written between the position `since` in a rule and the current position.
static bool is_stored_between(const model::Block& block, std::uint32_t variable, std::uint32_t since, Range now,
                              bool again = false) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    const bool stores = (s->kind == StmtKind::assign_variable || s->kind == StmtKind::assign_all) && s->ref == variable;
    if (stores && s->range.source == now.source && s->range.begin > since && (again || s->range.begin < now.begin))
      return true;
    const bool loop = s->kind == StmtKind::repeat || s->kind == StmtKind::each;
    const bool around = loop && since < s->range.begin && s->range.begin < now.begin && now.begin < s->range.end;
    return std::any_of(s->blocks.begin(), s->blocks.end(), [&](const model::Block& inner) {
      return is_stored_between(inner, variable, since, now, again || around);
    });
  });
}

// Adds the cards in `e`, whose properties an earlier value depends on.
static void depends_on_cards(const FunctionContext& code, const model::Expr& e, const Domains& domains, Secrets& out) {
  const auto whole = [&](const model::Expr& cards) {
    Facts all;
    if (cards.kind != ExprKind::zone || !code.unit.facts.secrecy.fact(cards, all).named) out.unreadable = true;
  };
  if (e.kind == ExprKind::constant || e.kind == ExprKind::set_constant) return;
  if (is_wide(code.unit, e.type)) return whole(e);
  if (e.kind != ExprKind::local) {
    out.unreadable = true;
    return;
  }
  if (const model::Expr* domain = domain_of(domains, e.local)) return whole(*domain);
  std::vector<const model::Expr*> stored;
  const model::Expr* loop = nullptr;
  stored_in(code.env().body->block, e.local, stored, loop);
  if (loop) return whole(*loop);
  if (!stored.empty())
    out.unreadable = true;
  else
    out.cards.push_back(code.set(Op::set_of, {read_local(code, e.local)}));
}

// Adds the secrets of the value to which a name was bound. If the state has not changed since then, evaluates the value
// again on the current state.
static void secrets_of_local(const FunctionContext& code, const model::Expr& e, bool earlier, Secrets& out) {
  if (e.type.kind == TypeKind::card || (is_wide(code.unit, e.type) && holds_cards(e.type))) return;
  const analysis::Taint& taint = code.unit.facts.secrecy.taint();
  if (taint.must_be_hidden(*code.env().body, e, code.env().deferred)) {
    out.unreadable = true;
    return;
  }
  if (code.env().deferred || !out.followed.insert(e.local.index).second) return;
  // The state has not changed since the `let`, so its expression can be evaluated again.
  if (auto fresh = code.env().fresh.find(e.local.index); !earlier && fresh != code.env().fresh.end())
    return find_secrets(code, *fresh->second, out);
  std::vector<const model::Expr*> stored;
  const model::Expr* loop = nullptr;
  stored_in(code.env().body->block, e.local, stored, loop);
  const std::vector<const model::Expr*> conditions = taint.secret_conditions(*code.env().body, e.local);
  stored.insert(stored.end(), conditions.begin(), conditions.end());
  out.following.push_back(e.local);
  for (const model::Expr* value : stored) {
    if (value->range.known()) out.since = std::min(out.since, value->range.begin);
    secrets_of_earlier(code, *value, {}, out);
  }
  out.following.pop_back();
}

constexpr Int kMostOfOne = 64;   // maximum number of values of a variable that are checked individually

static void secrets_of_variable(const FunctionContext& code, const model::Expr& e, const Domains& domains,
                                Secrets& out) {
  if (code.model.variables[e.ref].visibility == model::Visibility::open) return;
  if (code.env().body && is_stored_between(code.env().body->block, e.ref, out.since, code.where())) {
    out.unreadable = true;
    return;
  }
  const auto foreign = [&](const model::Expr* a) {   // the expression may have a different value here
    if (std::any_of(domains.begin(), domains.end(), [&](auto& d) { return mentions(*a, d.first); })) return true;
    if (a->kind == ExprKind::constant) return false;
    std::vector<const model::Expr*> stored;
    const model::Expr* loop = nullptr;
    if (a->kind == ExprKind::local) stored_in(code.env().body->block, a->local, stored, loop);
    if (loop && stored.empty() && is_set_within(code.env().body->block, a->local, out.following.back())) return false;
    return a->kind != ExprKind::local || loop || !stored.empty();
  };
  if (std::none_of(e.args.begin(), e.args.end(), foreign))
    return out.variables.push_back({e.ref, known_at(code, e.ref, e.args, 0)});
  // If the index is unknown here, only players who know all values of the variable see the string.
  const auto number = static_cast<std::size_t>(code.unit.ids.variable[e.ref]);
  const Int values = code.program.variables[number].count,
            run = std::max<Int>(1, code.program.variable_infos[number].run());
  if (values / run > kMostOfOne) {
    out.unreadable = true;
    return;
  }
  for (Int i = 0; i < values; i += run) out.variables.push_back({e.ref, code.constant(i)});
}

// Returns whether the value is the result or a field of an event or window that may carry a secret.
static bool carries_secret(const FunctionContext& code, const model::Expr& e) {
  using enum ExprKind;
  if (e.kind != call_event && e.kind != open_window && e.kind != window_field && e.kind != window_left &&
      e.kind != event_field)
    return false;
  return code.unit.facts.secrecy.taint().must_be_hidden(*code.env().body, e, code.env().deferred);
}

// Returns whether the operation of `e` itself reads hidden information, not one of its operands.
static bool reads_by_itself(const FunctionContext& code, const model::Expr& e) {
  return reads(code, e) &&
         std::none_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return reads(code, a); });
}

// Adds the secrets of a value that was computed earlier.
static void secrets_of_earlier(const FunctionContext& code, const model::Expr& e, Domains domains, Secrets& out) {
  const auto each_argument = [&](std::size_t from) {
    for (const model::Expr* a : view::all_from(e.args, from))
      if (a) secrets_of_earlier(code, *a, domains, out);
  };
  out.unreadable = out.unreadable || carries_secret(code, e);
  switch (e.kind) {
    case ExprKind::text: return;   // the secrets of its parts were emitted with the inner string
    case ExprKind::local:
      if (!domain_of(domains, e.local)) secrets_of_local(code, e, true, out);
      break;
    case ExprKind::variable: secrets_of_variable(code, e, domains, out); break;
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
      if (const model::Expr& of = *view::about_card(e).of(); of.type.kind == TypeKind::card)
        depends_on_cards(code, of, domains, out);
      break;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::disjoint:
    case ExprKind::set_equal:
      for (const model::Expr* a : e.args)
        if ((a->type.kind == TypeKind::card || is_wide(code.unit, a->type)) && a->kind != ExprKind::zone &&
            (!a->type.elem || a->type.elem->kind == TypeKind::card))
          depends_on_cards(code, *a, domains, out);
      break;
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best: {
      const model::Expr& domain = *view::ranging(e).domain();
      secrets_of_earlier(code, domain, domains, out);
      domains.push_back({e.local, &domain});
      code.env().facts.put(e.local, fact(code, domain));
      return each_argument(1);
    }
    case ExprKind::call_value:
    case ExprKind::call_function:
      for (const model::Expr* a : view::call(e).arguments())
        if (a->type.kind == TypeKind::card || (is_wide(code.unit, a->type) && a->type.elem->kind == TypeKind::card))
          depends_on_cards(code, *a, domains, out);
      if (reads_by_itself(code, e)) out.unreadable = true;
      break;
    default:
      if (reads_by_itself(code, e)) out.unreadable = true;
      break;
  }
  each_argument(0);
}

// Adds the secrets of a value that can be evaluated here, and those of the names that it reads.
static void find_secrets(const FunctionContext& code, const model::Expr& e, Secrets& out) {
  std::set<std::uint32_t> bound;
  std::vector<const model::Expr*> locals;
  bool acts = false, calls = false;
  model::for_each_expr(&e, [&](const model::Expr& part) {
    out.unreadable = out.unreadable || carries_secret(code, part);
    if (part.kind == ExprKind::local)
      locals.push_back(&part);
    else if (part.local.valid())
      bound.insert(part.local.index);
    const bool looks = part.kind == ExprKind::zone_top || part.kind == ExprKind::zone_top_n ||
                       part.kind == ExprKind::zone_bottom;   // a second look finds the same cards
    calls = calls || part.kind == ExprKind::call_value || part.kind == ExprKind::call_function;
    acts = acts || (model::can_act(part.kind) && !looks);
  });
  for (const model::Expr* local : locals)
    if (!bound.contains(local->local.index)) secrets_of_local(code, *local, false, out);
  if (!reads(code, e)) return;
  // A second evaluation would act again. An explanation can't add the variable that three-valued functions need.
  if (acts || (calls && code.unit.explaining.on && code.unit.variables.met_unknown < 0))
    out.unreadable = true;
  else
    out.evaluated.push_back(&e);
}

// Returns the players who may read the value: those who know everything on which it depends. The test is emitted only
// for games with a log.
static Register readers_of(const FunctionContext& code, const Secrets& secrets) {
  const Register readers = code.make_int();
  const Int everybody = (Int{1} << code.model.players) - 1;
  code.assign_constant(readers, secrets.unreadable ? 0 : everybody);
  if (secrets.unreadable) return readers;
  BlockIndex test = code.add_block(), done = code.add_block();
  code.branch(code.integer(Op::listened, {}, 1), test, done);
  code.go_to(test);
  for_each(code, code.constant(everybody), [&](Register reader) {
    BlockIndex unknown = code.add_block(), next = code.add_block();
    const FunctionContext asked = code.without_caches().asked({reader, Asking::Mode::sure, unknown});
    for (const model::Expr* e : secrets.evaluated) static_cast<void>(expr(asked, *e));
    for (const auto& [variable, index] : secrets.variables)
      need(asked, code.integer(Op::knows_value, {reader, code.unit.ids.variable[variable], index}, 1));
    for (const Register cards : secrets.cards) need(asked, knows_all(asked, cards));
    code.jump(next);
    code.go_to(unknown);
    code.put(Op::mask_without, readers, {readers, code.integer(Op::mask_of, {reader})});
    code.jump(next);
    code.go_to(next);
  });
  code.jump(done);
  code.go_to(done);
  return readers;
}

// Returns the facts about the names of a rule that hold for every reader of its texts. Players may see different cards,
// so all cards from zones count as unknown here, and the emitted code tests them.
static Facts facts_for_readers(const FunctionContext& code) {
  if (!code.env().body) return {};
  static const model::Stmt anywhere{};
  Facts at = code.unit.facts.secrecy.of_body(*code.env().body, {}, anywhere);
  for (Fact& fact : at.locals) fact = {.named = fact.named && !fact.placed, .placed = fact.placed};
  return at;
}

// Returns the placeholder format for a value of this type.
std::string value_format(const ProgramContext& unit, const model::Type& type) {
  switch (type.kind) {
    case TypeKind::boolean: return "bool";
    case TypeKind::player: return "player";
    case TypeKind::card: return "card";
    case TypeKind::kind: return "kind";
    case TypeKind::text: return "text";
    case TypeKind::listed: return fmt::format("listed {}", type.ref);
    case TypeKind::enumeration: return fmt::format("of {}", type.ref);
    case TypeKind::set:
      switch (type.elem->kind) {
        case TypeKind::card: return "cards";
        case TypeKind::player: return "players";
        case TypeKind::kind: return "kinds";
        case TypeKind::enumeration:
          return fmt::format("{} of {}", is_wide(unit, type) ? "cells" : "some", type.elem->ref);
        default: return "numbers";
      }
    case TypeKind::integer:
      if (type.ref == model::kDurationRef) return "time";
      if (value_kind(unit, type) == ValueKind::piece) return fmt::format("piece of {}", enumeration_of(unit, type));
      return value_kind(unit, type) == ValueKind::part ? fmt::format("part of {}", enumeration_of(unit, type))
                                                       : "number";
    default: return "number";
  }
}

// Returns the placeholder format for a value in a sign, which has space for only one letter.
static std::string value_format_in_sign(const ProgramContext& unit, const model::Type& type) {
  if (type.kind != TypeKind::enumeration) return value_format(unit, type);
  return fmt::format("{} of {}", is_direction(unit, type) ? "arrow" : "letter", type.ref);
}

// Emits code that passes the values of a string. Returns the string with its placeholders.
std::string log_values(const FunctionContext& code, const std::string& pattern,
                       const std::vector<const model::Expr*>& parts, bool forgets, bool as_signs) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {   // `{}` becomes `{index:format}`; `{{` is copied unchanged
    text += pattern[i];
    if (pattern[i] != '{') continue;
    if (pattern[i + 1] == '{') {
      text += pattern[++i];
      continue;
    }
    const bool chosen = code.unit.named_in_labels.contains(parts[next]) && parts[next]->type.kind == TypeKind::card;
    text += fmt::format(
        "{}:{}{}", next, chosen ? "chosen " : "",
        as_signs ? value_format_in_sign(code.unit, parts[next]->type) : value_format(code.unit, parts[next]->type));
    ++next;
  }
  pass_values(code, parts, forgets);
  return text;
}

// Passes values, each with the players who may read it. If `forgets` is true, the State is discarded afterwards. A top
// card that is drawn for the text is then not the card that the rules will draw, so readers are determined before it is
// drawn.
void pass_values(const FunctionContext& code, const std::vector<const model::Expr*>& parts, bool forgets) {
  Env names = code.env();
  names.facts = facts_for_readers(code);
  const FunctionContext to_readers = code.in(names).in_text(), text_code = code.in_text();
  std::vector<Register> values, readers(parts.size(), ir::kNoRegister);
  const auto find_readers = [&] {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (code.unit.named_in_labels.contains(parts[i])) continue;
      Secrets secrets;
      find_secrets(to_readers, *parts[i], secrets);
      if (secrets.any()) readers[i] = readers_of(to_readers, secrets);
    }
  };
  if (forgets) find_readers();
  for (const model::Expr* e : parts) values.push_back(expr(text_code, *e));
  if (!forgets) find_readers();
  for (std::size_t i = 0; i < values.size(); ++i) {
    code.effect(is_wide(code.unit, parts[i]->type) ? Op::log_set : Op::log_value, {values[i]});
    if (readers[i] != ir::kNoRegister) code.effect(Op::log_readers, {readers[i]});
  }
}

// Passes values that every reader knows.
void pass_known_values(const FunctionContext& code, const std::vector<const model::Expr*>& parts) {
  std::vector<Register> values;
  for (const model::Expr* e : parts) values.push_back(expr(code.in_text(), *e));
  for (std::size_t i = 0; i < values.size(); ++i)
    code.effect(is_wide(code.unit, parts[i]->type) ? Op::log_set : Op::log_value, {values[i]});
}

void log(const FunctionContext& code, const model::Stmt& s) {
  code.effect(Op::log_text, {text_index(code.unit, log_values(code, s.text, s.exprs, false))});
}

// Lowers a string inside another string. The inner string is formatted first, and its number is passed as a value of
// the outer string. Therefore, each inner string has a unique number.
Register inner_text(const FunctionContext& code, const model::Expr& e) {
  if (asking(code)) return code.constant(0);   // only the choice of the string matters for its readers
  auto& all = code.program.playout.texts;
  all.push_back(log_values(code, e.text, e.args));
  const auto index = static_cast<Int>(all.size()) - 1;
  code.effect(Op::log_part, {index});
  return code.constant(index);
}

// Returns the string of a question without reading a State: computed parts are replaced with "…".
std::string plain_text(const model::Expr* text) {
  if (!text) return {};
  if (text->kind != ExprKind::text) return text->text;
  std::string plain;
  for (std::size_t i = 0; i < text->text.size(); ++i) {
    const char c = text->text[i];
    plain += c == '{' && text->text[i + 1] == '}' ? "…" : std::string(1, c);
    i += c == '{';
  }
  return plain;
}

// Logs a string of a question, preceded by its index on a separate line: 0 for the question, 1 and up for the answers,
// -1 for the elements picked so far. api/game/running.cpp reads these lines.
void log_question(const FunctionContext& code, Int which, const model::Expr* text) {
  if (!text || text->kind != ExprKind::text) return;
  code.effect(Op::log_text,
              {text_index(code.unit, fmt::format("{}\n{}", which, log_values(code, text->text, text->args)))});
}

// Logs the number of picked elements, the number of required elements, and the picked elements.
void log_picked(const FunctionContext& code, Register chosen, Register want, bool cards, const model::Type& element) {
  model::Type all = simple(TypeKind::set);
  all.elem = std::make_shared<model::Type>(element);
  code.effect(Op::log_value, {code.integer(cards ? Op::set_count : Op::mask_count, {chosen})});
  code.effect(Op::log_value, {want});
  code.effect(cards ? Op::log_set : Op::log_value, {chosen});
  code.effect(
      Op::log_text,
      {text_index(code.unit, fmt::format("-1\n{{0:number}} {{1:number}} {{2:{}}}", value_format(code.unit, all)))});
}

void note_without_options(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then) {
  code.go_to(nothing);
  code.effect(Op::log_asked, {player});
  code.jump(then);
}

void log_heading(const FunctionContext& code, const char* text, Register number, Register player) {
  code.effect(Op::log_value, {number});
  if (player != ir::kNoRegister) code.effect(Op::log_value, {player});
  code.effect(Op::log_text, {text_index(code.unit, text)});
}

std::string reason_text(const ProgramContext& unit, Range range) {
  return range.known() ? std::string(unit.diagnostics.sources().text(range)) : std::string();
}

}   // namespace cardwright::lower
