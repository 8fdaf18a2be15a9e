#!/usr/bin/env python3
"""Measures how long runs of `simulate` take with each engine, and compares --engine auto with the better of the others.

    tools/bench/auto.py [--command PATH] [--games G,G] [--lengths N,N] [--threads T,T] [--runs R] [--most SECONDS]
                        [GAME ...]

Prints wall-clock seconds, the minimum of several runs. The engines run alternately: once with a cold cache (which
contains only the compiled rules, without code of the JIT), and once with a warm cache. Runs that would take longer than
--most are skipped.
Marks the rows in which auto takes more than 1.3 times as long. The exit code is 1 if there are such rows.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "tests/rulesets/small"
GAMES = ["kuhn_poker", "tic_tac_toe", "crazy_eights", "gin_rummy", "splash", "panic_fire",
         *(str(RULES / f"{name}.rules") for name in ("kept", "queues", "given", "handfuls", "trips"))]
ENGINES = ("interp", "jit", "auto")
LIMIT = 1.3


def seconds(command, game, games, threads, engine, cache, most):
    words = [command, "simulate", game, "--games", str(games), "--threads", str(threads), "--engine", engine]
    begin = time.monotonic()
    run = subprocess.Popen(words, env={**os.environ, "CARDWRIGHT_CACHE": cache}, stdout=subprocess.DEVNULL)
    # Popen.wait(timeout) polls only every 50 ms, which is longer than many of these runs
    stop = threading.Timer(most, run.kill) if most else None
    if stop:
        stop.start()
    code = run.wait()
    taken = time.monotonic() - begin
    if stop:
        stop.cancel()
    if code == -signal.SIGKILL:
        return None
    if code:
        sys.exit(f"{' '.join(words)}: ended with {code}")
    return taken


def forget_code(cache):
    """Removes the code of the JIT from the cache, but not the compiled rules."""
    for file in list(pathlib.Path(cache).rglob("*")):
        if file.suffix in (".playout", ".step", ".compiled"):
            file.unlink()


def measure(options, game, games, threads, warm):
    cache = tempfile.mkdtemp()
    best = {}
    try:
        seconds(options.command, game, 1, 1, "jit" if warm else "interp", cache, None)
        for _ in range(options.runs):
            for engine in ENGINES:
                if not warm:
                    forget_code(cache)
                taken = seconds(options.command, game, games, threads, engine, cache, options.most)
                if taken is not None:
                    best[engine] = min(taken, best.get(engine, taken))
    finally:
        shutil.rmtree(cache)
    return best


def main():
    numbers = lambda text: [int(n) for n in text.split(",")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--command", default=str(ROOT / "build/release/bin/cardwright"))
    parser.add_argument("--lengths", type=numbers, default=[100, 1_000, 6_000, 30_000, 200_000, 1_000_000])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--most", type=float, default=5)
    options = parser.parse_args()
    print("| game | games | threads | code | interp | jit | auto | auto / better |\n|---|---:|---:|---|---:|---:|---:|---:|")
    too_long = 0
    for game in options.games:
        for games in options.lengths:
            for threads in options.threads:
                for warm in (False, True):
                    best = measure(options, game, games, threads, warm)
                    others = [best[e] for e in ("interp", "jit") if e in best]
                    if not others or "auto" not in best:
                        continue
                    ratio = best["auto"] / min(others)
                    too_long += ratio > LIMIT
                    shown = " | ".join(f"{best[e]:.3f}" if e in best else f"> {options.most:g}" for e in ENGINES)
                    print(f"| {pathlib.Path(game).stem} | {games} | {threads} | {'cached' if warm else 'new'} | {shown} | "
                          f"{ratio:.2f}{' !' if ratio > LIMIT else ''} |", flush=True)
    print(f"\n{too_long} runs of `auto` took too long")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
