// generated --seeds A..B     checks the rulesets of these seeds
// generated --reduce SEED    reduces a failing ruleset to a minimal one that fails in the same way
// generated --write SEED     prints a ruleset
// generated --help           lists all options
//
// Rulesets are checked in separate processes. With --record, an interrupted run can be resumed. Prints the progress and
// the failures. Exit codes: 0 no failure, 1 failures, 2 invalid arguments.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <CLI/CLI.hpp>

#include "tests/generator/files.h"
#include "tests/generator/isolated.h"
#include "tests/generator/record.h"
#include "tests/generator/reduce.h"
#include "tests/generator/writer.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

struct Wanted {
  std::uint64_t first = 1, last = 0;
  int threads = 1;
  std::uint64_t every = 1, seconds = 600, games = 3;
  bool secrets = true, families = true, first_only = false;
  std::string keep, record, reduce, write, subject;
};

std::uint64_t number(const std::string& text) {
  std::uint64_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong != std::errc{} || end != text.data() + text.size())
    throw CLI::ValidationError(fmt::format("`{}` is not a whole number from 0 to 2^64 - 1", text));
  return out;
}

bool is_seed(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Parses `7`, or `1..2000`.
void read_seeds(const std::string& text, Wanted& out) {
  const std::size_t dots = text.find("..");
  out.first = number(text.substr(0, dots));
  out.last = dots == std::string::npos ? out.first : number(text.substr(dots + 2));
  if (out.first > out.last) throw CLI::ValidationError(fmt::format("`{}` holds no seed", text));
  if (out.last == std::numeric_limits<std::uint64_t>::max())
    throw CLI::ValidationError("the last seed may be 2^64 - 2");
}

void add_arguments(CLI::App& app, Wanted& wanted) {
  const auto add_number = [&](const char* name, std::uint64_t& value, const char* help) {
    app.add_option_function<std::string>(
           name, [&value](const std::string& text) { value = number(text); },
           fmt::format("{} (default: {})", help, value))
        ->type_name("N");
  };
  CLI::Option* seeds = app.add_option_function<std::string>(
      "--seeds", [&](const std::string& text) { read_seeds(text, wanted); }, "plays the rulesets of these seeds");
  seeds->type_name("A..B");
  CLI::Option* reduce =
      app.add_option("--reduce", wanted.reduce, "prints the smallest ruleset that goes wrong in the same way")
          ->type_name("FILE|SEED");
  CLI::Option* write = app.add_option_function<std::string>(
      "--write", [&](const std::string& text) { wanted.write = fmt::to_string(number(text)); },
      "prints the ruleset of a seed");
  write->type_name("SEED");
  seeds->excludes(reduce)->excludes(write);
  reduce->excludes(write);
  add_number("--jit", wanted.every,
             "of so many rulesets one is played by the JIT as well, which takes most of the time; 1: all are, 0: none");
  app.add_option("--threads", wanted.threads, "rulesets at a time (default: 1)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  app.add_option("--keep", wanted.keep,
                 "a folder for rulesets that go wrong or are refused; it is made if it is not there")
      ->type_name("FOLDER");
  app.add_option("--record", wanted.record,
                 "a file that stores progress and failures: repeat the command to resume the run")
      ->needs(seeds)
      ->type_name("FILE");
  app.add_option("--subject", wanted.subject, "of the seeds only those whose ruleset is about it")
      ->needs(seeds)
      ->check(CLI::IsMember(subjects()))
      ->type_name("NAME");
  app.add_flag("--first", wanted.first_only, "ends at the first that goes wrong")->needs(seeds);
  add_number("--seconds", wanted.seconds, "how long a ruleset is made smaller at most");
  app.add_option("--families", wanted.families,
                 "0: without boards of all kinds and what else only some rulesets have (default: 1)")
      ->type_name("0|1");
  add_number("--games", wanted.games, "of each ruleset; 0: it is only looked at whether they compile");
  app.add_option("--secrets", wanted.secrets, "0: without variables that are secret or hidden (default: 1)")
      ->type_name("0|1");
}

// Validates combinations of arguments, and creates the folder for failing rulesets.
void look_at(const CLI::App& app, const Wanted& wanted) {
  if (app.count("--seeds") + app.count("--reduce") + app.count("--write") == 0)
    throw CLI::ValidationError("expected --seeds, --reduce or --write");
  if (!wanted.keep.empty()) std::filesystem::create_directories(wanted.keep);
  if (app.count("--reduce") == 0) return;
  if (is_seed(wanted.reduce))
    number(wanted.reduce);
  else if (!std::filesystem::is_regular_file(wanted.reduce))
    throw CLI::ValidationError(fmt::format("there is no file `{}`", wanted.reduce));
}

std::string kind_of(const std::string& wrong) { return wrong.substr(0, wrong.find(':')); }

// ---------------------------------------------------------------- many seeds

constexpr std::uint64_t kPiece = 100;   // number of seeds in a piece

// Checks a ruleset in a process that has checked others. A failure is checked again in a new process: if the ruleset
// passes there, the earlier ones have corrupted the state of the process.
Checked check(Checker& checker, const std::string& path, const Checks& checks) {
  constexpr unsigned kSeconds = 120;
  Checked found = checker.check(path, checks, kSeconds);
  if (found.wrong.empty() || found.wrong.starts_with("refused")) return found;
  const Checked alone = check_apart(path, checks, kSeconds);
  if (alone.wrong.empty()) found.wrong = "only after others: " + found.wrong;
  return alone.wrong.empty() ? found : alone;
}

void one(std::uint64_t seed, const Wanted& wanted, const TemporaryFolder& folder, Checker& checker, Tally& tally) {
  const std::string text = write_ruleset(seed, wanted.secrets, wanted.families),
                    files = folder.path() + "/" + std::to_string(seed), path = put_files(files, text);
  const Checked found =
      check(checker, path, {wanted.every > 0 && seed % wanted.every == 0, static_cast<int>(wanted.games), seed});
  ++tally.rulesets;
  tally.decisions += found.decisions;
  tally.games += found.games;
  tally.failed += found.failed;
  tally.without += found.wrong.empty() && found.decisions == 0;
  const std::string first = found.wrong.substr(0, found.wrong.find('\n'));
  if (kind_of(found.wrong) == "refused") {
    ++tally.refused;
  } else if (!found.wrong.empty()) {
    tally.wrong[seed] = first;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), found.wrong.c_str());
    std::fflush(stdout);
  }
  if (!found.wrong.empty() && !wanted.keep.empty())
    std::ofstream(wanted.keep + "/" + std::to_string(seed) + ".rules") << "// " << first << "\n" << text;
  std::filesystem::remove_all(files);
}

