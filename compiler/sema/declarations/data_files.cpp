// Reads data files beside the rules.
#include "compiler/sema/declarations/data_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "compiler/loading/csv.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

std::optional<SourceId> read_beside(SemaContext& sema, const Node* path, std::uint32_t unit) {
  namespace fs = std::filesystem;
  const std::string name(path->text);
  const fs::path relative(name);
  bool leaves = relative.is_absolute() || name.find('\\') != std::string::npos || name.empty();
  for (const fs::path& part : relative) leaves = leaves || part == "..";
  std::error_code ec;
  const fs::path folder =
      fs::weakly_canonical(sema.ruleset.units[unit].folder.empty() ? "." : sema.ruleset.units[unit].folder, ec);
  const fs::path full = leaves ? fs::path() : fs::weakly_canonical(folder / relative, ec);
  if (!leaves) {
    auto [a, b] = std::mismatch(folder.begin(), folder.end(), full.begin(), full.end());
    leaves = a != folder.end();
  }
  if (leaves) {
    error(sema, Code::path_leaves, path->range, fmt::format("path \"{}\" is outside the folder of the rules", name),
          "put the file into the folder of the rules and use a path without `..`");
    return std::nullopt;
  }
  if (auto it = sema.ruleset.files.find(full.string()); it != sema.ruleset.files.end()) return it->second;
  if (!fs::is_regular_file(full, ec)) {
    error(sema, Code::no_file, path->range, fmt::format("file not found: \"{}\"", name),
          "paths are relative to the folder of the rules");
    return std::nullopt;
  }
  if (fs::file_size(full, ec) > loading::kMostCsvBytes) {
    error(sema, Code::bad_csv, path->range, fmt::format("\"{}\" is larger than 1 MB", name));
    return std::nullopt;
  }
  std::ifstream in(full, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    error(sema, Code::no_file, path->range, fmt::format("\"{}\" can't be read", name));
    return std::nullopt;
  }
  if (text.str().find('\0') != std::string::npos || first_bad_byte(text.str()) != std::string_view::npos) {
    error(sema, Code::bad_csv, path->range, fmt::format("\"{}\" is not UTF-8 text", name));
    return std::nullopt;
  }
  const SourceId id = sema.diagnostics.sources().add(name, text.str());
  sema.ruleset.files.emplace(full.string(), id);
  sema.ruleset.ways.emplace(fs::absolute(folder / relative, ec).string(), full.string());
  return id;
}

}   // namespace cardwright::sema
