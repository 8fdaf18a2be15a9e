// Tests 1,000 mutated copies of the shipped rulesets: `check` never crashes, finishes quickly, and blames only the
// author of the rules; valid mutants play ten games with equal results in all forms and on both engines.
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/files.h"
#include "tests/support/mutate.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

constexpr std::size_t kMutants = 1000;
constexpr int kLongest = 60;   // seconds for one mutant, even on a busy machine
constexpr Limits kLimits{50'000, 3'000};   // enough for most games, and quickly exhausted by a mutant that never ends

struct Original {
  std::string name, folder, text;
};

// Returns the rulesets to mutate: each bundled game with and without its scenarios, which are long and reveal few
// errors, and the small rulesets. Splash occurs most often because it uses the most features.
std::vector<Original> originals() {
  std::vector<Original> out;
  for (const std::string& name : api::bundled_games()) {
    const std::string path = api::find_rules(name), text = text_of(path);
    const std::size_t scenarios = std::min(text.find("\nscene "), text.find("\nscenario "));
    const Original bare{name, std::filesystem::path(path).parent_path().string(), text.substr(0, scenarios)};
    out.insert(out.end(), name == "splash" ? 5 : 1, bare);
    out.push_back({name + " with scenarios", bare.folder, text});
  }
  for (const std::string& path : rules_in(checkout("tests/rulesets/small")))
    if (path.find("trap_") == std::string::npos)
      out.push_back({std::filesystem::path(path).stem().string(), "", text_of(path)});
  return out;
}

// Aborts the process with a message if a mutant takes too long, because a test can't stop one of its own threads.
class Watch {
 public:
  explicit Watch(std::string what) : what_(std::move(what)) {
    thread_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      if (done_signal_.wait_for(lock, std::chrono::seconds(kLongest), [this] { return done_; })) return;
      std::fprintf(stderr, "takes longer than %d s: %s\n", kLongest, what_.c_str());
      std::abort();
    });
  }
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    done_signal_.notify_one();
    thread_.join();
  }

 private:
  std::string what_;
  std::mutex mutex_;
  std::condition_variable done_signal_;
  bool done_ = false;
  std::thread thread_;
};

struct Counts {
  std::atomic<int> clean{0}, refused{0}, on_jit{0};
};

std::string play(const api::Ruleset& rules, bool jit, Counts& counts) {
  const api::Game interp = rules.compile({}, api::EngineKind::interpreter);
  ++counts.clean;
  std::vector<Course> courses(10);
  for (std::uint64_t i = 0; i < courses.size(); ++i)
    if (std::string wrong = compare_forms(*interp.data(), 1, i, &courses[i], kLimits); !wrong.empty()) return wrong;
  if (!jit) return {};
  const api::Game compiled = rules.compile({}, api::EngineKind::jit);
  ++counts.on_jit;
  for (std::uint64_t i = 0; i < courses.size(); ++i) {
    std::string wrong = compare_courses(courses[i], play_out(*compiled.data(), 1, i, true, kLimits),
                                        fmt::format("game {}, interpreter and JIT", i), true);
    if (wrong.empty()) wrong = compare_engines(*interp.data(), *compiled.data(), 1, i, nullptr, kLimits);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

// Returns true for a sample of the mutants of Splash and half of the others: the JIT takes a second to compile Splash,
// but little time for small rulesets.
bool wants_jit(const Original& original, std::size_t number) {
  return api::jit_is_available() && (original.name.starts_with("splash") ? number % 40 == 3 : number % 4 == 1);
}

std::string try_mutant(const Original& original, std::size_t number, const TemporaryFolder& folder, Counts& counts) {
  const std::string text = Mutator(original.text, number).mutant();
  const std::string path = folder.write(fmt::format("m{}.rules", number), text);
  const Watch watch(fmt::format("mutant {} of {}, {}", number, original.name, path));
  try {
    const api::Ruleset rules = api::Ruleset::load(path);
    const api::Report report = rules.check(api::Configuration{});
    if (report.errors > 0) {
      ++counts.refused;
    } else if (std::string wrong = play(rules, wants_jit(original, number), counts); !wrong.empty()) {
      return wrong;
    }
  } catch (const api::Error& error) {
    if (error.blame() == api::Blame::internal) return std::string("blames Cardwright: ") + error.what();
    if (error.report().text.empty() && error.blame() == api::Blame::author) return "refused without a message";
    ++counts.refused;
  }
  std::filesystem::remove(path);
  return {};
}

}   // namespace

TEST_CASE("fuzz: a thousand mutants of the shipped rulesets", "[fuzz]") {
  const auto from = originals();
  const TemporaryFolder folder;
  for (const Original& original : from)   // copies the CSV tables that the rulesets read
    if (!original.folder.empty())
      for (const auto& entry : std::filesystem::directory_iterator(original.folder))
        if (entry.path().extension() == ".csv")
          std::filesystem::copy_file(entry.path(), folder.path() + "/" + entry.path().filename().string(),
                                     std::filesystem::copy_options::skip_existing);
  Counts counts;
  const std::string wrong = run_jobs(kMutants, [&](int, std::size_t number) -> std::string {
    const Original& original = from[number % from.size()];
    std::string bad;
    try {
      bad = try_mutant(original, number, folder, counts);
    } catch (const std::exception& error) {
      bad = std::string("throws ") + error.what();
    }
    return bad.empty() ? bad : fmt::format("mutant {} of {}: {}", number, original.name, bad);
  });
  INFO(counts.clean << " clean, " << counts.refused << " refused, " << counts.on_jit << " on the JIT");
  CHECK(wrong == "");
  CHECK(counts.clean > 50);
  CHECK(counts.refused > 300);
}
