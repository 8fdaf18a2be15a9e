// Explains conditions with a separate Program (compiler/lower/offers/explanations.cpp), which runs on the game's States
// and reports the steps of the explanation. It is compiled when the first explanation is requested.
#include "api/describe/explain.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "compiler/driver/driver.h"
#include "runtime/interp/interp.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

struct Explained {
  std::unique_ptr<Program> program;
  std::unique_ptr<Engine> engine;
};

namespace {

bool same_layout(const Program& a, const Program& b) {
  const auto same = [](const VariableSlot& x, const VariableSlot& y) {
    return x.offset == y.offset && x.bytes == y.bytes && x.count == y.count && x.lo == y.lo && x.bias == y.bias &&
           x.is_set == y.is_set;
  };
  return a.layout.frames == b.layout.frames && a.layout.words == b.layout.words &&
         a.layout.instances == b.layout.instances &&
         std::equal(a.variables.begin(), a.variables.end(), b.variables.begin(), b.variables.end(), same);
}

std::shared_ptr<const Explained> made_for(const GameData& game) {
  auto made = std::make_shared<Explained>();
  Diagnostics discarded(game.compiled->ruleset->sources);
  made->program = driver::make_explaining(game.compiled->model(), discarded, game.program().plain);
  if (!made->program || !same_layout(*made->program, game.program())) return nullptr;
  made->program->layout = game.program().layout;
  made->program->sources = game.program().sources;
  made->engine = make_interpreter(*made->program);
  return made;
}

const Explained* explained(const GameData& game) {
  std::call_once(game.explained_once, [&] { game.explained = made_for(game); });
  return game.explained.get();
}

// Collects the facts that explain an answer, from the outermost condition to the innermost.
class Facts final : public cardwright::Log {
 public:
  Facts(const Program& program, Int observer) : cardwright::Log(program), observer_(observer) {}
  void explain(cardwright::Game&, const Byte* s, Int number) override {
    const ExplanationNode& node = program_.explanations.nodes[static_cast<std::size_t>(number)];
    if (node.step < ExplanationStep::open)
      add(node, s);
    else
      select(node);
    clear_values();
  }
  void describe(Explanation& out) const;

 private:
  struct Fact {
    const ExplanationNode* node = nullptr;
    std::string text;
    std::vector<std::string> values;
    std::size_t depth = 0;   // call depth
  };
  struct Try {
    std::size_t at;   // index of its first fact
    Int held = 0;   // number of operands of `and` that are true
  };
  struct Open {
    Int group;
    std::size_t at;
    std::vector<Try> tries;
  };
  void add(const ExplanationNode& node, const Byte* s) {
    Fact fact{&node, {}, {}, calls_.size()};
    if (node.step == ExplanationStep::declared) fact.text = fill(node.text, s, observer_);
    for (std::size_t i = 0; i < node.values.size(); ++i)
      fact.values.push_back(in_words(values_[i], node.values[i].format, s, observer_));
    facts_.push_back(std::move(fact));
  }
  void select(const ExplanationNode& node) {
    using enum ExplanationStep;
    if (node.step == call) return calls_.push_back(opens_.size());
    if (node.step == done) return leave_call();
    if (node.step == open) return opens_.push_back({node.group, facts_.size(), {}});
    const std::size_t within = calls_.empty() ? 0 : calls_.back();
    std::size_t found = opens_.size();
    while (found > within && opens_[found - 1].group != node.group) --found;
    if (found == within) return;
    const Open opened = opens_[found - 1];
    if (node.step == next) return opens_[found - 1].tries.push_back({facts_.size()});
    opens_.resize(found - 1);
    if (node.step == drop || node.step == held) facts_.resize(opened.at);
    if (node.step == held) came_further(within);
    if (node.step == furthest) keep_furthest(opened);
    if (node.step == last && !opened.tries.empty()) cut(opened.at, opened.tries.back().at);
  }
  void leave_call() {
    opens_.resize(calls_.back());
    calls_.pop_back();
  }
  void came_further(std::size_t within) {
    for (std::size_t i = opens_.size(); i > within; --i)
      if (!opens_[i - 1].tries.empty()) return void(++opens_[i - 1].tries.back().held);
  }
  // Drops the facts of all alternatives except the one with the most true conditions, or the first of several such
  // alternatives. If no condition is true, the selected alternative is arbitrary, so its last element is dropped too.
  void keep_furthest(const Open& open) {
    if (open.tries.empty()) return;
    const auto best = std::max_element(open.tries.begin(), open.tries.end(),
                                       [](const Try& a, const Try& b) { return a.held < b.held; });
    const std::size_t end = best + 1 == open.tries.end() ? facts_.size() : (best + 1)->at;
    facts_.resize(end);
    if (best->held == 0 && !facts_.empty() && facts_.size() > best->at &&
        facts_.back().node->step == ExplanationStep::element)
      facts_.pop_back();
    cut(open.at, best->at);
  }
  void cut(std::size_t from, std::size_t to) {
    facts_.erase(facts_.begin() + static_cast<std::ptrdiff_t>(from), facts_.begin() + static_cast<std::ptrdiff_t>(to));
  }

