// What compiles but can't be meant. Looks at the finished Model; what a library brings unasked is left alone.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

namespace {

void calls_of_values(const Expr* e, std::vector<std::pair<std::uint32_t, Range>>& found) {
  if (!e) return;
  if (e->kind == ExprKind::call_value) found.push_back({e->ref, e->range});
  for (const Expr* a : e->args) calls_of_values(a, found);
}

void calls_of_values(const Block& block, std::vector<std::pair<std::uint32_t, Range>>& found) {
  for (const Stmt* s : block) {
    for (const Expr* e : s->exprs) calls_of_values(e, found);
    for (const Block& inner : s->blocks) calls_of_values(inner, found);
  }
}

// Events that a block sets off whatever the state is: not those under a condition, a choice or a loop.
void certain_events(const Expr* e, std::set<std::uint32_t>& found) {
  if (!e) return;
  if (e->kind == ExprKind::call_event) found.insert(e->ref);
  if (e->kind == ExprKind::conditional || e->kind == ExprKind::logical_and || e->kind == ExprKind::logical_or || e->kind == ExprKind::or_else) {
    certain_events(e->args[0], found);
    return;
  }
  for (const Expr* a : e->args) certain_events(a, found);
}

void certain_events(const Block& block, std::set<std::uint32_t>& found) {
  for (const Stmt* s : block) {
    if (s->kind == StmtKind::return_value || s->kind == StmtKind::cancel || s->kind == StmtKind::end_event) {
      for (const Expr* e : s->exprs) certain_events(e, found);
      return;
    }
    if (s->kind == StmtKind::if_else || s->kind == StmtKind::repeat || s->kind == StmtKind::each) {
      if (!s->exprs.empty()) certain_events(s->exprs[0], found);
      continue;
    }
    if (s->kind == StmtKind::choose || s->kind == StmtKind::choose_one || s->kind == StmtKind::afterwards) continue;
    for (const Expr* e : s->exprs) certain_events(e, found);
  }
}

}  // namespace

// A value that needs itself has no end: an error, found over bases and modifiers.
void Analysis::check_value_cycles() {
  const std::size_t n = model_->values.size();
  std::vector<std::vector<std::pair<std::uint32_t, Range>>> calls(n);
  for (std::size_t v = 0; v < n; ++v) {
    const model::Value& value = model_->values[v];
    for (const Expr* e : {value.base, value.at_least, value.at_most}) calls_of_values(e, calls[v]);
    calls_of_values(value.body.block, calls[v]);
    for (const model::Modifier& m : value.modifiers) {
      calls_of_values(m.amount, calls[v]);
      calls_of_values(m.head.when, calls[v]);
    }
  }
  std::vector<int> state(n);
  std::function<void(std::uint32_t)> visit = [&](std::uint32_t v) {
    state[v] = 1;
    for (const auto& [next, range] : calls[v]) {
      if (next >= n || state[next] == 2) continue;
      if (state[next] == 1)
        error(Code::circular, range, next == v ? fmt::format("`{}` needs itself to be known", model_->values[v].name)
                                               : fmt::format("`{}` and `{}` need each other to be known", model_->values[v].name, model_->values[next].name),
              "let one of them not ask for the other");
      else visit(next);
    }
    state[v] = 2;
  };
  for (std::uint32_t v = 0; v < n; ++v)
    if (state[v] == 0) visit(v);
}

