// Fuzzes the text of a ruleset with libFuzzer: loads it, checks it and, if it has no errors, plays two
// games in both forms. Anything but a diagnostic is a finding. Build with the preset `fuzz`; the seeds are
// the rulesets of this checkout:
//
//     build/fuzz/bin/rules_fuzzer -max_len=20000 -timeout=20 corpus rulesets/splash tests/rulesets/small stdlib
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"

using namespace cardwright;

namespace {

// Returns the path of this process's rules file: in /dev/shm (in memory) if it is writable, otherwise in /tmp.
const std::string& rules_file() {
  static const std::string path = [] {
    setenv("CARDWRIGHT_CACHE", "off", 1);
    const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    return std::string(folder) + "/cardwright-fuzz-" + std::to_string(getpid()) + ".rules";
  }();
  return path;
}

void die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

}   // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(rules_file(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const api::Ruleset rules = api::Ruleset::load(rules_file());
    if (rules.check(api::Configuration{}).errors > 0) return 0;
    const api::Game game = rules.compile();
    for (std::uint64_t index = 0; index < 2; ++index)
      if (const std::string wrong = test::compare_forms(*game.data(), 1, index, nullptr, {20'000, 1'000});
          !wrong.empty())
        die(wrong);
  } catch (const api::Error& error) {
    if (error.blame() == api::Blame::internal) die(error.what());
  }
  return 0;
}
