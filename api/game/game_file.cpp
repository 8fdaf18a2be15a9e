// Serializes a Game to bytes and restores it, for exported pages (Game::bytes).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/showing.hpp"
#include "cardwright_build.h"
#include "runtime/ir/shape.h"
#include "support/archive.h"
#include "support/digest.h"
#include "api/game/game_data.h"
#include "runtime/program/program_file.h"
#include "runtime/interp/interp.h"

namespace cardwright::api {

namespace detail {

namespace {

// The contents of a game file. In `texts`, all characters of the source texts except line breaks are replaced with
// spaces, so that places still map to lines.
struct GameFile {
  std::string build;
  std::string name, title, description, program;
  std::uint64_t fingerprint = 0;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::string> rules, endings;
  std::vector<std::pair<std::string, std::string>> texts;
};
FIELDS(GameFile, build, name, title, description, program, fingerprint, options, rules, endings, texts)

std::string blanked(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c != '\n') c = ' ';
  return out;
}

// Returns a text that identifies the build, because numbers in a Program are valid only for the same build.
std::string kind_of_build() { return fmt::format("{} {} {}", CARDWRIGHT_VERSION, sizeof(Layout), ir::kOpCount); }

// Answers the queries for a game that was read from a file.
class OfFile final : public Origin {
 public:
  explicit OfFile(GameFile file) : file_(std::move(file)) {}
  SourceMap& sources() { return sources_; }
  std::string describe(const Game&) const override { return file_.description; }
  std::vector<std::string> rules_in_words(const GameData&) const override { return file_.rules; }
  std::vector<std::string> endings_in_words(const GameData&) const override { return file_.endings; }
  std::vector<std::string> why(const StateData&, int, std::string_view) const override {
    return {"this page does not contain the rules and cannot explain this; use `cardwright serve`"};
  }

 private:
  GameFile file_;
  SourceMap sources_;
};

}   // namespace

}   // namespace detail

std::string Game::bytes() const {
  const Program& program = data_->program();
  detail::GameFile file{detail::kind_of_build(),
                        name(),
                        title(),
                        describe(*this),
                        bytes_of(program),
                        fingerprint(),
                        options(),
                        rules_in_words(),
                        data_->origin->endings_in_words(*data_),
                        {}};
  for (std::size_t source = 0; program.sources && source < program.sources->size(); ++source)
    file.texts.emplace_back(program.sources->name(static_cast<SourceId>(source)),
                            detail::blanked(program.sources->text(static_cast<SourceId>(source))));
  Writer out;
  out(file);
  const std::string all = out.take();
  return hex(digest_of(all)) + all;
}

Game Game::from_bytes(std::string_view bytes) {
  constexpr std::size_t kDigest = 32;
  if (bytes.size() < kDigest || hex(digest_of(bytes.substr(kDigest))) != bytes.substr(0, kDigest))
    raise(Blame::caller, "the game file is damaged");
  detail::GameFile file;
  Reader in(bytes.substr(kDigest));
  in(file);
  if (file.build != detail::kind_of_build())
    raise(Blame::caller, "the game file comes from another build of Cardwright");
  auto game = std::make_shared<GameData>();
  game->name = file.name, game->title = file.title, game->options = file.options, game->fingerprint = file.fingerprint;
  const std::string program_bytes = std::move(file.program);
  const auto texts = std::move(file.texts);
  auto origin = std::make_unique<detail::OfFile>(std::move(file));
  std::vector<SourceId> sources;
  for (const auto& [name, text] : texts) sources.push_back(origin->sources().add(name, text));
  std::shared_ptr<Program> program = program_from(program_bytes, sources);
  if (!program) raise(Blame::caller, "the game file does not contain a playable game");
  program->sources = &origin->sources();
  game->origin = std::move(origin);
  game->its_program = std::move(program);
  game->kind = EngineKind::interpreter;
  game->engine = make_interpreter(game->program());
  game->resampler = std::make_unique<Resampler>(game->program());
  return Game(std::move(game));
}

}   // namespace cardwright::api
