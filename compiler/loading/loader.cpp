// Finds and parses the files of a ruleset: the file itself, the libraries that it uses and the game that it extends.
// Collects options, variants, players, scenarios and measures. Output: a Ruleset and diagnostics.
#include "compiler/loading/loader.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "compiler/ast/views.h"
#include "compiler/parse/parse.h"
#include "compiler/loading/bundled.h"
#include "compiler/loading/data_files.h"

#include "compiler/loading/several_boards.h"
#include "compiler/loading/texts.h"
#include "support/filled.h"

namespace cardwright::loading {

namespace view = ast::view;
namespace fs = std::filesystem;
using ast::Node;
using ast::NodeKind;

namespace {

constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostConditions = 500;   // limit on the conditions of one library
constexpr int kMostPlayers = 16;

std::string text_of(const Node* value) {
  if (!value) return "on";
  switch (value->kind) {
    case NodeKind::truth: return value->number ? "on" : "off";
    case NodeKind::number: return std::to_string(value->number);
    case NodeKind::none_lit: return "none";
    case NodeKind::unary: {
      const Node* operand = view::unary(value).operand();
      return value->text == "-" && operand ? "-" + text_of(operand) : "";
    }
    default: return std::string(value->text);
  }
}

bool inside(const fs::path& file, const std::string& folder) {
  std::error_code ec;
  const fs::path home = fs::weakly_canonical(folder.empty() ? "." : folder, ec);
  const fs::path full = fs::weakly_canonical(file, ec);
  return std::mismatch(home.begin(), home.end(), full.begin(), full.end()).first == home.end();
}

// Returns the name of a file for messages. For installed files, the name is relative to the installation:
// "rulesets/splash/splash.rules".
std::string shown_name(const fs::path& file, const std::string& rulesets, const std::string& stdlib) {
  if (!file.is_absolute()) return file.string();
  for (const std::string& home : {rulesets, stdlib})
    if (!home.empty() && inside(file, home)) {
      std::error_code ec;
      const fs::path from = fs::weakly_canonical(home, ec);
      return (from.filename() / fs::weakly_canonical(file, ec).lexically_relative(from)).string();
    }
  return file.string();
}

// A condition under which a declaration exists: either the condition of a `with` around it, or the value of an option
// whose rules contain it.
struct Guard {
  const Node* condition = nullptr;   // the condition of the `with`
  bool wanted = true;
  const Node* option = nullptr;   // the declaration of the option
  const Node* value = nullptr;
};

// Calls `f` for each declaration, including declarations in a `with` or among the rules of an option's value. `within`
// contains the conditions under which the current declaration exists.
template <class F>
void each_declaration(const Node* list, std::vector<Guard>& within, const F& f) {
  if (!list) return;
  const auto inside = [&](const Node* inner, Guard guard) {
    within.push_back(guard);
    each_declaration(inner, within, f);
    within.pop_back();
  };
  for (const Node* n : list->children) {
    if (!n) continue;
    f(n);
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    if (d->kind == NodeKind::with_decl) {
      inside(view::with_decl(d).then(), {view::with_decl(d).condition(), d->number == 0});
      inside(view::with_decl(d).otherwise(), {view::with_decl(d).condition(), d->number != 0});
    }
    if (d->kind == NodeKind::option_decl && view::option_decl(d).values())
      for (const Node* v : view::option_decl(d).values()->children)
        if (v && view::option_value(v).declarations())
          inside(view::option_value(v).declarations(), {nullptr, true, d, v});
  }
}

class Loading {
 public:
  Loading(std::string rulesets, std::string stdlib, Ruleset& ruleset, Diagnostics& say, const Excerpt& excerpt)
      : rulesets_(std::move(rulesets)),
        stdlib_(std::move(stdlib)),
        ruleset_(ruleset),
        diagnostics_(say),
        excerpt_(excerpt) {}

  // Loads a file. Returns its depth in the `extends` chain, or -1 after an error.
  int file(const fs::path& path, Range from, bool library, const Node* arguments, const Node* on);
  // Loads a file that contains only measures, in addition to the file that was read last. Returns false if the file
  // can't be read.
  bool measures(const fs::path& path);
  void facts();

 private:
  void error(Code code, Range range, std::string message, std::string help = {}) {
    diagnostics_.report(code, range, std::move(message), std::move(help));
    ruleset_.broken = true;
  }
  fs::path find(std::string_view name, Range range, const fs::path& folder, bool library);
  bool is_import_cycle(const std::string& key, Range from);
  std::optional<SourceId> read(const fs::path& path, const std::string& key, Range from);
  // Checks the `game` or `library` line. Returns the file's depth in the `extends` chain.
  int head(const ast::File& parsed, const fs::path& folder, Range from, bool library, const Node* on,
           std::string_view board);
  void refuse_braces(Range where);
  void option(const Node* node, bool replacing);
  bool range_of_option(Option& o, const Node* type, const Node* initial);
  void add_option(Option o, bool replacing);
  void variant(const Node* node, bool replacing);
  void remove_variant(const Node* node);
  void only_measures(const Node* list);
  void measures_in(const Unit& unit);
  void players(const Node* node);
  void report_missing_players();
  void options_in(const Node* list);
  const Node* find_enum(std::string_view name) const;
  using Scenes = std::map<std::string_view, const Node*>;
  static void scenes_in(const Node* list, Scenes& out);
  void scenarios_in(const Node* list, const Scenes& scenes);
  Node* without(Node* root, const std::set<std::size_t>& left_out);
  void scenario(const Node* node, const std::vector<Guard>& within, const Scenes& scenes);

