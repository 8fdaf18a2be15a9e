// Runs the JIT compiler on a background thread and publishes compiled code to the engine.
//
// LLVM cannot be interrupted immediately, and it must not run while the process ends, because its global objects are
// destroyed then. LLVM can create these globals at any time, so an exit handler may run after their destructors. Only
// destructors of the main thread's thread_local objects always run before them. Therefore, destroying an engine waits
// until its thread has stopped compiling, which takes at most about a tenth of a second. The end of the process waits
// in the same way, unless the process has announced that it exits with _exit.
#include "api/compile/background.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include "api/compile/engines.h"
#include "cardwright/tools.hpp"
#include "runtime/jit/jit.h"
#include "runtime/passes/passes.h"
#include "support/disk_cache.h"
#include "runtime/program/program_file.h"
#include "runtime/interp/interp.h"
#include "runtime/ops/frames.h"

namespace cardwright::api {

namespace {

// The playout form is compiled after kPlayouts runs, and each function of the step form after kOften runs.
constexpr std::uint8_t kPlayouts = 16, kOften = 100;

enum class PlayoutStage : std::uint8_t { nothing, find, compile };

// Data shared by the engine and its thread.
struct Job {
  explicit Job(std::shared_ptr<const Program> of) : program(std::move(of)), steps(program->step.functions.size()) {}

  const std::shared_ptr<const Program> program;
  std::atomic<bool> stop{false};

  std::mutex mutex;   // guards the following members
  std::condition_variable news;
  PlayoutStage wanted = PlayoutStage::nothing, reached = PlayoutStage::nothing;   // stages of the playout form
  bool playout_done = false;   // compilation of the playout form has succeeded or failed
  CompilerWork playout_work;   // estimated work; set if the cache does not contain the code
  std::deque<ir::FunctionIndex> steps_wanted;

  std::unique_ptr<CompilingEngine> owned;   // used by the thread only, until it is published
  std::atomic<CompilingEngine*> playout{nullptr};   // set when playouts are compiled
  struct Step {
    std::atomic<std::uint8_t> runs{0};
    std::atomic<CompilingEngine*> code{nullptr};
  };
  std::vector<Step> steps;

  bool is_stopped() const { return stop.load(std::memory_order_relaxed); }
  void give_up() {
    const std::lock_guard lock(mutex);
    stop = true;
    news.notify_all();
  }
  void fail() {
    const std::lock_guard lock(mutex);
    playout_done = true;
    news.notify_all();
  }
};

// The running compiler threads.
class Threads {
 public:
  static Threads& all() {
    static Threads* const threads = new Threads;   // never destroyed, because threads can outlive static objects
    return *threads;
  }
  void start(const std::shared_ptr<Job>& job) {
    const std::lock_guard lock(mutex_);
    if (ending_) return job->fail();
    threads_.remove_if([](One& one) { return *one.ended && (one.join(), true); });
    One& one = threads_.emplace_back();
    one.job = job;
    try {
      one.thread = std::thread([job, ended = one.ended] {
        work(*job);
        *ended = true;
      });
    } catch (const std::system_error&) {   // no thread is available, so the interpreter continues
      threads_.pop_back();
      job->fail();
    }
  }
  void give_up(const std::shared_ptr<Job>& job) {
    job->give_up();
    if (!never_waits_) join([&](const One& one) { return one.job == job; });
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (One& one : threads_) one.job->give_up();
    for (One& one : threads_) one.join();
    threads_.clear();
  }
  bool any() {
    const std::lock_guard lock(mutex_);
    return std::any_of(threads_.begin(), threads_.end(), [](const One& one) { return !*one.ended; });
  }
  void never_wait() { never_waits_ = true; }

 private:
  struct One {
    std::shared_ptr<Job> job;
    std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
    std::thread thread;
    pid_t process = getpid();

    void join() {
      if (process == getpid())
        thread.join();
      else
        thread.detach();   // after a fork, the child process does not have the thread
    }
  };
  template <class F>
  void join(F which) {
    std::list<One> chosen;
    {
      const std::lock_guard lock(mutex_);
      for (auto one = threads_.begin(); one != threads_.end();) {
        const auto next = std::next(one);
        if (which(*one)) chosen.splice(chosen.end(), threads_, one);
        one = next;
      }
    }
    for (One& one : chosen) one.join();
  }
  static void work(Job& job);
  static bool open_compiler(Job& job);

