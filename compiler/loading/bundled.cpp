// Searches folders for rules files, and builds an index of the names that each library declares.
// Input:  folders.
// Output: the paths of games, and an index of libraries by declared name.
#include "compiler/loading/bundled.h"

#include <algorithm>
#include <mutex>

#include "compiler/ast/ast.h"
#include "compiler/ast/views.h"
#include "compiler/parse/parse.h"

namespace cardwright::loading {

namespace fs = std::filesystem;

namespace {

using Games = std::map<std::string, fs::path, std::less<>>;

bool add_game(const fs::path& folder, Games& games) {
  std::error_code none;
  const std::string name = folder.filename().string();
  const fs::path rules = folder / (name + ".rules");
  if (!fs::is_regular_file(rules, none)) return false;
  games.try_emplace(name, rules);
  return true;
}

using ast::Node;
using ast::NodeKind;
using Libraries = std::map<std::string, std::vector<Library>, std::less<>>;   // declared name -> libraries

// Adds the names that the library declares for use in games.
void add_names(const Node* node, const Library& library, Libraries& out) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::list:
    case NodeKind::with_decl:
    case NodeKind::player_state:
    case NodeKind::table_state:
    case NodeKind::team_state:
      for (const Node* inner : node->children) add_names(inner, library, out);
      return;
    case NodeKind::enum_decl: add_names(ast::view::enum_decl(node).constants(), library, out); break;
    case NodeKind::const_decl:
    case NodeKind::unit_decl:
    case NodeKind::option_decl:
    case NodeKind::enum_const:
    case NodeKind::record_decl:
    case NodeKind::card_type:
    case NodeKind::card:
    case NodeKind::character_type:
    case NodeKind::character:
    case NodeKind::field:
    case NodeKind::zone:
    case NodeKind::area:
    case NodeKind::piece:
    case NodeKind::die:
    case NodeKind::board:
    case NodeKind::timer_decl:
    case NodeKind::value_decl:
    case NodeKind::function_decl:
    case NodeKind::sequence_decl:
    case NodeKind::event_decl:
    case NodeKind::window_decl:
    case NodeKind::action_decl: break;
    default: return;   // the node declares no name
  }
  std::vector<Library>& all = out[std::string(node->text)];
  if (std::none_of(all.begin(), all.end(), [&](const Library& other) { return other.name == library.name; }))
    all.push_back(library);
}

Libraries read_libraries(const fs::path& home) {
  Libraries libraries;
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(home, none))
    if (entry.path().extension() == ".rules") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    SourceMap sources;
    Diagnostics discarded(sources);
    ast::Arena arena;
    const auto source = parse::read_source(file, sources, discarded);
    const Node* root = source ? parse::parse(*source, discarded, arena).root : nullptr;
    if (!root) continue;
    const auto is_about_a_board = [](const Node* n) {
      return n && n->kind == NodeKind::library && ast::view::library(n).board();
    };
    const Library library{"std." + file.stem().string(), std::ranges::any_of(root->children, is_about_a_board)};
    for (const Node* node : root->children) add_names(node, library, libraries);
  }
  return libraries;
}

}   // namespace

std::vector<Library> libraries_with(const fs::path& home, std::string_view name) {
  static std::mutex mutex;
  static std::map<fs::path, Libraries> read;
  const std::lock_guard lock(mutex);
  auto known = read.find(home);
  if (known == read.end()) known = read.emplace(home, read_libraries(home)).first;
  const auto found = known->second.find(name);
  return found == known->second.end() ? std::vector<Library>{} : found->second;
}

Games bundled_rules(const fs::path& home) {
  Games games;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(home, none)) {
    if (add_game(entry.path(), games)) continue;
    for (const auto& inner : fs::directory_iterator(entry.path(), none)) add_game(inner.path(), games);
  }
  return games;
}

}   // namespace cardwright::loading
