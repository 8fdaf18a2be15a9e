// Declares long stress tests of the server, which selftest runs in short form: the server is killed during
// games, and receives malformed data.
#pragma once

#include <cstdint>
#include <string>

namespace cardwright::test {

// Runs a server (bin/serve_trial) on a folder and kills it `kills` times (SIGKILL) while `clients` clients, four
// at a table, play hearts. Returns lost acknowledged choices or differences between a restored table and its journal;
// empty on success. Stores the number of acknowledged choices in `taken`.
std::string try_kills(int kills, int clients, std::uint64_t& taken);

// Sends malformed frames and requests of several kinds from many addresses while two people play. Returns the failure;
// empty if both could play and the server is still running.
std::string try_noise(std::uint64_t frames);

// Implements the server mode of bin/serve_trial: prints "port P", and for each table "table ID" and its links, then
// waits forever.
int serve_for_trial(const std::string& folder, int tables, bool limited);

}   // namespace cardwright::test
