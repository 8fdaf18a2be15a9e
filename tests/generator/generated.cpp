// generated --seeds A..B [--threads N] [--jit EVERY] [--keep FOLDER]     rulesets written from seeds, each played in every way there is
// generated --reduce FILE|SEED [--jit 0|1] [--seconds N]                 the smallest ruleset that goes wrong in the same way
// generated --write SEED                                                 prints one
// … --secrets 0                                                          without variables that are secret or hidden
//
// Each ruleset has a process of its own. Prints how far it is, and what went wrong; ends with 0 if nothing did. EVERY: of so many
// rulesets one is played by the JIT as well, which takes most of the time; 1: all are.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "tests/generator/isolated.h"
#include "tests/generator/reduce.h"
#include "tests/generator/writer.h"
#include "tests/system/places.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

struct Wanted {
  std::uint64_t first = 1, last = 0;
  int threads = 1;
  std::uint64_t every = 1, seconds = 600;
  bool secrets = true;
  std::string keep, reduce, write;
};

Wanted read(int argc, char** argv) {
  Wanted out;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--seeds") {
      out.first = std::strtoull(value.c_str(), nullptr, 10);
      out.last = std::strtoull(value.substr(value.find("..") + 2).c_str(), nullptr, 10);
    } else if (name == "--threads") out.threads = std::max(1, std::atoi(value.c_str()));
    else if (name == "--jit") out.every = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--seconds") out.seconds = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--secrets") out.secrets = value != "0";
    else if (name == "--keep") out.keep = value;
    else if (name == "--reduce") out.reduce = value;
    else if (name == "--write") out.write = value;
  }
  return out;
}

std::string kind_of(const std::string& wrong) { return wrong.substr(0, wrong.find(':')); }

// ---------------------------------------------------------------- many seeds

// What one worker process found, in lines that its parent reads.
struct Tally {
  std::uint64_t rulesets = 0, refused = 0, decisions = 0, games = 0, without = 0, failed = 0;
  std::map<std::string, int> wrong;
};

void one(std::uint64_t seed, const Wanted& wanted, const Folder& folder, Tally& tally) {
  const std::string text = write_ruleset(seed, wanted.secrets), path = folder.write(std::to_string(seed) + ".rules", text);
  const Checked found = check_apart(path, {wanted.every > 0 && seed % wanted.every == 0, 3, seed});
  ++tally.rulesets;
  tally.decisions += found.decisions;
  tally.games += found.games;
  tally.failed += found.failed;
  tally.without += found.wrong.empty() && found.decisions == 0;
  if (kind_of(found.wrong) == "refused") {
    ++tally.refused;
  } else if (!found.wrong.empty()) {
    ++tally.wrong[kind_of(found.wrong)];
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), found.wrong.c_str());
    std::fflush(stdout);
  }
  if (!found.wrong.empty() && !wanted.keep.empty()) std::ofstream(wanted.keep + "/" + std::to_string(seed) + ".rules") << text << "// " << found.wrong.substr(0, found.wrong.find('\n')) << "\n";
  std::filesystem::remove(path);
}

int work(const Wanted& wanted, int worker) {
  const Folder folder;
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  const auto report = [&](FILE* to) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::fprintf(to, "%llu rulesets, %llu refused, %llu games, %llu decisions, %llu without a decision, %llu games ended by a trap, %.0f s",
                 static_cast<unsigned long long>(tally.rulesets), static_cast<unsigned long long>(tally.refused), static_cast<unsigned long long>(tally.games),
                 static_cast<unsigned long long>(tally.decisions), static_cast<unsigned long long>(tally.without), static_cast<unsigned long long>(tally.failed), seconds);
    for (const auto& [kind, count] : tally.wrong) std::fprintf(to, ", %d %s", count, kind.c_str());
    std::fprintf(to, "\n");
  };
  for (std::uint64_t seed = wanted.first + static_cast<std::uint64_t>(worker); seed <= wanted.last; seed += static_cast<std::uint64_t>(wanted.threads)) {
    one(seed, wanted, folder, tally);
    if (tally.rulesets % 200 == 0) report(stderr);
  }
  report(stdout);
  std::fflush(stdout);
  return tally.wrong.empty() ? 0 : 1;
}

int many(const Wanted& wanted) {
  std::vector<pid_t> workers;
  for (int i = 0; i < wanted.threads; ++i) {
    workers.push_back(fork());
    if (workers.back() == 0) _exit(work(wanted, i));
  }
  int worst = 0;
  for (const pid_t worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    worst |= WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  }
  return worst;
}

// ---------------------------------------------------------------- one that goes wrong

int reduce(const Wanted& wanted) {
  const bool is_seed = wanted.reduce.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t seed = is_seed ? std::strtoull(wanted.reduce.c_str(), nullptr, 10) : 1;
  const std::string text = is_seed ? write_ruleset(seed, wanted.secrets) : text_of(wanted.reduce);
  const Folder folder;
  const auto wrong = [&](const std::string& rules) {
    return check_apart(folder.write("smaller.rules", rules), {wanted.every > 0, 3, seed}, 20).wrong;
  };
  const std::string first = wrong(text);
  std::fprintf(stderr, "%s\n", first.c_str());
  if (first.empty()) return 0;
  const auto message = [&](const std::string& what) {        // of a message the code is what stays
    const std::size_t code = what.find("error[");
    return kind_of(what) + (code == std::string::npos ? "" : what.substr(code, 12));
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted.seconds);
  const auto stays = [&](const std::string& rules) { return std::chrono::steady_clock::now() < end && message(wrong(rules)) == message(first); };
  const std::string small = Reducer(text, stays).smallest();
  std::printf("%s// %s\n", small.c_str(), wrong(small).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CARDWRIGHT_CACHE", "off", 1);                    // what is compared is compiled now
  const Wanted wanted = read(argc, argv);
  if (!wanted.write.empty()) {
    std::fputs(write_ruleset(std::strtoull(wanted.write.c_str(), nullptr, 10), wanted.secrets).c_str(), stdout);
    return 0;
  }
  api::jit_is_available();                                 // loaded once, before there are other processes
  return wanted.reduce.empty() ? many(wanted) : reduce(wanted);
}
