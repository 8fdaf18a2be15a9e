// Reads and writes the record of a run: a file with the checked seeds and the failures, so that an interrupted run can
// be resumed.
//
//   generated --seeds 1..100000 --jit 50 …   the run, with a hash that identifies the version of the generator
//   wrong 117 plain: the digests …           a failure of a seed in the following piece
//   done 101..200 100 0 6213 12011 3 9       a piece: rulesets, rejected ones, games, decisions, rulesets without a
//                                            decision, games that ended with a trap
//
// A finished piece is appended in one write; an incomplete line is ignored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace cardwright::test {

// The results of one piece, or the sum of all pieces.
struct Tally {
  std::uint64_t rulesets = 0, refused = 0, games = 0, decisions = 0, without = 0, failed = 0;
  std::map<std::uint64_t, std::string> wrong;   // first line of the failure, by seed

  void add(const Tally& other) {
    rulesets += other.rulesets;
    refused += other.refused;
    games += other.games;
    decisions += other.decisions;
    without += other.without;
    failed += other.failed;
    wrong.insert(other.wrong.begin(), other.wrong.end());
  }
  std::string text() const {
    std::string out =
        fmt::format("{} rulesets, {} refused, {} games, {} decisions, {} without a decision, {} games ended by a trap",
                    rulesets, refused, games, decisions, without, failed);
    std::map<std::string, int> kinds;
    for (const auto& [seed, what] : wrong) ++kinds[what.substr(0, what.find(':'))];
    for (const auto& [kind, count] : kinds) out += fmt::format(", {} {}", count, kind);
    return out;
  }
};

class RunRecord {
 public:
  // Reads an existing file. Throws if it belongs to a different run.
  RunRecord(std::string path, const std::string& run) : path_(std::move(path)) {
    std::uintmax_t good = 0;
    if (std::filesystem::exists(path_))
      good = read(run);
    else
      std::ofstream(path_) << run << "\n", good = run.size() + 1;
    if (good != std::filesystem::file_size(path_)) std::filesystem::resize_file(path_, good);
  }
  bool has(std::uint64_t first) const { return done_.contains(first); }
  const Tally& tally() const { return tally_; }

  // Appends a piece. Several processes may do this at the same time.
  void add(std::uint64_t first, std::uint64_t last, const Tally& piece) const {
    std::string text;
    for (const auto& [seed, what] : piece.wrong) text += fmt::format("wrong {} {}\n", seed, what);
    text += fmt::format("done {}..{} {} {} {} {} {} {}\n", first, last, piece.rulesets, piece.refused, piece.games,
                        piece.decisions, piece.without, piece.failed);
    const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND);
    const bool written = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) ::close(file);
    if (!written) throw std::runtime_error(fmt::format("can't write {}", path_));
  }

 private:
  // Reads the complete pieces, and returns the size in bytes of the file up to the end of the last one.
  std::uintmax_t read(const std::string& run) {
    std::ifstream file(path_);
    std::string line;
    if (!std::getline(file, line) || line != run)
      throw std::runtime_error(fmt::format("{} is of another run:\n  {}\nand not\n  {}", path_, line, run));
    std::uintmax_t at = line.size() + 1, good = at;
    Tally piece;
    while (std::getline(file, line) && !file.eof()) {
      at += line.size() + 1;
      std::istringstream words(line);
      std::string what;
      std::uint64_t first = 0;
      words >> what >> first;
      if (what == "wrong") std::getline(words >> std::ws, piece.wrong[first]);
      if (what != "done") continue;
      std::string until;
      words >> until >> piece.rulesets >> piece.refused >> piece.games >> piece.decisions >> piece.without >>
          piece.failed;
      tally_.add(std::exchange(piece, {}));
      done_.insert(first);
      good = at;
    }
    return good;
  }

  const std::string path_;
  std::set<std::uint64_t> done_;   // the first seeds of all finished pieces
  Tally tally_;
};

}   // namespace cardwright::test