  std::string rulesets_, stdlib_;
  Ruleset& ruleset_;
  Diagnostics& diagnostics_;
  const Excerpt& excerpt_;
  std::vector<std::string> open_;   // files that are being read, outermost first
  // For each library on a board that is being read: the library's name for the board, and the name of the actual board.
  std::vector<std::pair<std::string_view, std::string_view>> on_;
  std::size_t read_ = 0;   // total bytes read
  struct Read {
    int depth;
    const Node* arguments;
    const Node* root;
  };
  struct Use {
    const Node* by;   // the root of the file that contains the `use`
    std::vector<Guard> within;
  };
  std::map<const Node*, std::vector<Use>> uses_;   // by root node of the library
  const Node* last_root_ = nullptr;   // root node of the file that was read or found last
  const Node* condition_of(const std::vector<Guard>& within);
  struct When {
    bool always = true;
    const Node* condition = nullptr;
    std::size_t size = 0;   // number of combined conditions
  };
  std::map<const Node*, When> when_;   // by root node of the library
  When used_when(const Node* library);
  When compute_when(const std::vector<Use>& uses, Range range);
  void apply_conditions();
  const Node* join(const Node* a, std::string_view word, const Node* b);
  std::map<std::string, Read> done_;
};

fs::path Loading::find(std::string_view name, Range range, const fs::path& folder, bool library) {
  std::string relative(name);
  const bool standard = library && relative.starts_with("std.");
  if (standard) relative = relative.substr(4);
  const std::string shown = relative;
  std::replace(relative.begin(), relative.end(), '.', '/');
  std::error_code ec;
  if (standard) {
    const fs::path path = fs::path(stdlib_) / (relative + ".rules");
    if (fs::is_regular_file(path, ec) && inside(path, stdlib_)) return path;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(stdlib_, ec))
      if (entry.path().extension() == ".rules") names.push_back("std." + entry.path().stem().string());
    std::sort(names.begin(), names.end());
    error("file_not_found"_code, range, fmt::format("unknown standard library `{}`", shown),
          did_you_mean(std::string(name), names));
    return {};
  }
  const fs::path beside = folder / (relative + ".rules");
  if (fs::is_regular_file(beside, ec)) {
    if (inside(beside, folder.string())) return beside;
    error("path_outside"_code, range, fmt::format("`{}` is outside the folder of the rules", name));
    return {};
  }
  std::vector<std::string> names;
  if (!library)
    for (auto& [game, rules] : bundled_rules(rulesets_)) {
      if (game == name) {
        ruleset_.ways.emplace(fs::absolute(beside, ec).string(), "");
        return rules;
      }
      names.push_back(game);
    }
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ec))
    if (entry.path().extension() == ".rules") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  std::string help = did_you_mean(std::string(name), names);
  const fs::path page = fs::path(stdlib_) / (std::string(name) + ".rules");
  if (library && fs::is_regular_file(page, ec))
    help = fmt::format(
        "to use `{}` of the standard library, write `use std.{}`; `use {}` refers to the file `{}.rules` in this "
        "folder",
        name, name, name, name);
  error("file_not_found"_code, range,
        library ? fmt::format("unknown library `{}`", name) : fmt::format("cannot extend unknown game `{}`", name),
        help);
  return {};
}

bool Loading::is_import_cycle(const std::string& key, Range from) {
  if (std::find(open_.begin(), open_.end(), key) == open_.end()) return false;
  std::string way;
  bool on = false;
  for (const std::string& o : open_) {
    on = on || o == key;
    if (on) way += fs::path(o).filename().string() + " → ";
  }
  error("import_cycle"_code, from,
        fmt::format("circular dependency between files: {}{}", way, fs::path(key).filename().string()));
  return true;
}

std::optional<SourceId> Loading::read(const fs::path& path, const std::string& key, Range from) {
  std::optional<SourceId> source;
  const bool again = std::any_of(ruleset_.units.begin(), ruleset_.units.end(), [&](const Unit& u) {
    return ruleset_.files.contains(key) && u.root->range.source == ruleset_.files[key];
  });
  if (again && ruleset_.broken) return std::nullopt;   // errors of a broken ruleset have already been reported
  if (again)
    source = diagnostics_.sources().add(std::string(diagnostics_.sources().name(ruleset_.files[key])),
                                        std::string(diagnostics_.sources().text(ruleset_.files[key])));
  else if (excerpt_.text && open_.empty() && ruleset_.units.empty())   // the main file
    source = diagnostics_.sources().add(shown_name(path, rulesets_, stdlib_), *excerpt_.text);
  else if (const auto known = ruleset_.files.find(key); known != ruleset_.files.end())
    source = known->second;
  else
    source = parse::read_source(path, diagnostics_.sources(), diagnostics_, shown_name(path, rulesets_, stdlib_));
  if (!source) {
    ruleset_.broken = true;
    return std::nullopt;
  }
  if ((read_ += diagnostics_.sources().text(*source).size()) > kMostBytes) {
    error("limit_exceeded"_code, from,
          fmt::format("the files of the game are too large; the limit is {} MB in total", kMostBytes >> 20));
    ruleset_.broken = true;
    return std::nullopt;
  }
  return source;
}