  const Int observer_;
  std::vector<Fact> facts_;
  std::vector<Open> opens_;
  std::vector<std::size_t> calls_;
};

void Facts::describe(Explanation& out) const {
  std::size_t text_depth = 0;
  for (const Fact& fact : facts_) {
    const std::vector<ExplainedValue>& named = fact.node->values;
    switch (fact.node->step) {
      case ExplanationStep::condition:
        out.condition = fact.node->text;
        out.values.clear();
        for (std::size_t i = 0; i < named.size(); ++i) out.values.emplace_back(named[i].text, fact.values[i]);
        break;
      case ExplanationStep::declared:   // an inner text is more specific, so it replaces outer texts
        if (out.declared_text.empty() || fact.depth >= text_depth)
          out.declared_text = fact.text, text_depth = fact.depth;
        break;
      case ExplanationStep::element:
        if (!named[0].text.empty()) out.element = fmt::format("{} is {}", named[0].text, fact.values[0]);
        break;
      case ExplanationStep::modified: out.modified_by = fact.node->text; break;
      case ExplanationStep::name: out.names.emplace_back(named[0].text, fact.values[0]); break;
      case ExplanationStep::open:
      case ExplanationStep::drop:
      case ExplanationStep::held:
      case ExplanationStep::next:
      case ExplanationStep::last:
      case ExplanationStep::furthest:
      case ExplanationStep::call:
      case ExplanationStep::done: break;   // select() has already applied these steps
    }
  }
}

Explanation run(const Explained& explained, const StateData& state, int player, Int function,
                const std::vector<Int>& arguments) {
  const Program& program = *explained.program;
  StateData scratch(state);
  Facts facts(program, state.keeps_knowledge ? player : cardwright::Log::kEverything);
  cardwright::Game context;
  context.program = &program;
  context.log = &facts;
  Explanation out;
  const auto index = static_cast<ir::FunctionIndex>(function);
  if (explained.engine->call(context, scratch.bytes.get(), index, arguments, &out.stage) == Status::trapped)
    return {.error = failure_of(program, context).kind()};
  if (out.stage > 0) out.reason = &program.explanations.reasons[static_cast<std::size_t>(out.stage - 1)];
  facts.describe(out);
  return out;
}

// Receives the values of the names in the pending choice from the function that is suspended there. A set arrives as
// several integers, each a mask of 32 elements.
class NameCollector : public LogSink {
 public:
  explicit NameCollector(Int words) : words_(words) {}
  std::vector<Int> values;

  void log_value(cardwright::Game&, const Byte*, Int value) override { values.push_back(value); }
  void log_value(cardwright::Game&, const Byte*, const Word* set) override {
    for (Int w = 0; w < words_; ++w)
      for (const Word half : {set[w] & 0xffffffff, set[w] >> 32}) values.push_back(static_cast<Int>(half));
  }
  void moved(cardwright::Game&, const Byte*, const Word*, Int, Int, Int) override {}
  void revealed(cardwright::Game&, const Byte*, const Word*) override {}
  void peeked(cardwright::Game&, const Byte*, Int, const Word*) override {}
  void faces(cardwright::Game&, const Byte*, Int, Int, bool) override {}
  void arranged(cardwright::Game&, const Byte*, Int, Int, const Word*) override {}
  void variable(cardwright::Game&, const Byte*, Int, Int, bool) override {}
  void shown(cardwright::Game&, const Byte*, Int, Int, Int) override {}
  void changed(cardwright::Game&, const Byte*, Int, Int, Int, Int) override {}
  void value_depends_on(cardwright::Game&, const Byte*, Int, Int) override {}
  void value_depends_on(cardwright::Game&, const Byte*, const Word*) override {}
  void without_options(cardwright::Game&, const Byte*, Int) override {}
  void part(cardwright::Game&, const Byte*, Int) override {}
  void log_text(cardwright::Game&, const Byte*, Int) override {}

 private:
  Int words_;
};

std::vector<Int> names_at(const StateData& state) {
  StateData scratch(state);
  NameCollector names(state.program().layout.words);
  cardwright::Game context = fresh_context(*state.game);
  context.log = &names;
  context.pending_player = state.actor;
  context.pending_options = state.count;
  context.pending_site = state.site;
  static_cast<void>(state.game->engine->list(context, scratch.bytes.get(), kListNames));
  return names.values;
}

}   // namespace

std::optional<Explanation> explain(const StateData& state, Int action, int player, Int card,
                                   const std::vector<Int>* parameters) {
  const Explained* const of = explained(*state.game);
  const auto index = static_cast<std::size_t>(action);
  if (!of || of->program->explanations.actions[index] < 0) return std::nullopt;
  const model::Action& its = state.game->compiled->model().actions[index];
  if (its.head.self.valid() && card == kNone) return std::nullopt;
  std::vector<Int> arguments{player, card, parameters != nullptr};
  if (parameters) arguments.insert(arguments.end(), parameters->begin(), parameters->end());
  arguments.resize(3 + its.parameters.size());
  return run(*of, state, player, of->program->explanations.actions[index], arguments);
}

std::vector<Explanation> explain_chosen(const StateData& state, Int chosen) {
  const Explained* const of = explained(*state.game);
  if (!of || state.site < 0) return {};
  const Range where = state.program().sites[static_cast<std::size_t>(state.site)].where;
  const std::vector<ExplainedChoice>& choices = of->program->explanations.choices;
  const auto choice = std::ranges::find(choices, where, &ExplainedChoice::where);
  if (choice == choices.end()) return {};
  std::vector<Int> arguments = names_at(state);
  arguments.insert(arguments.begin(), chosen);
  std::vector<Explanation> out;
  for (const Int function : choice->functions) {
    const ir::Function& code = of->program->step.functions[static_cast<std::size_t>(function)];
    if (code.parameters.size() != arguments.size()) return {};
    out.push_back(run(*of, state, state.actor, function, arguments));
    if (!out.back().error.empty()) return {};
  }
  return out;
}

}   // namespace cardwright::api::detail
