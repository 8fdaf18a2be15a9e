// Reads the data files that the rules name. Never reads a file outside the folder of the rules.
#include "compiler/loading/data_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "compiler/ast/views.h"
#include "compiler/loading/csv.h"

namespace cardwright::loading {

using ast::Node;
using ast::NodeKind;

// Returns the node with the data file's path in a declaration, or null.
static const Node* path_in(const Node* node) {
  if (node->kind == NodeKind::enum_decl) return ast::view::enum_decl(node).csv();
  if (node->kind == NodeKind::deck) return ast::view::deck(node).csv();
  const bool graph = node->kind == NodeKind::board && ast::view::board(node).graph();
  return graph ? ast::view::board(node).csv() : nullptr;
}

static DataFile read(Ruleset& ruleset, SourceMap& sources, const Node* path, const std::string& home) {
  namespace fs = std::filesystem;
  const auto error = [&](Code code, std::string message, std::string help = {}) {
    return DataFile{.source = {}, .code = code, .message = std::move(message), .help = std::move(help)};
  };
  const std::string name(path->text);
  const fs::path relative(name);
  bool leaves = relative.is_absolute() || name.find('\\') != std::string::npos || name.empty();
  for (const fs::path& part : relative) leaves = leaves || part == "..";
  std::error_code ec;
  const fs::path folder = fs::weakly_canonical(home.empty() ? "." : home, ec);
  const fs::path full = leaves ? fs::path() : fs::weakly_canonical(folder / relative, ec);
  if (!leaves) leaves = std::mismatch(folder.begin(), folder.end(), full.begin(), full.end()).first != folder.end();
  if (leaves)
    return error("path_outside"_code, fmt::format("path \"{}\" is outside the folder of the rules", name),
                 "put the file into the folder of the rules and use a path without `..`");
  const auto found = [&](SourceId source) {
    ruleset.ways.emplace(fs::absolute(folder / relative, ec).string(), full.string());
    return DataFile{.source = source};
  };
  if (const auto known = ruleset.files.find(full.string()); known != ruleset.files.end()) return found(known->second);
  if (!fs::is_regular_file(full, ec))
    return error("file_not_found"_code, fmt::format("file not found: \"{}\"", name),
                 "paths are relative to the folder of the rules");
  if (fs::file_size(full, ec) > kMostCsvBytes)
    return error("bad_csv"_code, fmt::format("\"{}\" is larger than 1 MB", name));
  std::ifstream in(full, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return error("file_not_found"_code, fmt::format("\"{}\" can't be read", name));
  if (text.str().find('\0') != std::string::npos || first_bad_byte(text.str()) != std::string_view::npos)
    return error("bad_csv"_code, fmt::format("\"{}\" is not UTF-8 text", name),
                 "save it as UTF-8; in a spreadsheet program, choose \"CSV UTF-8\"");
  const SourceId id = sources.add(name, text.str());
  ruleset.files.emplace(full.string(), id);
  return found(id);
}

static void read_in(Ruleset& ruleset, SourceMap& sources, const Node* node, const std::string& folder) {
  if (!node) return;
  if (const Node* path = path_in(node); path) ruleset.data_files.emplace(path, read(ruleset, sources, path, folder));
  for (const Node* child : node->children) read_in(ruleset, sources, child, folder);
}

void read_data_files(Ruleset& ruleset, SourceMap& sources) {
  for (const Unit& unit : ruleset.units) read_in(ruleset, sources, unit.root, unit.folder);
}

}   // namespace cardwright::loading
