// Implements cardwright/export.hpp. Large parts are gzipped and base64-encoded in the page, which unpacks them.
#include "cardwright/export.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/theme.hpp"
#include "cardwright/parts.hpp"
#include "cardwright/tools.hpp"
#include "support/digest.h"
#include "support/gzip.h"
#include "tools/report/numbers.h"

namespace cardwright::report {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string base64(std::string_view bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])) : 0;
    };
    const std::uint32_t all = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18, n = 0; shift >= 0; shift -= 6, ++n)
      out += i + static_cast<std::size_t>(n) > bytes.size() ? '=' : kLetters[all >> shift & 63];
  }
  return out;
}

std::string packed(std::string_view id, std::string_view bytes) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, base64(gzipped(bytes)));
}

void replace_mark(std::string& page, std::string_view name, const std::string& with) {
  const std::string mark = fmt::format("{{{{{}}}}}", name);
  const std::size_t at = page.find(mark);
  if (at != std::string::npos) page.replace(at, mark.size(), with);
}

Json head_of(const Exported& what) {
  Json configurations = Json::array(), images = Json::object();
  for (const api::Game& game : what.games) {
    configurations.push_back({{"label", fmt::format("{} player{}", game.players(), game.players() == 1 ? "" : "s")},
                              {"players", game.players()},
                              {"options", game.options()},
                              {"fingerprint", fmt::format("{:016x}", game.fingerprint())}});
    for (const api::LookImage& image : api::look_of(game).images)
      images[image.id] = fmt::format("data:{};base64,{}", image.type, base64(api::read_whole(image.path)));
  }
  std::string all;
  for (const api::Game& game : what.games) all += game.bytes();
  return {{"id", hex(digest_of(all))},
          {"game", what.games[0].name()},
          {"title", what.games[0].title()},
          {"about", what.about},
          {"build", fmt::format("cardwright {}", api::version())},
          {"bots", what.bot_seconds},
          {"seed", what.seed ? Json(*what.seed) : Json(nullptr)},
          {"configurations", configurations},
          {"images", images}};
}

}   // namespace

ExportBundle export_bundle() {
  const fs::path folder = api::pages_folder();
  const std::string code = api::web_runtime_path();
  if (folder.empty() || code.empty())
    throw api::Error(api::Blame::caller,
                     "this build cannot export: run `./cardwright export` in a checkout, or `cmake --build BUILD "
                     "--target pages web_runtime` (both need Node, npm, clang-19 and wasi-libc)");
  const auto text = [&](const char* name) { return api::read_whole((folder / name).string()); };
  ExportBundle out{text("export.html"), text("export.css"), text("export.js"), text("export.js.sha256"),
                   api::read_whole(code)};
  while (out.script_hash.ends_with('\n')) out.script_hash.pop_back();
  return out;
}

std::string as_page(const Exported& what, const ExportBundle& bundle) {
  if (what.games.empty()) throw api::Error(api::Blame::caller, "no game to export");
  for (const api::Game& game : what.games)
    if (game.name() != what.games[0].name())
      throw api::Error(api::Blame::caller, "a page contains variants of one game only");
  std::string data =
      fmt::format("<script type=\"application/json\" id=\"head\">{}</script>\n", escaped_json(head_of(what).dump()));
  data += packed("code", bundle.code);
  for (std::size_t game = 0; game < what.games.size(); ++game)
    data += packed(fmt::format("game-{}", game), what.games[game].bytes());
  std::string page = bundle.page;
  replace_mark(
      page, "policy",
      fmt::format("default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; "
                  "worker-src blob:",
                  bundle.script_hash));
  replace_mark(page, "title", escaped(what.games[0].title()));
  replace_mark(page, "style", bundle.style);
  replace_mark(page, "data", data);
  replace_mark(page, "script", bundle.script);
  return page;
}

}   // namespace cardwright::report