int Loading::head(const ast::File& parsed, const fs::path& folder, Range from, bool library, const Node* on,
                  std::string_view board) {
  int depth = 0;
  bool headed = false;
  for (const Node* n : parsed.root->children) {
    if (!n) continue;
    if (n->kind == NodeKind::game || n->kind == NodeKind::library) {
      if (headed) error("duplicate_clause"_code, n->range, "duplicate `game` or `library` line");
      headed = true;
      if ((n->kind == NodeKind::library) != library)
        error("misplaced"_code, n->range,
              library ? "a game can't be used as a library" : "expected a game, found a library",
              library ? "use `extends` to change a game" : "`game \"Title\"`");
      if (library && n->kind == NodeKind::library && view::library(n).board() && !on)
        error("wrong_arguments"_code, from, fmt::format("the library `{}` needs a board", n->text),
              "name the board: `use … on field`");
      if (n->kind == NodeKind::library && view::library(n).board())
        on_.back() = {view::library(n).board()->text, board};
      if (n->kind == NodeKind::library && !view::library(n).board() && on)
        error("wrong_arguments"_code, on->range, fmt::format("the library `{}` does not take a board", n->text));
    }
    if (n->kind == NodeKind::game && view::game(n).base()) {
      const fs::path base = find(view::game(n).base()->text, view::game(n).base()->range, folder, false);
      if (!base.empty()) {
        const int below = file(base, view::game(n).base()->range, false, nullptr, nullptr);
        if (below >= 0) depth = below + 1;
      }
    }
  }
  if (!headed && !ruleset_.broken)
    error(library ? "misplaced"_code : "bad_ending"_code, {parsed.source, 0, 1},
          library ? "a library must start with `library NAME`" : "a game must start with its title",
          library ? "" : "`game \"Title\"`");
  return depth;
}

int Loading::file(const fs::path& path, Range from, bool library, const Node* arguments, const Node* on) {
  std::error_code ec;
  const std::string key = fs::weakly_canonical(path, ec).string();
  if (is_import_cycle(key, from)) return -1;
  const auto arguments_text = [&](const Node* a) {
    return a ? std::string(diagnostics_.sources().text(a->range)) : std::string();
  };
  const std::string_view board = !on ? "" : !on_.empty() && on->text == on_.back().first ? on_.back().second : on->text;
  const std::string done = on ? fmt::format("{} on {}", key, board) : key;   // a library is loaded once per board
  if (auto it = done_.find(done); it != done_.end()) {
    last_root_ = it->second.root;
    if (arguments && !arguments->children.empty() && arguments_text(arguments) != arguments_text(it->second.arguments))
      error("wrong_arguments"_code, from, "this library is already used with different parameters");
    return it->second.depth;
  }
  if (done_.size() >= kMostFiles) {
    error("limit_exceeded"_code, from, fmt::format("the game has too many files; the limit is {}", kMostFiles));
    return -1;
  }
  const std::size_t errors_before = diagnostics_.errors();
  const std::optional<SourceId> source = read(path, key, from);
  if (!source) return -1;
  ruleset_.files.emplace(key, *source);
  ruleset_.ways.emplace(fs::absolute(path, ec).string(), key);
  ast::File parsed = parse::parse(*source, diagnostics_, ruleset_.arena);
  std::ranges::copy(parsed.allowances, std::back_inserter(ruleset_.allowances));
  if (open_.empty() && !library) parsed.root = without(parsed.root, excerpt_.left_out);   // the main file
  if (diagnostics_.errors() != errors_before) ruleset_.broken = true;
  if (!parsed.root) return -1;
  open_.push_back(key);
  on_.emplace_back("", "");
  const fs::path folder = path.parent_path();
  const int depth = head(parsed, folder, from, library, on, board);
  std::vector<Guard> within;
  each_declaration(parsed.root, within, [&](const Node* n) {
    if (n->kind != NodeKind::use_decl) return;
    const fs::path lib = find(n->text, n->range, folder, true);
    if (!lib.empty() && file(lib, n->range, true, view::use_decl(n).arguments(), view::use_decl(n).board()) >= 0)
      uses_[last_root_].push_back({parsed.root, within});
  });
  open_.pop_back();
  on_.pop_back();
  // A library belongs to the first file that uses it.
  done_[done] = {depth, arguments, parsed.root};
  last_root_ = parsed.root;
  ruleset_.units.push_back({parsed.root, folder.string(), static_cast<std::uint32_t>(depth), library, arguments, on,
                            library && inside(folder, stdlib_)});
  return depth;
}

