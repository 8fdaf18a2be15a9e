// Runs numbered blocks of work on several threads, in ascending order.
#pragma once

#include <cstdint>
#include <functional>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

// Throws Error(caller) if the number of threads is out of range.
void need_threads(int asked);
// Number of threads to use; `asked` 0: one per core. At most one per block.
int thread_count(int asked, std::uint64_t blocks);
// Calls work(thread, block) for every block in [0, blocks) until one returns false or throws; the exception is
// rethrown. `tick`, if set, is called on the calling thread ten times a second.
void run_blocks(int threads, std::uint64_t blocks, const std::function<bool(int, std::uint64_t)>& work,
                const std::function<void()>& tick = {});

}   // namespace cardwright::api
