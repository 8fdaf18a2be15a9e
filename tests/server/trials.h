// Long trials of the server, of which selftest makes short ones: it is killed while people play, and talked nonsense
// to.
#pragma once

#include <cstdint>
#include <string>

namespace cardwright::test {

// A server of its own process (bin/serve_trial) on a folder that is killed with -9 so many times, each time while so
// many clients, four at a table, play hearts. What was lost of what a client was told, or what a table came back as
// that its journal doesn't say; empty if all is well. `taken`: how many choices were acknowledged.
std::string try_kills(int kills, int clients, std::uint64_t& taken);

// So many frames and requests that make no sense, of several sorts, by clients from many addresses, while two people
// play on. What went wrong; empty if both could play and the server still stands.
std::string try_noise(std::uint64_t frames);

// What bin/serve_trial does as a server: prints "port P", and for each table "table ID" and its links, then waits for
// ever.
int serve_for_trial(const std::string& folder, int tables, bool limited);

}   // namespace cardwright::test
