// How each command shows what parts of it come to together; `parts` are the texts of their files, at least one.
#pragma once

#include <string>
#include <vector>

namespace cardwright::cli {

int show_simulation(const std::vector<std::string>& parts, const std::string& output, bool json);
int show_skill(const std::vector<std::string>& parts, const std::string& output, bool json);
int show_comparison(const std::vector<std::string>& parts, const std::string& output, bool json);

}  // namespace cardwright::cli