void Analysis::warn() {
  if (!with_warnings || errors_) return;
  const auto own = [&](Range range) {                      // written by the author, not brought by a library
    if (!range.known()) return false;
    return std::any_of(ruleset_.units.begin(), ruleset_.units.end(),
                       [&](const Unit& u) { return !u.library && u.root && u.root->range.source == range.source; });
  };
  const auto report = [&](Code code, Range range, std::string message, std::string help = {}) {
    if (own(range)) diagnostics_.report(code, range, std::move(message), std::move(help));
  };
  std::set<std::uint32_t> opened, called_events, called_values, called_functions, variables, zones;
  for (const Expr& e : model_->exprs) {
    switch (e.kind) {
      case ExprKind::open_window: opened.insert(e.ref); break;
      case ExprKind::call_event: called_events.insert(e.ref); break;
      case ExprKind::call_value: called_values.insert(e.ref); break;
      case ExprKind::call_function: called_functions.insert(e.ref); break;
      case ExprKind::variable: variables.insert(e.ref); break;
      case ExprKind::zone: case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom:
      case ExprKind::card_of_slot: case ExprKind::knows_top:
        zones.insert(e.ref);
        break;
      default: break;
    }
  }
  bool has_winners = false;
  for (const Stmt& s : model_->stmts) {
    if (s.kind == StmtKind::winners) has_winners = true;
    if (s.kind == StmtKind::move || s.kind == StmtKind::shuffle) zones.insert(s.ref);
    if (s.kind == StmtKind::draw_to || s.kind == StmtKind::deal_each) zones.insert(s.ref), zones.insert(static_cast<std::uint32_t>(s.value));
  }
  for (const model::Zone& z : model_->zones)
    if (z.refill_from) zones.insert(z.refill_from->index);

  if (!model_->cards.empty())
    for (std::size_t k = 0; k < model_->kinds.size() && k < kinds_.size(); ++k)
      if (!kinds_[k].implicit && !kinds_[k].in_deck)
        report(Code::card_in_no_deck, model_->kinds[k].range, fmt::format("no deck holds a `{}`", model_->kinds[k].name), "add it to a deck, or remove it");
  for (std::size_t w = 0; w < model_->windows.size(); ++w)
    if (!model_->windows[w].phase && !opened.contains(static_cast<std::uint32_t>(w)))
      report(Code::window_never_opened, model_->windows[w].range, fmt::format("nobody opens the window `{}`", model_->windows[w].name),
             fmt::format("`open {}` somewhere, or remove it", model_->windows[w].name));
  for (const model::Action& a : model_->actions) {
    if (a.any_window || a.windows.empty()) continue;
    const bool reached = std::any_of(a.windows.begin(), a.windows.end(),
                                     [&](model::WindowId w) { return model_->windows[w.index].phase || opened.contains(w.index); });
    if (!reached) report(Code::action_never_offered, a.head.range, fmt::format("nobody can {}: its window is never opened", a.play ? a.name : "use `" + a.name + "`"));
  }
  for (std::size_t e = 0; e < model_->events.size(); ++e)
    if (model_->events[e].kind == model::EventKind::plain && !called_events.contains(static_cast<std::uint32_t>(e)))
      report(Code::never_happens, model_->events[e].range, fmt::format("nothing makes `{}` happen", model_->events[e].name));
  for (std::size_t v = 0; v < model_->values.size(); ++v)
    if (model_->values[v].name != "payoff" && !called_values.contains(static_cast<std::uint32_t>(v)))
      report(Code::never_asked, model_->values[v].range, fmt::format("nothing asks for the value `{}`", model_->values[v].name));
  for (std::size_t f = 0; f < model_->functions.size(); ++f)
    if (!called_functions.contains(static_cast<std::uint32_t>(f)))
      report(Code::never_asked, model_->functions[f].range, fmt::format("nothing calls the function `{}`", model_->functions[f].name));
  for (std::size_t v = 0; v < model_->variables.size(); ++v) {
    const model::Variable& x = model_->variables[v];
    const bool counted = x.per_player && x.type.kind == TypeKind::enumeration;   // statistics are kept by it
    if (!counted && !variables.contains(static_cast<std::uint32_t>(v))) report(Code::never_read, x.range, fmt::format("nothing reads `{}`", x.name));
  }
  for (std::size_t z = 0; z < model_->zones.size(); ++z)
    if (!zones.contains(static_cast<std::uint32_t>(z))) report(Code::never_read, model_->zones[z].range, fmt::format("nothing is ever moved to or from `{}`", model_->zones[z].name));
  for (const Option& o : ruleset_.options)
    if (!used_.contains(o.name) && !o.range.known()) report(Code::never_read, o.range, fmt::format("the option `{}` changes nothing", o.name));
  if (model_->endings.empty() && !has_winners) {
    const Decl* play = nullptr;
    for (const Decl& d : decls_)
      if (d.node->kind == NodeKind::play_flow) play = &d;
    if (play && !model_->payoff_value)
      report(Code::no_ending, {play->node->range.source, play->node->range.begin, play->node->range.begin + 4}, "nobody can win this game",
             "say when it ends: `end when C { winners … }`");
  }

  // comparisons that the ranges of their sides decide
  const auto written_number = [&](const Expr* e) {
    if (e->kind != ExprKind::constant || !e->range.known()) return false;
    std::string_view text = diagnostics_.sources().text(e->range);
    return !text.empty() && text.find_first_not_of("-0123456789") == std::string_view::npos;
  };
  for (const Expr& e : model_->exprs) {
    if ((e.kind != ExprKind::less && e.kind != ExprKind::less_equal) || e.args.size() != 2) continue;
    const Type &x = e.args[0]->type, &y = e.args[1]->type;
    if (x.kind != TypeKind::integer || y.kind != TypeKind::integer || x.optional || y.optional) continue;
    const bool variable = e.args[0]->kind == ExprKind::variable || e.args[1]->kind == ExprKind::variable;
    if (!variable || (!written_number(e.args[0]) && !written_number(e.args[1]))) continue;
    const bool always = e.kind == ExprKind::less ? x.hi < y.lo : x.hi <= y.lo;
    const bool never = e.kind == ExprKind::less ? x.lo >= y.hi : x.lo > y.hi;
    if (always || never) report(Code::always_the_same, e.range, fmt::format("this is always {}", always ? "true" : "false"), "look at the ranges of both sides");
  }

  // events that set each other off whatever happens
  const std::size_t n = model_->events.size();
  std::vector<std::set<std::uint32_t>> sets_off(n);
  for (std::size_t e = 0; e < n; ++e) {
    const model::Event& event = model_->events[e];
    const bool replaced = std::any_of(event.handlers.begin(), event.handlers.end(), [](const model::Handler& h) { return h.hook == model::Hook::instead; });
    if (!replaced) certain_events(event.body.block, sets_off[e]);
    for (const model::Handler& h : event.handlers) {
      const bool always = !h.head.when && h.head.carrier.kind == CarrierKind::nobody &&
                          std::none_of(h.patterns.begin(), h.patterns.end(), [](const model::Pattern& p) { return p.kind == model::Pattern::Kind::equals; });
      if (always && h.hook != model::Hook::instead) certain_events(h.body.block, sets_off[e]);
    }
  }
  for (std::uint32_t start = 0; start < n; ++start) {
    std::vector<std::uint32_t> work(sets_off[start].begin(), sets_off[start].end());
    std::set<std::uint32_t> seen(work.begin(), work.end());
    while (!work.empty()) {
      const std::uint32_t e = work.back();
      work.pop_back();
      for (std::uint32_t next : sets_off[e])
        if (seen.insert(next).second) work.push_back(next);
    }
    const bool first = std::none_of(seen.begin(), seen.end(), [&](std::uint32_t e) { return e < start && sets_off[e].contains(start); });
    if (seen.contains(start) && first)
      report(Code::endless, model_->events[start].range, fmt::format("`{}` sets itself off again and again", model_->events[start].name),
             "put a condition somewhere on the way round");
  }
}

}  // namespace cardwright::sema
