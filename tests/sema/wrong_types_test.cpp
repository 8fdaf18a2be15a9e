// Tests type errors: an expression at a typed position of a bundled ruleset (an argument, a stored value, a result, an
// index, a condition, an operand) is replaced by one of another type, and `check` must report an error. The seed
// selects a sample of positions; CARDWRIGHT_ALL_TYPES=1 tests all of them.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "tests/support/analyze.h"
#include "tests/support/checkout.h"

namespace cardwright::sema_tests {

namespace {

using model::Expr;
using model::ExprKind;
using model::StmtKind;
using model::Type;
using model::TypeKind;
namespace fs = std::filesystem;

struct Position {
  Range range;
  Type wanted;
  std::string what;
  friend bool operator<(const Position& a, const Position& b) { return a.range.begin < b.range.begin; }
};

// Collects the positions in one file of a game at which the Model requires an expression of a certain type.
class Positions {
 public:
  Positions(const model::Model& model, SourceId file) : model_(model), file_(file) {
    model::for_each_rule_block(model, [&](const model::Body& body, const model::Block& block) {
      model::for_each_stmt(block, [&](const model::Stmt& s) { of(s, body); });
    });
    for (const model::Function& f : model.functions)
      model::for_each_stmt(f.body.block, [&](const model::Stmt& s) {
        if (s.kind == StmtKind::return_value && s.exprs.size() == 1) add(s.exprs[0], f.result, "a result", s.range);
      });
    model::for_each_piece(model, [&](const model::RuleHead*, const auto& piece) {
      model::for_each_expr(piece, [&](const Expr& e) { of(e); });
    });
  }
  std::vector<Position> all() const { return {found_.begin(), found_.end()}; }

 private:
  void add(const Expr* e, const Type& wanted, std::string what, Range whole) {
    if (!e || !e->range.known() || e->range.source != file_ || e->range == whole) return;
    if (e->kind == ExprKind::constant && e->range.begin == e->range.end) return;
    found_.insert({e->range, wanted, std::move(what)});
  }
  void arguments(const Expr& call, const model::Body& body, const std::vector<model::Parameter>& parameters) {
    const bool lenient = call.kind == ExprKind::call_event;
    for (std::size_t i = 0; i < call.args.size() && i < parameters.size(); ++i) {
      Type wanted = body.locals[parameters[i].local.index].type;
      wanted.optional = wanted.optional || lenient;
      const bool inside =
          call.args[i] && call.range.begin <= call.args[i]->range.begin && call.args[i]->range.end <= call.range.end;
      if (inside) add(call.args[i], wanted, "an argument", call.range);
    }
  }
  void of(const Expr& e) {
    Type number, truth;
    number.kind = TypeKind::integer, truth.kind = TypeKind::boolean;
    switch (e.kind) {
      case ExprKind::call_event: return arguments(e, model_.events[e.ref].body, model_.events[e.ref].parameters);
      case ExprKind::call_value: return arguments(e, model_.values[e.ref].body, model_.values[e.ref].parameters);
      case ExprKind::call_function:
        return arguments(e, model_.functions[e.ref].body, model_.functions[e.ref].parameters);
      case ExprKind::open_window: return arguments(e, model_.windows[e.ref].body, model_.windows[e.ref].parameters);
      case ExprKind::logical_and:
      case ExprKind::logical_or:
      case ExprKind::logical_not:
        for (const Expr* a : e.args) add(a, truth, "a condition", e.range);
        return;
      case ExprKind::less:
      case ExprKind::less_equal:
      case ExprKind::multiply:
      case ExprKind::divide:
      case ExprKind::modulo:
      case ExprKind::minimum:
      case ExprKind::maximum:
        for (const Expr* a : e.args) add(a, number, "an operand", e.range);
        return;
      case ExprKind::variable: {
        const model::Variable& v = model_.variables[e.ref];
        const std::size_t first = v.per_player ? 1 : 0;
        for (std::size_t i = first; i < e.args.size() && i - first < v.indices.size(); ++i)
          add(e.args[i], v.indices[i - first], "an index", e.range);
        return;
      }
      case ExprKind::filter: return add(e.args[1], truth, "a condition", e.range);
      default: return;
    }
  }
  void of(const model::Stmt& s, const model::Body& body) {
    Type truth, number, player;
    truth.kind = TypeKind::boolean, number.kind = TypeKind::integer, player.kind = TypeKind::player;
    switch (s.kind) {
      case StmtKind::assign_variable:
        return add(s.exprs.back(), model_.variables[s.ref].type, "a stored value", s.range);
      case StmtKind::assign_all: return add(s.exprs.back(), model_.variables[s.ref].type, "a stored value", s.range);
      case StmtKind::assign_local:
        if (s.exprs.size() == 1) add(s.exprs[0], body.locals[s.local.index].type, "a stored value", s.range);
        return;
      case StmtKind::if_else: return add(s.exprs[0], truth, "a condition", s.range);
      case StmtKind::repeat: return add(s.exprs[0], number, "a number of times", s.range);
      case StmtKind::eliminate: return add(s.exprs[0], player, "a player", s.range);
      default: return;
    }
  }

