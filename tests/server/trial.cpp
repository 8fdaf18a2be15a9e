// bin/serve_trial: long stress tests of the server.
//
//     serve_trial kills [KILLS [CLIENTS]]     kills the server with SIGKILL KILLS times (50) under CLIENTS clients (40)
//     serve_trial noise [FRAMES]              sends FRAMES malformed frames (1,000,000)
//     serve_trial server FOLDER TABLES limited|free     the server that both tests run
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "tests/server/trials.h"

namespace {

int ended(const std::string& wrong) {
  fmt::print("{}\n", wrong.empty() ? "all is well" : wrong);
  return wrong.empty() ? 0 : 1;
}

}   // namespace

int main(int count, char** words) {
  setenv("CARDWRIGHT_CACHE", "off", 0);
  const auto number = [&](int at, long standard) { return count > at ? std::atol(words[at]) : standard; };
  try {
    if (count > 1 && std::strcmp(words[1], "kills") == 0) {
      std::uint64_t taken = 0;
      const std::string wrong = cardwright::test::try_kills(int(number(2, 50)), int(number(3, 40)), taken);
      fmt::print("{} choices were taken\n", taken);
      return ended(wrong);
    }
    if (count > 1 && std::strcmp(words[1], "noise") == 0)
      return ended(cardwright::test::try_noise(static_cast<std::uint64_t>(number(2, 1'000'000))));
    if (count > 4 && std::strcmp(words[1], "server") == 0)
      return cardwright::test::serve_for_trial(words[2], int(number(3, 1)), std::strcmp(words[4], "limited") == 0);
  } catch (const std::exception& error) {
    return ended(error.what());
  }
  fmt::print(stderr, "serve_trial kills [KILLS [CLIENTS]], or serve_trial noise [FRAMES]\n");
  return 2;
}