// Reports declarations other than measures and their helpers, because measuring must not change the game.
void Loading::only_measures(const Node* list) {
  std::vector<Guard> within;
  each_declaration(list, within, [&](const Node* n) {
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    const auto is_one_of = [&](std::initializer_list<NodeKind> kinds) {
      return std::find(kinds.begin(), kinds.end(), d->kind) != kinds.end();
    };
    const bool measures = is_one_of({NodeKind::measure_decl, NodeKind::with_decl, NodeKind::library}),
               of_its_own = is_one_of({NodeKind::function_decl, NodeKind::sequence_decl, NodeKind::value_decl,
                                       NodeKind::const_decl}) &&
                            d == n && d->number == 0,
               removes = d->kind == NodeKind::remove_decl && view::remove_decl(d).what() &&
                         view::remove_decl(d).what()->text == "measure";
    if (measures || of_its_own || removes) return;
    error("not_only_measures"_code, n->range,
          "a file of measures can't contain this declaration, because it could change the rules",
          "use only measures and the functions, values and consts that they need; put rules into a house-rules file");
  });
}

bool Loading::measures(const fs::path& path) {
  const std::size_t before = ruleset_.units.size();
  if (file(path, {}, true, nullptr, nullptr) < 0) return false;
  if (ruleset_.units.size() == before) {
    error("not_only_measures"_code, {last_root_->range.source, 0, 1}, "the game already uses this file");
    return true;
  }
  ruleset_.units.back().measures = true;
  ruleset_.units.back().library = true;
  only_measures(ruleset_.units.back().root);
  std::iter_swap(ruleset_.units.end() - 1, ruleset_.units.end() - 2);   // the game's own file must be last
  return true;
}

void Loading::measures_in(const Unit& unit) {
  std::vector<Guard> within;
  each_declaration(unit.root, within, [&](const Node* n) {
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    const bool removed = n->kind == NodeKind::remove_decl && view::remove_decl(n).what() &&
                         view::remove_decl(n).what()->text == "measure" && within.empty();
    if (removed) return void(std::erase_if(ruleset_.measures, [&](const MeasureInfo& m) { return m.name == n->text; }));
    if (d->kind != NodeKind::measure_decl) return;
    const Node* label = view::measure_decl(d).label();
    if (label) refuse_braces(label->range);
    MeasureInfo info{.name = std::string(d->text),
                     .label = label ? std::string(label->text) : std::string(),
                     .own = !unit.standard,
                     .range = d->range};
    const auto other = std::find_if(ruleset_.measures.begin(), ruleset_.measures.end(),
                                    [&](const MeasureInfo& m) { return m.name == info.name; });
    if (other == ruleset_.measures.end())
      ruleset_.measures.push_back(std::move(info));
    else
      *other = std::move(info);
  });
}

const Node* Loading::find_enum(std::string_view name) const {
  for (const Unit& u : ruleset_.units)
    for (const Node* n : u.root->children)
      if (n && n->kind == NodeKind::enum_decl && n->text == name) return n;
  return nullptr;
}

// Reports braces in titles, option names and other strings that are shown verbatim.
void Loading::refuse_braces(Range where) {
  const std::string_view text = diagnostics_.sources().text(where);
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      quoted = !quoted;
    else if (quoted && text[at] == '{') {
      const std::size_t close = std::min(end_of_filled_in(text, at + 1), text.size() - 1);
      error("brace_in_constant"_code,
            {where.source, where.begin + static_cast<std::uint32_t>(at),
             where.begin + static_cast<std::uint32_t>(close) + 1},
            "expressions in braces are not evaluated in this string", "write `\\{` for a literal brace");
      at = close;
    }
  }
}

static void add_constants(Option& o, const Node* e) {
  if (const Node* constants = view::enum_decl(e).constants())
    for (const Node* c : constants->children)
      if (c && c->kind == NodeKind::enum_const) o.values.emplace_back(c->text);
}

static bool written_number(const Node* n, std::int64_t& out) {
  if (n && n->kind == NodeKind::number) return out = n->number, true;
  if (!n || n->kind != NodeKind::unary) return false;
  const Node* operand = view::unary(n).operand();
  if (!operand || operand->kind != NodeKind::number) return false;
  out = -operand->number;
  return true;
}

bool Loading::range_of_option(Option& o, const Node* type, const Node* initial) {
  const Node *lo = view::type_range(type).lo(), *hi = view::type_range(type).hi();
  std::int64_t first = 0;
  o.number = true;
  if (!written_number(lo, o.lo) || !written_number(hi, o.hi) || o.lo > o.hi) {
    error("not_constant"_code, type->range, "the range of an option must consist of numbers", "`option n: 1..10 = 5`");
    return false;
  }
  if (!initial)
    first = o.lo;
  else if (!written_number(initial, first) || first < o.lo || first > o.hi) {
    error("bad_option_value"_code, initial->range,
          fmt::format("value of `{}` out of range; expected {} to {}", o.name, o.lo, o.hi));
    first = o.lo;
  }
  o.initial = std::to_string(first);
  return true;
}

