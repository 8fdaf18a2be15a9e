#!/usr/bin/env python3
"""Recounts two measures of Crazy Eights and one of Splash, using only a trace.

    recount.py CARDWRIGHT FOLDER

plays some games with `simulate --trace`, and compares the counts in the lines of the trace with those of `--measure`.
Prints each difference. The exit code is 1 if there is one.
"""
import json
import subprocess
import sys
from collections import Counter


def played(command, folder, game, measures):
    trace = f"{folder}/{game}.jsonl"
    arguments = [command, "simulate", game, "--games", "150", "--seed", "7", "--json", "--trace", trace]
    for name in measures:
        arguments += ["--measure", name]
    report = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    with open(trace) as lines:
        decisions = [json.loads(line) for line in lines]
    cells = {m["name"]: {tuple(c["keys"]): c for c in m["cells"]} for m in reversed(report["measures"])}
    return [d for d in decisions if "decision" in d], cells


def patched(state, changes):
    """Returns the state after a line that contains only changes (JSON Patch, as far as a trace uses it)."""
    for change in changes:
        *way, last = change["path"].split("/")[1:]
        at = state
        for step in way:
            at = at[int(step) if isinstance(at, list) else step]
        key = int(last) if isinstance(at, list) else last
        if change["op"] == "remove":
            del at[key]
        else:
            at[key] = change["value"]
    return state


def chosen(line):
    return line["chosen"] if "chosen" in line else line["options"][line["choice"]]


def offered(line):
    return [option["action"] for option in line.get("options", [])]


def find(state, name):
    """Returns the value with this name at any depth of the state."""
    if isinstance(state, dict):
        if name in state:
            return state[name]
        for inner in state.values():
            found = find(inner, name)
            if found is not None:
                return found
    return None


def eights(decisions):
    """Counts the suits named by eights, all turns, and the turns that begin without a playable card."""
    named, turns, stuck, last, state = Counter(), 0, 0, None, None
    for i, line in enumerate(decisions):
        state = line["state"] if "state" in line else patched(state, line["changes"])
        turn = (line["game"], find(state, "turn_number"))
        if turn != last:
            turns, stuck, last = turns + 1, stuck + ("play" not in offered(line)), turn
        option = chosen(line)
        if option["action"] != "play" or not option["words"].startswith("Play eight of "):
            continue
        after = decisions[i + 1] if i + 1 < len(decisions) else None
        names = after and after["game"] == line["game"] and chosen(after)["action"] == "choose"
        named[chosen(after)["arguments"]["choice"] if names else option["words"].removeprefix("Play eight of ")] += 1
    return named, turns, stuck


def main():
    command, folder = sys.argv[1:3]
    differences = []

    def check(what, counted, again):
        if int(counted) != again:
            differences.append(f"{what}: {counted} were counted, and the trace has {again}")

    decisions, cells = played(command, folder, "crazy_eights", ["named", "stuck"])
    named, turns, stuck = eights(decisions)
    for keys, cell in cells["named"].items():
        check(f"eights that name {keys[0]}", cell["sum"], named[keys[0]])
    check("turns in which nothing fits", cells["stuck"][()]["sum"], stuck)
    check("turns", cells["stuck"][()]["of"], turns)

    decisions, cells = played(command, folder, "splash", ["splashes"])
    again = sum(chosen(line)["action"] == "play Splash" for line in decisions)
    check("plays of Splash", cells["splashes"][()]["sum"], again)
    print("\n".join(differences) or "equal")
    sys.exit(bool(differences))


main()