  std::mutex mutex_;
  std::list<One> threads_;
  bool ending_ = false;
  std::atomic<bool> never_waits_{false};
};

// Ends the compiler threads when the process ends. As a thread_local object, it is destroyed before all static objects.
struct AtExit {
  ~AtExit() {
    if (getpid() == gettid()) Threads::all().end();
  }
};

bool Threads::open_compiler(Job& job) {
  std::string why;
  if (!jit_is_available(&why)) {
    std::fprintf(stderr, "cardwright: JIT not available (%s); using the slower interpreter\n", why.c_str());
    return false;
  }
  JitOptions options;
  options.stop = &job.stop;
  try {
    job.owned = make_compiler(*job.program, options);
  } catch (const Error& error) {
    std::fprintf(stderr, "cardwright: %s; using the slower interpreter\n", error.what());
  }
  return job.owned != nullptr;
}

void Threads::work(Job& job) {
  const bool opened = open_compiler(job);
  std::unique_lock lock(job.mutex);
  while (!job.is_stopped()) {
    if (job.wanted > job.reached && !job.playout_done) {
      const PlayoutStage stage = job.wanted;
      lock.unlock();
      std::string error;
      const bool there =
          opened && (stage == PlayoutStage::compile ? job.owned->prepare_playout(error) : job.owned->find_playout());
      if (there) job.playout.store(job.owned.get(), std::memory_order_release);
      const CompilerWork work =
          opened && !there && stage == PlayoutStage::find ? job.owned->playout_work() : CompilerWork{};
      lock.lock();
      job.playout_done = there || !opened || stage == PlayoutStage::compile;
      job.playout_work = work;
      job.reached = stage;
      job.news.notify_all();
    } else if (!job.steps_wanted.empty()) {
      const ir::FunctionIndex function = job.steps_wanted.front();
      job.steps_wanted.pop_front();
      lock.unlock();
      std::string error;
      if (opened && job.owned->prepare_step(function, error))
        job.steps[function].code.store(job.owned.get(), std::memory_order_release);
      lock.lock();
    } else {
      job.news.wait(lock);
    }
  }
}

class Background final : public BackgroundEngine {
 public:
  explicit Background(std::shared_ptr<const Program> program)
      : BackgroundEngine(*program),
        job_(std::make_shared<Job>(std::move(program))),
        interpreter_(make_interpreter(this->program())) {
    static thread_local AtExit at_exit;
    (void)&at_exit;
  }
  ~Background() override { Threads::all().give_up(job_); }

  bool is_compiled() const override { return job_->playout.load(std::memory_order_acquire) != nullptr; }

  bool wait_for_compiler(double seconds) override {
    std::unique_lock lock(job_->mutex);
    return job_->news.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return job_->playout_done; });
  }

  void leave_to_host(bool on) override { hosts_ += on ? 1 : -1; }
  bool was_compiled() override {
    const auto cache = DiskCache::open();
    return cache && cache->load("compiled", compiled_mark(program()));
  }
  CompilerWork least_work() override {
    const std::size_t size = interpreter_->playout_size();
    CompilerWork work = compiler_work(size, !program().plain && passes::is_small(size));
    work.threads = parts_of(size + size / 8);   // compiling can slightly increase the code size
    return work;
  }
  void find_playout() override { want_playout(PlayoutStage::find); }
  void compile_playout() override { want_playout(PlayoutStage::compile); }
  std::optional<CompilerWork> playout_work() override {
    const std::lock_guard lock(job_->mutex);
    return job_->reached == PlayoutStage::find && !job_->playout_done ? std::optional(job_->playout_work)
                                                                      : std::nullopt;
  }

  Status playout(cardwright::Game& g, Byte* s) override { return engine_of_playouts(g).playout(g, s); }
  Status play_game(cardwright::Game& g, Byte* s, Word run, Word game_index) override {
    return engine_of_playouts(g).play_game(g, s, run, game_index);
  }

  Status call(cardwright::Game& g, Byte* s, ir::FunctionIndex function, std::span<const Int> arguments,
              Int* result) override {
    return interpreter_->call(g, s, function, arguments, result);
  }

  Status run_top(cardwright::Game& g, Byte* s) override {
    const ir::FunctionIndex function =
        program().waits[static_cast<std::size_t>(frame_wait(s, top_frame(s, program().layout)))];
    Job::Step& step = job_->steps[function];
    if (CompilingEngine* const compiled = step.code.load(std::memory_order_acquire)) return compiled->run_top(g, s);
    if (step.runs.load(std::memory_order_relaxed) < kOften && ++step.runs == kOften) want_step(function);
    return interpreter_->run_top(g, s);
  }

 private:
  Engine& engine_of_playouts(const cardwright::Game& g) {
    if (g.trace != nullptr || g.log != nullptr) return *interpreter_;
    if (CompilingEngine* const compiled = job_->playout.load(std::memory_order_acquire)) return *compiled;
    const bool counts =
        hosts_.load(std::memory_order_relaxed) == 0 && playouts_.load(std::memory_order_relaxed) < kPlayouts;
    if (counts && ++playouts_ == kPlayouts) want_playout(PlayoutStage::compile);
    return *interpreter_;
  }
  void want_playout(PlayoutStage stage) {
    {
      const std::lock_guard lock(job_->mutex);
      job_->wanted = std::max(job_->wanted, stage);
      job_->news.notify_all();
    }
    start();
  }
  void want_step(ir::FunctionIndex function) {
    {
      const std::lock_guard lock(job_->mutex);
      job_->steps_wanted.push_back(function);
      job_->news.notify_all();
    }
    start();
  }
  void start() {
    std::call_once(started_, [this] { Threads::all().start(job_); });
  }

  const std::shared_ptr<Job> job_;
  const std::unique_ptr<Interpreter> interpreter_;
  std::atomic<std::uint8_t> playouts_{0};
  std::atomic<int> hosts_{0};   // number of hosts that decide when to compile
  std::once_flag started_;
};

}   // namespace

std::unique_ptr<BackgroundEngine> make_background_engine(std::shared_ptr<const Program> program) {
  expect_compiler(*program);
  return std::make_unique<Background>(std::move(program));
}

bool compiles_in_background() { return Threads::all().any(); }
void never_wait_for_compilers() { Threads::all().never_wait(); }

}   // namespace cardwright::api