void Loading::add_option(Option o, bool replacing) {
  for (Option& other : ruleset_.options)
    if (other.name == o.name) {
      if (replacing)
        other = std::move(o);
      else
        error("duplicate_declaration"_code, o.range, fmt::format("duplicate option `{}`", o.name),
              other.range.source == o.range.source ? "" : fmt::format("use `replace option {} …`", o.name));
      return;
    }
  if (replacing) {
    std::vector<std::string> names;
    for (const Option& other : ruleset_.options) names.push_back(other.name);
    return error("nothing_to_replace"_code, o.range, fmt::format("cannot replace unknown option `{}`", o.name),
                 did_you_mean(o.name, names));
  }
  if (ruleset_.options.size() >= 200)
    return error("limit_exceeded"_code, o.range, "too many options; the limit is 200");
  ruleset_.options.push_back(std::move(o));
}

void Loading::option(const Node* node, bool replacing) {
  Option o;
  o.node = node;
  o.name = node->text;
  o.range = node->range;
  if (view::option_decl(node).label())
    o.label = view::option_decl(node).label()->text, refuse_braces(view::option_decl(node).label()->range);
  const Node *type = view::option_decl(node).type(), *initial = view::option_decl(node).initial(),
             *values = view::option_decl(node).values();
  if (values) {
    for (const Node* v : values->children) {
      if (!v) continue;
      if (const Node* e = find_enum(v->text))
        add_constants(o, e);
      else if (std::find(o.values.begin(), o.values.end(), v->text) != o.values.end())
        error("duplicate_declaration"_code, v->range, fmt::format("duplicate value in `{}`: `{}`", o.name, v->text));
      else
        o.values.emplace_back(v->text);
    }
    // `option x = on` is a switch whose default is on.
    if (o.values == std::vector<std::string>{"on"})
      o.values.push_back("off");
    else if (o.values == std::vector<std::string>{"off"})
      o.values.push_back("on");
  } else if (type && type->kind == NodeKind::type_range) {
    if (!range_of_option(o, type, initial)) return;
  } else if (type) {
    const Node* e = find_enum(type->text);
    if (e)
      add_constants(o, e);
    else if (type->text == "bool")
      o.values = {"off", "on"};
    else {
      error("unknown_name"_code, type->range, fmt::format("unknown enum `{}`", type->text));
      return;
    }
    if (initial) o.initial = text_of(initial) == "true" ? "on" : text_of(initial);
  } else {
    o.values = {"off", "on"};
    if (initial) o.values = {text_of(initial)};
  }
  if (o.initial.empty() && !o.values.empty()) o.initial = o.values.front();
  if (!o.number && !o.initial.empty() && std::find(o.values.begin(), o.values.end(), o.initial) == o.values.end())
    error("bad_option_value"_code, initial ? initial->range : node->range,
          fmt::format("unknown value in `{}`: `{}`", o.name, o.initial));
  if (!o.number && o.values.empty()) {
    error("bad_option_value"_code, node->range, fmt::format("`{}` has no values", o.name));
    return;
  }
  add_option(std::move(o), replacing);
}

// Reports that the number of players is missing. A likely cause is `players: 2..4`, which declares a variable of the
// table.
void Loading::report_missing_players() {
  const Node* root = ruleset_.units.back().root;
  const auto find = [](auto&& self, const Node* in) -> const Node* {
    for (const Node* n : in->children) {
      if (n && n->kind == NodeKind::field && n->text == "players") return n;
      if (const Node* found = n && n->kind == NodeKind::list ? self(self, n) : nullptr) return found;
    }
    return nullptr;
  };
  if (const Node* named = find(find, root))
    error("bad_players"_code, named->range, "missing number of players; this declares a variable `players`",
          "remove the colon: `players 2..5`");
  else
    error("bad_players"_code, root->range, "missing number of players", "add `players 2..5, usually 4`");
}

void Loading::players(const Node* node) {
  const auto number = [&](const Node* n, int& out) {
    if (!n) return;
    if (n->kind != NodeKind::number || n->number < 1 || n->number > kMostPlayers) {
      const Node* low = n->kind == NodeKind::binary ? view::binary(n).left() : nullptr;
      const Node* high = n->kind == NodeKind::binary ? view::binary(n).right() : nullptr;
      const bool minus = low && high && low->kind == NodeKind::number && high->kind == NodeKind::number;
      error("bad_players"_code, n->range, fmt::format("expected a number of players from 1 to {}", kMostPlayers),
            minus ? fmt::format("write `{}..{}`", low->number, high->number) : "");
      return;
    }
    out = static_cast<int>(n->number);
  };
  number(view::players_decl(node).least(), ruleset_.least_players);
  ruleset_.most_players = ruleset_.least_players;
  number(view::players_decl(node).most(), ruleset_.most_players);
  ruleset_.players_range = node->range;
  if (ruleset_.most_players < ruleset_.least_players) {
    error("bad_players"_code, node->range,
          fmt::format("the range of players {}..{} is empty", ruleset_.least_players, ruleset_.most_players));
    ruleset_.most_players = ruleset_.least_players;
  }
  ruleset_.usual_players = 0;
  if (view::players_decl(node).usually()) {
    number(view::players_decl(node).usually(), ruleset_.usual_players);
    if (ruleset_.usual_players &&
        (ruleset_.usual_players < ruleset_.least_players || ruleset_.usual_players > ruleset_.most_players))
      error("bad_players"_code, view::players_decl(node).usually()->range,
            fmt::format("the usual number of players {} is out of range {}..{}", ruleset_.usual_players,
                        ruleset_.least_players, ruleset_.most_players));
  }
  if (!ruleset_.usual_players) ruleset_.usual_players = (ruleset_.least_players + ruleset_.most_players) / 2;
  // The default is five players if the game allows five and declares no default.
  if (!view::players_decl(node).usually() && ruleset_.least_players <= 5 && ruleset_.most_players >= 5)
    ruleset_.usual_players = 5;
}

