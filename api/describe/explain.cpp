// Explains conditions with a separate Program (lower/expressions/explain.cpp), which runs on the same States and
// records notes while it evaluates. It is compiled at the first request.
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
  lower::Explanations functions;
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
  made->program = driver::make_explaining(game.compiled->model(), discarded, made->functions);
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

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == '\n')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

struct Note {
  std::vector<std::string> parts;
  std::size_t depth;   // call depth
};

// Collects the notes that explain the answer, from the outermost condition inwards.
class Notes {
 public:
  void take(const std::string& line) {
    const std::vector<std::string> parts = lines_of(line);
    const std::string& first = parts[0];
    if (first == "call") return calls_.push_back(opens_.size());
    if (first == "done") return leave_call();
    if (parts.size() > 1) return left_.push_back({parts, calls_.size()});
    const std::size_t blank = first.find(' ');
    control(first.substr(0, blank), first.substr(blank + 1));
  }
  const std::vector<Note>& left() const { return left_; }

 private:
  struct Try {
    std::size_t at;   // index of its first note
    Int held = 0;   // number of operands of `and` that are true
  };
  struct Open {
    std::string number;
    std::size_t at;
    std::vector<Try> tries;
  };
  void leave_call() {
    opens_.resize(calls_.back());
    calls_.pop_back();
  }
  void control(const std::string& word, const std::string& number) {
    if (word == "open") return opens_.push_back({number, left_.size(), {}});
    const std::size_t within = calls_.empty() ? 0 : calls_.back();
    std::size_t found = opens_.size();
    while (found > within && opens_[found - 1].number != number) --found;
    if (found == within) return;
    const Open open = opens_[found - 1];
    if (word == "next") return opens_[found - 1].tries.push_back({left_.size()});
    opens_.resize(found - 1);
    if (word == "drop" || word == "held") left_.resize(open.at);
    if (word == "held") came_further(within);
    if (word == "furthest") keep_furthest(open);
    if (word == "last" && !open.tries.empty()) cut(open.at, open.tries.back().at);
  }
  void came_further(std::size_t within) {
    for (std::size_t i = opens_.size(); i > within; --i)
      if (!opens_[i - 1].tries.empty()) return void(++opens_[i - 1].tries.back().held);
  }
  // Selects the alternative with the most true conditions, or the first of several equal ones. If no condition is true,
  // the selection is arbitrary.
  void keep_furthest(const Open& open) {
    if (open.tries.empty()) return;
    const auto best = std::max_element(open.tries.begin(), open.tries.end(),
                                       [](const Try& a, const Try& b) { return a.held < b.held; });
    const std::size_t end = best + 1 == open.tries.end() ? left_.size() : (best + 1)->at;
    left_.resize(end);
    if (best->held == 0 && !left_.empty() && left_.size() > best->at && left_.back().parts[0] == "for")
      left_.pop_back();
    cut(open.at, best->at);
  }
  void cut(std::size_t from, std::size_t to) {
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(from), left_.begin() + static_cast<std::ptrdiff_t>(to));
  }

  std::vector<Note> left_;
  std::vector<Open> opens_;
  std::vector<std::size_t> calls_;
};

void read(const std::vector<Note>& notes, Explanation& out) {
  std::size_t text_depth = 0;
  // Inner texts are more specific, so they precede outer texts.
  for (const auto& [note, depth] : notes) {
    if (note[0] == "said" && (out.declared_text.empty() || depth >= text_depth))
      out.declared_text = note[1], text_depth = depth;
    if (note[0] == "modified") out.modified_by = note[1];
    if (note[0] == "name") out.names.emplace_back(note[1], note[2]);
    if (note[0] == "for" && note.size() > 2 && !note[1].empty())
      out.element = fmt::format("{} is {}", note[1], note[2]);
    if (note[0] != "of") continue;
    out.condition = note[1];
    out.values.clear();
    for (std::size_t i = 2; i + 1 < note.size(); i += 2) out.values.emplace_back(note[i], note[i + 1]);
  }
}

std::optional<Explanation> ask(const Explained& of, const StateData& state, int player, Int function,
                               const std::vector<Int>& arguments) {
  StateData scratch(state);
  cardwright::Log log(*of.program);
  cardwright::Game context;
  context.program = of.program.get();
  context.log = &log;
  Explanation out;
  const auto index = static_cast<ir::FunctionIndex>(function);
  if (of.engine->call(context, scratch.bytes.get(), index, arguments, &out.stage) == Status::trapped)
    return std::nullopt;
  if (out.stage > 0) out.reason = &of.program->reasons[static_cast<std::size_t>(out.stage - 1)];
  Notes notes;
  const int observer = state.keeps_knowledge ? player : static_cast<int>(cardwright::Log::kEverything);
  for (const std::string& line : log.lines(observer)) notes.take(line);
  read(notes.left(), out);
  return out;
}

// Receives the names in a choice and their values from the function that waits there; sets arrive as integers with 32
// elements each.
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
                                   const std::vector<Int>& parameters) {
  const Explained* const of = explained(*state.game);
  const Int function = of ? of->functions.actions[static_cast<std::size_t>(action)] : -1;
  if (function < 0) return std::nullopt;
  std::vector<Int> arguments{player, card};
  arguments.insert(arguments.end(), parameters.begin(), parameters.end());
  return ask(*of, state, player, function, arguments);
}

std::vector<Explanation> explain_chosen(const StateData& state, Int chosen) {
  const Explained* const of = explained(*state.game);
  if (!of || state.site < 0) return {};
  const Range where = state.program().sites[static_cast<std::size_t>(state.site)].where;
  const auto choice = std::ranges::find(of->functions.choices, where, &lower::ExplainedChoice::where);
  if (choice == of->functions.choices.end()) return {};
  std::vector<Int> arguments = names_at(state);
  arguments.insert(arguments.begin(), chosen);
  std::vector<Explanation> out;
  for (const Int function : choice->functions) {
    const ir::Function& code = of->program->step.functions[static_cast<std::size_t>(function)];
    if (code.parameters.size() != arguments.size()) return {};
    std::optional<Explanation> one = ask(*of, state, state.actor, function, arguments);
    if (!one) return {};
    out.push_back(std::move(*one));
  }
  return out;
}

}   // namespace cardwright::api::detail
