// Where the parts of Cardwright lie: beside the program (<prefix>/bin/…), else where it was built.
#pragma once

#include <string>

namespace cardwright::api {

std::string jit_path();   // cardwright_jit.so, or empty when it is not there

}   // namespace cardwright::api