void Loading::variant(const Node* node, bool replacing) {
  const view::variant_decl its(node);
  refuse_braces(node->range);
  Variant v{.title = std::string(node->text), .settings = {}, .range = node->range};
  if (its.settings())
    for (const Node* a : its.settings()->children)
      if (a) v.settings.push_back({std::string(a->text), text_of(view::arg(a).value())});
  const auto other = std::find_if(ruleset_.variants.begin(), ruleset_.variants.end(),
                                  [&](const Variant& x) { return x.title == v.title; });
  if (other == ruleset_.variants.end() && replacing)
    return error("nothing_to_replace"_code, node->range, fmt::format("cannot replace unknown variant \"{}\"", v.title));
  if (other == ruleset_.variants.end()) return ruleset_.variants.push_back(std::move(v));
  if (!replacing)
    return error("duplicate_declaration"_code, node->range, fmt::format("duplicate variant \"{}\"", v.title));
  *other = std::move(v);
}

void Loading::remove_variant(const Node* node) {
  if (std::erase_if(ruleset_.variants, [&](const Variant& v) { return v.title == node->text; }) == 0)
    error("nothing_to_replace"_code, node->range, fmt::format("cannot remove unknown variant \"{}\"", node->text));
}

// Returns whether a declaration of this kind contains a reason. Only relations between options and warnings about
// options do.
bool has_reason(NodeKind kind) {
  return kind == NodeKind::conflict_decl || kind == NodeKind::require_decl || kind == NodeKind::void_decl ||
         kind == NodeKind::warn_decl;
}

// Collects options and variants. These can't depend on other options.
void Loading::options_in(const Node* list) {
  std::vector<Guard> within;
  each_declaration(list, within, [&](const Node* n) {
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    const bool replacing = d != n;
    const bool removes = n->kind == NodeKind::remove_decl && view::remove_decl(n).what() &&
                         view::remove_decl(n).what()->text == "variant";
    const bool of_variant = d->kind == NodeKind::variant_decl || removes;
    if (has_reason(d->kind)) refuse_braces(d->range);
    if (d->kind != NodeKind::option_decl && !of_variant) return;
    if (!within.empty()) {
      error("misplaced"_code, n->range,
            of_variant ? "a variant can't depend on options" : "an option and its values can't depend on other options",
            of_variant ? "move it out of the `with`"
                       : "move it out of the `with`; to relate options, use `require A with B` or `A is void with B`");
    } else if (removes) {
      remove_variant(n);
    } else if (of_variant) {
      variant(d, replacing);
    } else {
      option(d, replacing);
    }
  });
}

// Collects the option settings that satisfy a condition. Supports only simple conditions, such as `with long` or `with
// hand == six and long`.
void settings_of(const Node* condition, bool wanted, std::vector<std::pair<std::string, std::string>>& out) {
  if (!condition) return;
  if (condition->kind == NodeKind::name_ref) return void(out.emplace_back(condition->text, wanted ? "on" : "off"));
  if (!wanted || condition->kind != NodeKind::binary) return;
  if (condition->text == "and") {
    for (const Node* c : condition->children) settings_of(c, true, out);
  } else if (condition->text == "==" && view::binary(condition).left() && view::binary(condition).right() &&
             view::binary(condition).left()->kind == NodeKind::name_ref) {
    out.emplace_back(view::binary(condition).left()->text, text_of(view::binary(condition).right()));
  }
}

void Loading::scenes_in(const Node* list, Scenes& out) {
  std::vector<Guard> within;
  each_declaration(list, within, [&](const Node* n) {
    if (n->kind == NodeKind::scene) out[n->text] = n;
    if (n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration() &&
        view::replace_decl(n).declaration()->kind == NodeKind::scene)
      out[view::replace_decl(n).declaration()->text] = view::replace_decl(n).declaration();
  });
}

void Loading::scenarios_in(const Node* list, const Scenes& scenes) {
  std::vector<Guard> within;
  each_declaration(list, within, [&](const Node* n) {
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    if (d->kind == NodeKind::scenario && (!excerpt_.scenario || *excerpt_.scenario == d->text))
      scenario(d, within, scenes);
  });
}

