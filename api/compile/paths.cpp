// Finds the files of Cardwright, and the bundled games by name.
#include "api/compile/paths.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "cardwright_build.h"
#include "compiler/loading/bundled.h"
#include "support/diagnostics.h"

namespace cardwright::api {

namespace fs = std::filesystem;

namespace {

// Returns the path of the file that contains this code: libcardwright.so if another program uses the library, otherwise
// the program itself. The dynamic linker reports an empty name for the program.
fs::path own_file() {
  std::error_code none;
  Dl_info info;
  link_map* loaded = nullptr;
  static const char here = 0;
  if (dladdr1(&here, &info, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) && loaded && *loaded->l_name)
    return fs::canonical(loaded->l_name, none);
  return fs::read_symlink("/proc/self/exe", none);
}

// Returns the installation prefix. own_file() is in its folder bin/ or lib/.
fs::path prefix() { return own_file().parent_path().parent_path(); }

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

auto bundled() { return loading::bundled_rules(fs::path(share_folder()) / "rulesets"); }

}   // namespace

std::string_view version() { return CARDWRIGHT_VERSION; }

std::string share_folder() {
  if (const fs::path installed = prefix() / CARDWRIGHT_SHARE_IN_PREFIX; is_folder(installed / "rulesets"))
    return installed.string();
  return CARDWRIGHT_SOURCE_DIR;
}

std::string pages_folder() {
  for (const fs::path& folder : {prefix() / CARDWRIGHT_PAGES_IN_PREFIX, fs::path(CARDWRIGHT_PAGES_IN_BUILD)})
    if (is_file(folder / "report.js")) return folder.string();
  return {};
}

std::string web_runtime_path() {
  for (const fs::path& path : {prefix() / "lib/cardwright/table.wasm", fs::path(CARDWRIGHT_WEB_RUNTIME_IN_BUILD)})
    if (is_file(path)) return path.string();
  return {};
}

std::string jit_path() {
#if CARDWRIGHT_HAS_JIT
  if (const fs::path installed = prefix() / CARDWRIGHT_JIT_IN_PREFIX; is_file(installed)) return installed.string();
  if (is_file(CARDWRIGHT_JIT_IN_BUILD)) return CARDWRIGHT_JIT_IN_BUILD;
#endif
  return {};
}

std::vector<std::string> bundled_games() {
  std::vector<std::string> names;
  for (const auto& [name, rules] : bundled()) names.push_back(name);
  return names;
}

std::string find_rules(const std::string& what) {
  if (what.empty()) throw Error(Blame::caller, "the game's name is empty");
  if (is_file(what)) return what;
  const bool path_like = what.find('/') != std::string::npos || what.ends_with(".rules");
  if (is_folder(what)) {
    std::string name = fs::path(what).filename().string();
    if (name.empty()) name = fs::path(what).parent_path().filename().string();
    if (const fs::path inside = fs::path(what) / (name + ".rules"); path_like && is_file(inside))
      return inside.string();
    if (path_like) throw Error(Blame::caller, fmt::format("`{}` is a folder, not a .rules file", what));
  }
  std::error_code none;
  if (path_like && fs::exists(what, none)) throw Error(Blame::caller, fmt::format("`{}` is not a rules file", what));
  if (path_like) throw Error(Blame::caller, fmt::format("file `{}` not found", what));
  const auto games = bundled();
  if (const auto found = games.find(what); found != games.end()) return found->second.string();
  if (is_folder(what)) throw Error(Blame::caller, fmt::format("`{}` is a folder, not a .rules file", what));
  const auto names = bundled_games();
  const std::string guess = did_you_mean(what, names);
  throw Error(Blame::caller, fmt::format("unknown game `{}`{}", what,
                                         !guess.empty()  ? "; " + guess
                                         : names.empty() ? ""
                                                         : fmt::format("; bundled games: {}", fmt::join(names, ", "))));
}

std::string printable(std::string_view text) { return cardwright::printable(text); }

std::string guess(std::string_view word, const std::vector<std::string>& candidates) {
  return did_you_mean(word, candidates);
}

std::string explain(std::string_view id) {
  const std::optional<Code> code = find_code(id);
  if (!code)
    throw Error(Blame::caller, fmt::format("unknown error code `{}`; run `cardwright explain` to list all codes", id));
  return fmt::format("{}: {}\n\n{}", code->id(), code->title(), code->text());
}

std::string as_arguments(const Configuration& configuration) {
  std::string text = configuration.players ? fmt::format("--players {}", configuration.players) : "";
  for (const auto& [name, value] : configuration.options) {
    const std::string setting = value.empty() || value == "on" ? name : name + "=" + value;
    const std::string quote = setting.find(' ') == std::string::npos ? "" : "\"";
    text += fmt::format("{}--with {}{}{}", text.empty() ? "" : " ", quote, setting, quote);
  }
  return text;
}

std::string list_codes() {
  std::vector<std::string> lines;
  for (const CodeEntry& code : all_codes()) lines.push_back(fmt::format("  {}  {}\n", code.id, code.title));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

}   // namespace cardwright::api
