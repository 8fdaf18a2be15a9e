// Finds Cardwright's own files: in the installation that contains the program (<prefix>/bin/…), or in the build tree.
#pragma once

#include <string>

namespace cardwright::api {

std::string jit_path();   // path of cardwright_jit.so; empty if it does not exist

}   // namespace cardwright::api