void Loading::scenario(const Node* node, const std::vector<Guard>& within, const Scenes& scenes) {
  const view::scenario its(node);
  const std::string_view whole = diagnostics_.sources().text(node->range);
  const auto title = node->range.begin + static_cast<std::uint32_t>(node->text.data() - whole.data());
  refuse_braces({node->range.source, title - 1, title + static_cast<std::uint32_t>(node->text.size()) + 1});
  ScenarioInfo info;
  info.title = node->text;
  info.range = node->range;
  info.players = ruleset_.usual_players;
  if (its.lines())
    info.at_once = std::ranges::any_of(its.lines()->children, [](const Node* l) {
      return l && l->kind == NodeKind::then_line && view::then_line(l).at_once();
    });
  for (const Guard& guard : within) {
    std::vector<std::pair<std::string, std::string>> meant;
    if (guard.option)
      meant.emplace_back(guard.option->text, guard.value->text);
    else
      settings_of(guard.condition, guard.wanted, meant);
    for (auto& [name, value] : meant)
      if (std::any_of(ruleset_.options.begin(), ruleset_.options.end(),
                      [&](const Option& o) { return o.name == name; }))
        info.options.emplace_back(name, value);
  }
  const auto settings = [&](const Node* list) {
    if (list)
      for (const Node* a : list->children)
        if (a) {
          const auto named = [&](const Option& o) { return o.name == a->text; };
          if (std::none_of(ruleset_.options.begin(), ruleset_.options.end(), named)) {
            std::vector<std::string> names;
            for (const Option& o : ruleset_.options) names.push_back(o.name);
            error("unknown_option"_code, a->range, fmt::format("unknown option `{}`", a->text),
                  did_you_mean(a->text, names));
            continue;
          }
          std::erase_if(info.options, [&](const auto& o) { return o.first == a->text; });
          info.options.push_back({std::string(a->text), text_of(view::arg(a).value())});
        }
  };
  const auto count = [&](const Node* n) {
    if (!n) return;
    if (n->kind == NodeKind::number && n->number >= ruleset_.least_players && n->number <= ruleset_.most_players)
      info.players = static_cast<int>(n->number);
    else
      error("bad_players"_code, n->range,
            ruleset_.least_players == ruleset_.most_players
                ? fmt::format("the game is for {} players", ruleset_.least_players)
                : fmt::format("the game is for {}..{} players", ruleset_.least_players, ruleset_.most_players));
  };
  if (const Node* s = its.scene()) {
    auto it = scenes.find(s->text);
    if (it == scenes.end()) {
      if (ruleset_.broken) return;   // the scene may be in a file with errors
      std::vector<std::string> names;
      for (const auto& [n, x] : scenes) names.emplace_back(n);
      error("unknown_name"_code, s->range, fmt::format("unknown scene `{}`", s->text), did_you_mean(s->text, names));
      return;
    }
    const Node *there = view::scene(it->second).players(), *here = its.players();
    if (there && here && there->kind == NodeKind::number && here->kind == NodeKind::number &&
        there->number != here->number)
      error("bad_players"_code, here->range, fmt::format("the scene `{}` is for {} players", s->text, there->number),
            "remove the number here, or make both numbers equal");
    count(there);
    settings(view::scene(it->second).options());
  }
  count(its.players());
  settings(its.options());
  for (const ScenarioInfo& other : ruleset_.scenarios)
    if (other.title == info.title)
      error("duplicate_declaration"_code, node->range, fmt::format("duplicate scenario \"{}\"", info.title));
  ruleset_.scenarios.push_back(std::move(info));
}

// ---- libraries that are used in a `with`

const Node* Loading::join(const Node* a, std::string_view word, const Node* b) {
  if (!a || !b) return a ? a : b;
  return ruleset_.arena.make(NodeKind::binary, a->range, word, 0, {const_cast<Node*>(a), const_cast<Node*>(b)});
}

const Node* Loading::condition_of(const std::vector<Guard>& within) {
  const Node* all = nullptr;
  for (const Guard& guard : within) {
    const Node* one = guard.condition;
    if (guard.option) {
      Node* option = ruleset_.arena.make(NodeKind::name_ref, guard.value->range, guard.option->text);
      Node* value = ruleset_.arena.make(guard.value->text == "none" ? NodeKind::none_lit : NodeKind::name_ref,
                                        guard.value->range, guard.value->text);
      one = ruleset_.arena.make(NodeKind::binary, guard.value->range, "==", 0, {option, value});
    } else if (!guard.wanted) {
      one = ruleset_.arena.make(NodeKind::unary, one->range, "not", 0, {const_cast<Node*>(one)});
    }
    all = join(all, "and", one);
  }
  return all;
}

// Returns the condition under which a library is used. It combines the conditions of all its `use`s with the conditions
// of the files that contain them.
Loading::When Loading::used_when(const Node* library) {
  if (const auto known = when_.find(library); known != when_.end()) return known->second;
  const auto uses = uses_.find(library);
  return when_[library] = uses == uses_.end() ? When() : compute_when(uses->second, library->range);
}
Loading::When Loading::compute_when(const std::vector<Use>& uses, Range range) {
  When when{.always = false};
  for (const Use& use : uses) {
    const When by = used_when(use.by);
    const Node* all = join(condition_of(use.within), "and", by.condition);
    if (!all) return {};
    when.condition = join(when.condition, "or", all);
    when.size += by.size + use.within.size() + 1;
  }
  if (when.size <= kMostConditions) return when;
  error("limit_exceeded"_code, range, "too many conditions for the use of this library",
        fmt::format("the limit is {}, including the conditions of the files that use it", kMostConditions));
  return {};
}

