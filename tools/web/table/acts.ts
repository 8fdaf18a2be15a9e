// Groups log entries into acts: a choice with the moves and changes that follow it, up to the next choice or message of
// the rules. Pure functions.
import type { Entry } from "./model";

export interface Act {
  head: Entry;
  more: Entry[]; // moves and changes
}

export function acts(log: readonly Entry[]): Act[] {
  const out: Act[] = [];
  for (const entry of log) {
    const follows = entry.news.k === "move" || entry.news.k === "change";
    const last = out[out.length - 1];
    if (follows && last?.head.news.k === "choice") last.more.push(entry);
    else out.push({ head: entry, more: [] });
  }
  return out;
}
