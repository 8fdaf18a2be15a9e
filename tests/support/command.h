// Runs the built command as a user would.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.h"
#include "tests/support/has.h"

namespace cardwright::test {

using cardwright::TemporaryFolder;

struct Ran {
  int code = -1;
  std::string out, err;
};

// Returns the path of the program, which is in the same folder as the tests.
inline std::string program() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cardwright").string();
}

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs the command; the shell parses `arguments`. State files are stored in a temporary folder instead of the user's.
inline Ran run(const std::string& arguments, const std::string& input = "") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/in", std::ios::binary) << input;
  const std::string command = "XDG_STATE_HOME=" + folder.path() + " TERM=dumb " + program() + " " + arguments + " <" +
                              folder.path() + "/in >" + folder.path() + "/out 2>" + folder.path() + "/err";
  const int status = std::system(command.c_str());
  Ran ran;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ran.out = slurp(folder.path() + "/out");
  ran.err = slurp(folder.path() + "/err");
  return ran;
}

}   // namespace cardwright::test