  const model::Model& model_;
  const SourceId file_;
  std::set<Position> found_;
};

struct Wrong {
  Type type;
  std::string text;
};

// Returns at least one expression of each type in the game.
std::vector<Wrong> expressions_of(const model::Model& model) {
  const auto of = [](TypeKind kind, std::uint32_t ref = ~std::uint32_t{0}) {
    Type t;
    t.kind = kind, t.ref = ref;
    return t;
  };
  const auto set_of = [&](Type element) {
    Type t = of(TypeKind::set);
    t.elem = std::make_shared<const Type>(std::move(element));
    return t;
  };
  std::vector<Wrong> all{{of(TypeKind::boolean), "(true)"},
                         {of(TypeKind::player), "(seat(1))"},
                         {of(TypeKind::integer), "(3)"},
                         {of(TypeKind::integer, model::kDurationRef), "(3 s)"},
                         {set_of(of(TypeKind::player)), "(players)"},
                         {set_of(of(TypeKind::integer)), "([3, 4])"}};
  std::size_t enums = 0;
  for (std::uint32_t e = 0; e < model.enums.size(); ++e)
    if (const model::Enum& en = model.enums[e];
        !en.constants.empty() && en.range.known() && !en.cells && !en.dirs && !en.numbered && enums++ < 3)
      all.push_back({of(TypeKind::enumeration, e), fmt::format("({}.{})", en.name, en.constants[0].name)});
  for (std::uint32_t t = 0; t < model.card_types.size(); ++t) {
    all.push_back({of(TypeKind::card, t), fmt::format("(only of {})", model.card_types[t].name)});
    all.push_back({set_of(of(TypeKind::card, t)), fmt::format("(all {})", model.card_types[t].name)});
  }
  return all;
}

bool derives(const model::Model& model, std::uint32_t type, std::uint32_t base) {
  for (std::optional<model::CardTypeId> t = model::CardTypeId{type}; t; t = model.card_types[t->index].base)
    if (t->index == base) return true;
  return false;
}
// Returns true if every card of type `narrow` is also of type `wide`.
bool admits(const model::Model& model, const Type& wide, const Type& narrow) {
  if (wide.ref >= model.card_types.size()) return true;
  return std::all_of(model.kinds.begin(), model.kinds.end(), [&](const model::Kind& k) {
    const auto index = &k - model.kinds.data();
    const bool one = narrow.ref >= model.card_types.size() || derives(model, k.type.index, narrow.ref);
    return !one || (derives(model, k.type.index, wide.ref) && (wide.lo == 0 || wide.lo == index + 1));
  });
}

// Returns true if `given` must be rejected where `wanted` is expected. (Ranges of numbers are not compared.)
bool is_wrong(const model::Model& model, const Type& given, const Type& wanted) {
  if (wanted.kind == TypeKind::set && given.kind != TypeKind::set)   // a single element is a set of itself
    return wanted.elem && is_wrong(model, given, *wanted.elem);
  if (given.kind != wanted.kind) return true;
  switch (given.kind) {
    case TypeKind::enumeration: return given.ref != wanted.ref;
    case TypeKind::integer: return (given.ref == model::kDurationRef) != (wanted.ref == model::kDurationRef);
    case TypeKind::card: return !admits(model, wanted, given);
    case TypeKind::set: return wanted.elem && is_wrong(model, *given.elem, *wanted.elem);
    default: return false;
  }
}

bool is_tried(const Type& wanted) {
  switch (wanted.kind) {
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::player:
    case TypeKind::card:
    case TypeKind::enumeration:
    case TypeKind::set: return true;
    default: return false;
  }
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct Tally {
  std::size_t tried = 0, refused = 0, syntax = 0;
};

// Copies the game's folder and, for at most `most` positions, replaces one expression in the copy by one of another
// type. Counts the results in `tally`.
void spoil(const fs::path& game, std::uint32_t seed, std::size_t most, Tally& tally) {
  const TemporaryFolder folder;
  fs::copy(game.parent_path(), folder.path() + "/game", fs::copy_options::recursive);
  const fs::path copy = folder.path() / ("game" / game.filename());
  const std::string text = read(copy);
  const auto analysed = [&](const std::string& with) {
    std::ofstream(copy, std::ios::binary) << with;
    auto o = std::make_unique<Outcome>();
    loading::Loader loader(test::checkout("rulesets"), test::checkout("stdlib"));
    o->ruleset = loader.load(copy.string(), o->diagnostics);
    if (o->ruleset) o->model = sema::analyze(*o->ruleset, {}, o->diagnostics);
    return o;
  };
  const auto right = analysed(text);
  INFO(game.string() << "\n" << right->messages());
  REQUIRE(right->model);
  const std::vector<Position> positions =
      Positions(*right->model, right->ruleset->units.back().root->range.source).all();
  const std::vector<Wrong> expressions = expressions_of(*right->model);
  std::vector<std::pair<const Position*, const Wrong*>> pairs;
  for (const Position& p : positions)
    for (const Wrong& w : expressions)
      if (is_tried(p.wanted) && is_wrong(*right->model, w.type, p.wanted)) pairs.push_back({&p, &w});
  for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i) {   // a random sample
    seed = seed * 1664525 + 1013904223;
    std::swap(pairs[i], pairs[i + seed % (pairs.size() - i)]);
    const auto& [position, wrong] = pairs[i];
    std::string spoilt = text;
    spoilt.replace(position->range.begin, position->range.end - position->range.begin, wrong->text);
    const auto outcome = analysed(spoilt);
    ++tally.tried;
    INFO(game.filename().string() << ": `"
                                  << text.substr(position->range.begin, position->range.end - position->range.begin)
                                  << "` at " << right->sources.describe(position->range) << " is " << position->what
                                  << " of type " << model::to_string(*right->model, position->wanted) << ", and `"
                                  << wrong->text << "` was accepted there");
    CHECK(outcome->diagnostics.has_errors());
    const bool only_syntax = std::all_of(outcome->diagnostics.all().begin(), outcome->diagnostics.all().end(),
                                         [](const Diagnostic& d) { return d.code.id().starts_with("E01"); });
    ++(only_syntax ? tally.syntax : tally.refused);
  }
}

}   // namespace

TEST_CASE("types: a wrong type at any typed position of a bundled ruleset is an error", "[types]") {
  const bool all = std::getenv("CARDWRIGHT_ALL_TYPES") != nullptr;
  Tally tally;
  std::uint32_t seed = 41;
  for (const fs::directory_entry& folder : fs::recursive_directory_iterator(test::checkout("rulesets"))) {
    const fs::path game = folder.path() / (folder.path().filename().string() + ".rules");
    if (folder.is_directory() && fs::exists(game)) spoil(game, seed++, all ? 1'000'000 : 12, tally);
  }
  UNSCOPED_INFO(tally.tried << " tried, " << tally.refused << " refused, " << tally.syntax << " for their syntax");
  CHECK(tally.tried > 200);
  CHECK(tally.refused * 10 > tally.tried * 9);   // fewer than a tenth cause only syntax errors
}

}   // namespace cardwright::sema_tests
