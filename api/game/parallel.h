// Runs numbered blocks of work on several threads, which start the blocks in ascending order.
#pragma once

#include <cstdint>
#include <functional>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

// Throws Error(caller) if the number of threads is out of range.
void need_threads(int asked);
// Returns the number of threads to use: `asked`, or one per core if `asked` is 0, but at most one per block.
int thread_count(int asked, std::uint64_t blocks);
// Calls work(thread, block) for every block in [0, blocks) until a call returns false or throws; rethrows the
// exception. Calls `tick`, if set, ten times a second on the calling thread.
void run_blocks(int threads, std::uint64_t blocks, const std::function<bool(int, std::uint64_t)>& work,
                const std::function<void()>& tick = {});

}   // namespace cardwright::api