// Wraps each conditionally used library in a `with`.
void Loading::apply_conditions() {
  std::map<const Node*, const Node*> roots;
  for (const Unit& u : ruleset_.units) {
    const Node* when = used_when(u.root).condition;
    if (!when) continue;
    std::vector<Node*> head, rest;
    for (Node* n : u.root->children) (n && n->kind == NodeKind::library ? head : rest).push_back(n);
    Node* list = ruleset_.arena.make(NodeKind::list, u.root->range, {}, 0, rest);
    head.push_back(
        ruleset_.arena.make(NodeKind::with_decl, u.root->range, {}, 0, {const_cast<Node*>(when), list, nullptr}));
    roots[u.root] = ruleset_.arena.make(u.root->kind, u.root->range, u.root->text, u.root->number, head);
  }
  for (Unit& u : ruleset_.units)
    if (const auto root = roots.find(u.root); root != roots.end()) u.root = root->second;
}

// Collects the information that is known before the analysis: title, players, options, measures and scenarios.
void Loading::facts() {
  for (const Unit& u : ruleset_.units) {
    const Node* found_players = nullptr;
    for (const Node* n : u.root->children) {
      if (!n) continue;
      if (n->kind == NodeKind::game) ruleset_.title = n->text, refuse_braces(n->range);
      if (n->kind != NodeKind::players_decl || u.library) continue;
      if (std::exchange(found_players, n)) error("duplicate_declaration"_code, n->range, "duplicate `players`");
      players(n);
    }
  }
  name_after_boards(ruleset_);
  if (!ruleset_.broken) {
    parse_texts(ruleset_, diagnostics_.sources());
    read_data_files(ruleset_, diagnostics_.sources());
  }
  apply_conditions();
  for (const Unit& u : ruleset_.units) options_in(u.root);
  for (const bool beside : {false, true})
    for (const Unit& u : ruleset_.units)
      if (u.measures == beside) measures_in(u);
  if (!ruleset_.players_range.known() && !ruleset_.broken && !ruleset_.units.empty()) report_missing_players();
  if (ruleset_.units.empty()) return;
  const std::uint32_t last = ruleset_.units.back().depth;
  if (excerpt_.of_base && last == 0) return;
  ruleset_.scenario_depth = last - (excerpt_.of_base ? 1 : 0);
  Scenes scenes;
  for (const Unit& u : ruleset_.units)
    if (u.depth <= ruleset_.scenario_depth) scenes_in(u.root, scenes);
  for (const Unit& u : ruleset_.units)
    if (u.depth == ruleset_.scenario_depth) scenarios_in(u.root, scenes);
}

Node* Loading::without(Node* root, const std::set<std::size_t>& left_out) {
  if (!root || left_out.empty()) return root;
  std::vector<Node*> rest;
  std::size_t i = 0;
  for (Node* child : root->children)
    if (!left_out.contains(i++)) rest.push_back(child);
  return ruleset_.arena.make(root->kind, root->range, root->text, root->number, rest);
}

}   // namespace

std::unique_ptr<Ruleset> Loader::load(const std::string& path, Diagnostics& diagnostics,
                                      std::map<std::string, SourceId> known, const Excerpt& excerpt,
                                      const std::string& measures) {
  auto ruleset = std::make_unique<Ruleset>();
  ruleset->files = std::move(known);
  std::error_code ec;
  fs::path file(path);
  if (!fs::exists(file, ec) && path.find('/') == std::string::npos && path.find('\\') == std::string::npos &&
      !path.starts_with(".")) {
    const auto bundled = bundled_rules(rulesets_);
    if (const auto found = bundled.find(path); found != bundled.end()) {
      file = found->second;
    } else if (!path.ends_with(".rules")) {
      std::vector<std::string> names;
      for (const auto& [game, rules] : bundled) names.push_back(game);
      diagnostics.report("cannot_read"_code, {}, fmt::format("unknown game or file `{}`", path),
                         did_you_mean(path, names));
      return nullptr;
    }
  } else if (fs::is_directory(file, ec)) {
    const fs::path within = file / (fs::weakly_canonical(file, ec).filename().string() + ".rules");
    if (fs::is_regular_file(within, ec)) file = within;
  }
  ruleset->name = file.stem().string();
  ruleset->stdlib = stdlib_;
  Loading loading(rulesets_, stdlib_, *ruleset, diagnostics, excerpt);
  if (loading.file(file, {}, false, nullptr, nullptr) < 0) return nullptr;
  if (!measures.empty() && !loading.measures(measures)) return nullptr;
  loading.facts();
  std::ranges::copy_if(diagnostics.all(), std::back_inserter(ruleset->warnings),
                       [](const Diagnostic& d) { return d.severity == Severity::warning; });
  return ruleset;
}

}   // namespace cardwright::loading
