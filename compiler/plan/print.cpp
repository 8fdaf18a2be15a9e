// Prints a plan with one line per step. The parts of a step are indented below it.
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/plan/plan.h"

namespace cardwright::plan {

namespace {

class Printer {
 public:
  Printer(const model::Model& model, const model::Body* body) : model_(model), body_(body) {}

  void plan(const Plan& plan) {
    std::visit([&](const auto& how) { step(how); }, plan.how);
  }
  std::string text() { return std::move(out_); }

 private:
  void line(std::string_view words) { out_ += fmt::format("{:{}}{}\n", "", 2 * depth_, words); }
  std::string shown(const Expr* e) const { return e ? model::to_string(model_, *e, body_) : "-"; }
  void below(const PlanRef& part, const model::Body* body = nullptr) {
    below(body, [&] { plan(*part); });
  }
  template <class F>
  void below(const model::Body* body, const F& print) {
    const model::Body* const outer = body_;
    if (body) body_ = body;
    ++depth_;
    print();
    --depth_;
    body_ = outer;
  }
  const model::Body* body_of(const Expr& call) const {
    return call.kind == model::ExprKind::call_value ? &model_.values[call.ref].body : &model_.functions[call.ref].body;
  }
  std::string name_of(const Expr& call) const {
    return call.kind == model::ExprKind::call_value ? model_.values[call.ref].name : model_.functions[call.ref].name;
  }
  static std::string compared(model::ExprKind comparison, bool swapped) {
    return comparison == model::ExprKind::equal       ? "=="
           : comparison == model::ExprKind::not_equal ? "!="
           : comparison == model::ExprKind::in_set    ? (swapped ? "contains" : "in")
           : comparison == model::ExprKind::less      ? (swapped ? ">" : "<")
                                                      : (swapped ? ">=" : "<=");
  }
  static std::string_view without(bool is) { return is ? "all but " : ""; }

  // ---- any domain
  void step(const Uniform& p) { line("all elements or none, depending on " + shown(p.condition)); }
  void step(const Both& p) {
    line("both");
    below(p.first);
    below(p.second);
  }
  void step(const Either& p) {
    line(p.rest_only ? "either; the second only for the remaining elements" : "either");
    below(p.first);
    below(p.second);
  }
  void step(const Not& p) {
    line("not");
    below(p.what);
  }
  void step(const IfAny& p) {
    line("unless the domain is empty");
    below(p.what);
  }
  void step(const AnyOther& p) {
    for (const PlanRef& part : p.before) plan(*part);
    line("for each of " + shown(p.others));
    for (const PlanRef& part : p.parts) below(part);
  }
  void step(const Inlined& p) {
    line("definition of " + name_of(*p.call));
    below(p.what, p.names->body);
  }

  // ---- cards and cells
  void step(const Fixed& p) { line(fmt::format("fixed set of {} elements", p.ids.size())); }
  void step(const CountsAs& p) {
    line(fmt::format("counts as one of {} kinds{}", p.kinds->size(), p.holder ? " for " + shown(p.holder) : ""));
  }
  void step(const Member& p) { line("in " + shown(p.set)); }
  void step(const Looked& p) {
    line(fmt::format("{}looked up by {}{}{}", without(p.without), shown(p.number),
                     p.clamp ? fmt::format(", clamped to {}..{}", p.clamp->lo, p.clamp->hi) : "",
                     p.first ? fmt::format(", starting with {}", *p.first) : ""));
  }
  void step(const MemberByValue& p) {
    line(fmt::format("membership in {1}, one test for each of {0} values", p.cards.size(), shown(p.wanted)));
  }
  void step(const One& p) { line(fmt::format("{}the one {}", without(p.without), shown(p.which))); }
  void step(const Knows& p) { line(fmt::format("known to {}{}", shown(p.who), p.zone ? " in " + shown(p.zone) : "")); }
  void step(const ByNumber& p) {
    line(fmt::format("by {} numbers, in {} tables", std::popcount(p.numbers), p.chunks.size()));
    below(p.which, p.names->body);
  }
  void step(const ByEdge& p) { line("by an edge in " + shown(p.edges)); }
  void step(const Shifted& p) {
    line(fmt::format("{}{} steps from {}", without(p.without), p.steps.size(),
                     p.target ? shown(p.target) : std::string("a cell")));
  }
  void step(const AnyWay& p) {
    line(fmt::format("for any of {} directions", p.ways.size()));
    for (const auto& way : p.ways) below(way.second);
  }

