// Tests runs on many machines: the Slurm script, the tasks that it creates, and the ranks of an MPI job.
// tests/cluster/slurm contains tests with a real Slurm.
#include <catch2/catch.hpp>

#include "tests/support/command.h"

using namespace cardwright::test;

TEST_CASE("cli: cluster script prints a job array and a merging job", "[cli][cluster]") {
  const Ran ran = run("cluster script splash --games 1e12 --tasks 256 --at-once 64 --seed 7");
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "#SBATCH --array=0-255%64\n"));
  CHECK(has(ran.out, "#SBATCH --requeue\n"));
  CHECK(has(ran.out, "#SBATCH --signal=B:USR1@120\n"));
  CHECK(has(ran.out, "simulate splash --games 1e12 --seed 7 \\\n"));
  CHECK(has(ran.out, "--shard auto --resume -o parts/\"$SLURM_ARRAY_TASK_ID\".json"));
  CHECK(has(ran.out, "--dependency=afterany"));
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/run.sh") << ran.out;
  CHECK(std::system(("bash -n " + folder.path() + "/run.sh").c_str()) == 0);
  CHECK(has(run("cluster script compare splash --with snorkel=icon20 --folder 'my parts'").out, "mkdir -p 'my parts'"));
}

TEST_CASE("cli: cluster script rejects what its tasks would reject", "[cli][cluster]") {
  for (const auto& [arguments, message] :
       {std::pair("cluster script", "missing command for the tasks"),
        std::pair("cluster script splash --gams 3", "--gams"),
        std::pair("cluster script nothing_like_it", "unknown game"),
        std::pair("cluster script splash --threads 3", "`--threads` cannot be given"),
        std::pair("cluster script splash --policy bots:0.2s", "depends on the speed of the machine"),
        std::pair("cluster script splash --with nosuch", "unknown option or variant `nosuch`"),
        std::pair("cluster script splash --policy nosuch", "has no policy `nosuch`"),
        std::pair("cluster script splash --games 0", "the run has no games"),
        std::pair("cluster script splash --measure nosuch", "no measure `nosuch`"),
        std::pair("cluster script splash --players 40", "--players"),
        std::pair("cluster script compare splash --with nosuch", "unknown option or variant `nosuch`"),
        std::pair("cluster script compare splash --with self_target=off --pairs 9", "too few"),
        std::pair("cluster script skill tic_tac_toe --ladder uniform", "at least two policies"),
        std::pair("cluster script splash --tasks 0", "--tasks"), std::pair("cluster", "subcommand")}) {
    const Ran ran = run(arguments);
    INFO(arguments << ": " << ran.err);
    CHECK(ran.code == 2);
    CHECK(has(ran.err, message));
  }
}

TEST_CASE("cli: the merged tasks of an array equal a single run", "[cli][cluster]") {
  const TemporaryFolder folder;
  const std::string at = folder.path() + "/", what = "simulate splash --games 700 --engine interp ";
  CHECK(run(what + "-o " + at + "whole").code == 0);
  for (int task = 3; task < 7; ++task) {
    const std::string id = std::to_string(task),
                      environment = "SLURM_ARRAY_TASK_ID=" + id + " SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=3 ";
    CHECK(std::system(
              (environment + program() + " " + what + "--shard auto -o " + at + id + ".json >/dev/null").c_str()) == 0);
  }
  CHECK(run("merge " + at + "*.json -o " + at + "merged").code == 0);
  CHECK((slurp(at + "merged") == slurp(at + "whole")));
}

TEST_CASE("cli: the ranks of an MPI job equal a single run", "[cli][cluster]") {
  const std::string mpi = program() + "-mpi";
  if (!std::filesystem::exists(mpi) || std::system("command -v mpirun >/dev/null") != 0) {
    WARN("no cardwright-mpi: Open MPI (libopenmpi-dev, openmpi-bin) is not installed");
    return;
  }
  const TemporaryFolder folder;
  const std::string at = folder.path() + "/";
  const auto ranks = [&](const std::string& what) {
    const std::string command =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 4 " + mpi + " " + what +
        " -o " + at + "mpi >/dev/null 2>" + at + "err";
    const int status = std::system(command.c_str());
    INFO(slurp(at + "err"));
    CHECK(status == 0);
    CHECK(run(what + " -o " + at + "whole").code == 0);
    CHECK((slurp(at + "mpi") == slurp(at + "whole")));
  };
  ranks("simulate splash --games 3000 --engine interp");
  ranks("compare splash --with snorkel=icon20 --pairs 600 --engine interp");
}
