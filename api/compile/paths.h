// Finds the files of Cardwright: next to the program (<prefix>/bin/…), or in the build tree.
#pragma once

#include <string>

namespace cardwright::api {

std::string jit_path();   // path of cardwright_jit.so; empty if it does not exist

}   // namespace cardwright::api