  // ---- masks
  void step(const ByCase& p) {
    line("if " + shown(p.condition));
    below(p.then);
    below(p.otherwise);
  }
  void step(const ByCases& p) {
    line("condition, then and otherwise for each element");
    below(p.condition);
    below(p.then);
    below(p.otherwise);
  }
  void step(const Called& p) {
    line(fmt::format("result of {}; modifiers: {}", name_of(*p.call), p.to.size()));
    for (const Called::Modified& modified : p.to) below(modified.what, &modified.rule->body);
    below(p.base, body_of(*p.call));
  }
  void step(const Without& p) { line("whose zone is empty: " + model_.zones[static_cast<std::size_t>(p.zone)].name); }
  void step(const Holding& p) {
    line(fmt::format("{}whose {} is {}", without(p.without), shown(p.variable),
                     p.value               ? shown(p.value)
                     : p.constant == kNone ? "none"
                                           : std::to_string(p.constant)));
  }
  void step(const InGame&) { line("in the game"); }
  void step(const Moved& p) {
    line(fmt::format("{} {} {}", shown(p.mine), compared(p.comparison, p.swapped), shown(p.other)));
  }
  void step(const EachCompared& p) {
    line(fmt::format("{} {} a constant for each element: {}", shown(p.mine), compared(p.comparison, p.swapped),
                     fmt::join(p.wanted, " ")));
  }
  void step(const Topped& p) {
    line(fmt::format("with one of {} cards on top of {}{}", p.cards.size(),
                     model_.zones[static_cast<std::size_t>(p.zone)].name,
                     p.asked ? ", based on the knowledge of the deciding player" : ""));
  }
  void step(const OwnersOf& p) {
    line(fmt::format("{} of such cards in {}", p.only_whether ? "any owner" : "owners", model_.zones[p.zone].name));
    below(p.such);
  }
  void step(const ByValue& p) {
    line(fmt::format("by each value of {} from {} to {}{}", shown(p.holding.variable), p.lo, p.hi,
                     p.or_none ? ", and none" : ""));
    if (p.which)
      below(p.which, p.names->body);
    else
      below(p.names->body, [&] { line("loop over the values: " + shown(p.condition)); });
  }
  void step(const InLanes& p) {
    line(fmt::format("in lanes {} {}", compared(p.comparison, p.swapped), shown(p.limit)));
    lanes(p.numbers);
  }

  // ---- lanes
  void lanes(const LanesRef& part, const model::Body* body = nullptr) {
    below(body, [&] { std::visit([&](const auto& how) { step(how); }, part->how); });
  }
  void step(const SameForAll& p) { line("same for all players: " + shown(p.number)); }
  void step(const SeatsOn& p) { line("distance from or to " + shown(p.seat)); }
  void step(const LeastOf& p) {
    line("minimum of");
    lanes(p.left);
    lanes(p.right);
  }
  void step(const SumOf& p) {
    line("sum of");
    lanes(p.left);
    lanes(p.right);
  }
  void step(const CalledLanes& p) {
    const model::Body* inner = body_of(*p.call);
    const auto bound = [&](std::string_view words, const Expr* at) {
      return at ? fmt::format(", {} {}", words, model::to_string(model_, *at, inner)) : "";
    };
    line(fmt::format("result of {}; modifiers: {}{}{}", name_of(*p.call), p.added.size(), bound("at least", p.floor),
                     bound("at most", p.ceiling)));
    lanes(p.base, body_of(*p.call));
    for (const LanesRef& added : p.added) lanes(added);
  }
  void step(const AddedToAll& p) {
    line("added for all players: " + model::to_string(model_, *p.rule->amount, &p.rule->body));
  }
  void step(const AddedByCarriers& p) {
    line(fmt::format("{} for each {}", p.amount, p.cards.empty() ? "player with the character" : "card with the rule"));
  }

  const model::Model& model_;
  const model::Body* body_;
  std::size_t depth_ = 0;
  std::string out_;
};

}   // namespace

std::string print(const model::Model& model, const Plan& plan, const model::Body* body) {
  Printer printer(model, body);
  printer.plan(plan);
  return printer.text();
}

}   // namespace cardwright::plan