// Divides the seeds of a run into pieces and distributes them with a counter that all worker processes share.
class Pieces {
 public:
  Pieces(const Wanted& wanted, const RunRecord& record) {
    for (std::uint64_t first = wanted.first, last; first <= wanted.last; first = last + 1) {
      last = std::min(wanted.last, first / kPiece * kPiece + kPiece - 1);
      if (!record.has(first)) pieces_.emplace_back(first, last);
    }
    void* shared = mmap(nullptr, sizeof *next_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no memory");
    next_ = new (shared) std::atomic<std::size_t>(0);
  }
  ~Pieces() { munmap(next_, sizeof *next_); }
  Pieces(const Pieces&) = delete;
  const std::pair<std::uint64_t, std::uint64_t>* next() const {
    const std::size_t at = (*next_)++;
    return at < pieces_.size() ? &pieces_[at] : nullptr;
  }
  void stop() const { *next_ = pieces_.size(); }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces_;   // first and last seed
  std::atomic<std::size_t>* next_ = nullptr;
};

bool is_wanted(std::uint64_t seed, const Wanted& wanted) {
  return wanted.subject.empty() || subject_of(seed, wanted.families) == wanted.subject;
}

int work(const Wanted& wanted, const Pieces& pieces, const RunRecord& record) {
  const TemporaryFolder folder;
  Checker checker;
  try {
    while (const auto* seeds = pieces.next()) {
      Tally piece;
      const auto is_over = [&] { return wanted.first_only && !piece.wrong.empty(); };
      for (std::uint64_t seed = seeds->first; seed <= seeds->second && !is_over(); ++seed)
        if (is_wanted(seed, wanted)) one(seed, wanted, folder, checker, piece);
      if (is_over()) pieces.stop();
      record.add(seeds->first, seeds->second, piece);
      std::fprintf(stderr, "%llu..%llu: %s\n", static_cast<unsigned long long>(seeds->first),
                   static_cast<unsigned long long>(seeds->second), piece.text().c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generated: %s\n", error.what());
    return 2;
  }
  return 0;
}

// Returns a name of the run that includes a hash of some rulesets, because a modified generator creates different
// rulesets for the same seeds.
std::string name_of(const Wanted& wanted) {
  std::uint64_t sum = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const char c : write_ruleset(seed, wanted.secrets, wanted.families))
      sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format(
      "generated --seeds {}..{} --jit {} --games {} --secrets {:d} --families {:d}{}{}: rulesets {:016x}", wanted.first,
      wanted.last, wanted.every, wanted.games, wanted.secrets, wanted.families,
      wanted.subject.empty() ? "" : " --subject " + wanted.subject, wanted.first_only ? " --first" : "", sum);
}

int many(const Wanted& wanted) {
  const TemporaryFolder folder;
  const std::string path = wanted.record.empty() ? folder.path() + "/record" : wanted.record, run = name_of(wanted);
  const RunRecord before(path, run);
  if (before.tally().rulesets > 0) std::fprintf(stderr, "done before: %s\n", before.tally().text().c_str());
  const auto start = std::chrono::steady_clock::now();
  const Pieces pieces(wanted, before);
  std::vector<pid_t> workers;
  for (int i = 0; i < wanted.threads; ++i) {
    workers.push_back(fork());
    if (workers.back() == 0) _exit(work(wanted, pieces, before));
  }
  int worst = 0;
  for (const pid_t worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    worst |= WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  }
  const Tally all = RunRecord(path, run).tally();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s, %.0f s\n", all.text().c_str(), seconds);
  return worst != 0 ? 2 : all.wrong.empty() ? 0 : 1;
}

// ---------------------------------------------------------------- one failing seed

// Reduces the ruleset of a seed or in a file. The name of a stored file is the seed, which also selects the number of
// players, options and games. Returns the exit code.
int reduce(const Wanted& wanted) {
  const bool from_seed = is_seed(wanted.reduce);
  const std::string name = std::filesystem::path(wanted.reduce).stem();
  const std::uint64_t seed = is_seed(name) ? number(name) : 1;
  const std::string text = from_seed ? write_ruleset(seed, wanted.secrets, wanted.families) : text_of(wanted.reduce);
  const TemporaryFolder folder;
  const auto wrong = [&](const std::string& rules) {
    return check_apart(put_files(folder.path() + "/smaller", rules), {wanted.every > 0, 3, seed}, 20).wrong;
  };
  const std::string first = wrong(text);
  std::fprintf(stderr, "%s\n", first.c_str());
  if (first.empty()) return 0;
  // Two failures are equal if they have the same kind and error code, or are exceptions with the same first characters.
  const auto message = [&](const std::string& what) {
    constexpr std::size_t kBeginning = 24;
    const std::size_t code = what.find("error[");
    if (kind_of(what) == "thrown") return what.substr(0, kBeginning);
    return kind_of(what) + (code == std::string::npos ? "" : what.substr(code, 12));
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted.seconds);
  const auto stays = [&](const std::string& rules) {
    return std::chrono::steady_clock::now() < end && message(wrong(rules)) == message(first);
  };
  const std::string small = Reducer(text, stays).smallest();
  std::printf("// %s\n%s", wrong(small).c_str(), small.c_str());
  return 1;
}

}   // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);   // the checking process may have crashed
  setenv("CARDWRIGHT_CACHE", "off", 1);   // the code to compare must be compiled in this run
  CLI::App app{"Writes rulesets from seeds, and plays each of them in every way there is.", "generated"};
  Wanted wanted;
  add_arguments(app, wanted);
  try {
    app.parse(argc, argv);
    look_at(app, wanted);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {   // thrown by CLI11, or when the folder can't be created
    std::fprintf(stderr, "generated: %s\n(see generated --help)\n", error.what());
    return 2;
  }
  if (!wanted.write.empty()) {
    std::fputs(write_ruleset(number(wanted.write), wanted.secrets, wanted.families).c_str(), stdout);
    return 0;
  }
  api::jit_is_available();   // loads the JIT once, before any process is forked
  learn_grammar(TemporaryFolder().path());
  try {
    return app.count("--reduce") == 0 ? many(wanted) : reduce(wanted);
  } catch (const std::exception& error) {   // thrown by file access
    std::fprintf(stderr, "generated: %s\n", error.what());
    return 2;
  }
}
