// Creates the texts of questions: the prompt of the rules or, if there is none, a list of the possible actions. Pure
// functions.
import type { ActionInfo, Ask, PendingQuestion, Description, Option } from "./protocol";

const kMaxListed = 3; // maximum number of actions to list; for more, the text is "choose"

// Returns the text of an action. All cards count as one action, and built-in actions have no name in the rules.
function actionText(action: ActionInfo): string {
  switch (action.kind) {
    case "play":
      return "play a card";
    case "pick":
    case "choose":
    case "one_of":
      return "choose";
    case "yes_no":
      return "choose yes or no";
    case "done":
      return "finish";
    case "pass":
      return action.words === "no" ? "decline" : action.words;
    case "use":
      return action.words;
  }
}

export const joinWithOr = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}` : (words[0] ?? "");

// Returns the common words of several sentences, with "…" for the differences: "Steal from …, as a Rogue".
export function sharedWords(all: readonly string[]): string {
  const tokens = all.map((words) => words.match(/\s*(?:[\p{L}\p{N}_'’-]+|\S)/gu) ?? []);
  const shared = tokens.reduce<string[]>((common, more, i) => (i ? longestCommon(common, more) : [...more]), []);
  const out: string[] = [];
  let gap = false;
  let at = 0;
  for (const token of tokens[0] ?? []) {
    if (at < shared.length && shared[at].trim() === token.trim()) {
      out.push(...(gap ? [out.length ? " …" : "…"] : []), token);
      gap = false;
      ++at;
    } else gap = true;
  }
  return [...out, ...(gap ? [" …"] : [])].join("").trim();
}

// Returns the longest common subsequence of two word lists.
function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  const same = (i: number, j: number): boolean => a[i].trim() === b[j].trim();
  const longest = a
    .map(() => new Array<number>(b.length + 1).fill(0))
    .concat([new Array<number>(b.length + 1).fill(0)]);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      longest[i][j] = same(i, j) ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const out: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (same(i, j)) {
      out.push(a[i]);
      ++i;
      ++j;
    } else if (longest[i + 1][j] >= longest[i][j + 1]) ++i;
    else ++j;
  }
  return out;
}

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const plain = (name: string): string => name.replaceAll("_", " ");

export interface QuestionText {
  text: string;
  window: string; // name of the window, if it adds information to the text
}

// Removes the player's own seat from names of area parts: "Light 1" instead of "Light 1 of a", or of the player's name.
export function withoutOwnSeat(option: Option, seat: number, { seats }: Pick<Description, "seats">, name = ""): Option {
  const endings = [name, seats[seat]].filter(Boolean).map((called) => ` of ${called}`);
  let { words } = option;
  const parts = option.parts.map((part) => {
    const ending = endings.find((one) => part.words.endsWith(one));
    if (part.area === undefined || part.owner !== seat || !ending) return part;
    const short = part.words.slice(0, -ending.length);
    words = words.replace(part.words, () => short);
    return { ...part, words: short };
  });
  return words === option.words ? option : { ...option, words, parts };
}

// Matches window names that give the player no information.
const kCommonWindowNames = /^(main|act|action|move|turn|play|phase)$/i;

// Returns the text of the player's own question. "You may" or "Your turn" precedes it.
export function questionText(question: Ask, asked: PendingQuestion | null, { actions }: Description): QuestionText {
  const prompt = question.prompt || (asked?.seat === question.seat || asked?.all ? asked.words : "");
  if (prompt) return { text: prompt, window: "" };
  const offered = [...new Set(question.options.map((option) => option.action))].map((action) => actions[action]);
  const passes = offered.filter((action) => action?.kind === "pass");
  const all = [...offered.filter((action) => action?.kind !== "pass"), ...passes];
  const listed = [...new Set(all.flatMap((action) => (action ? [actionText(action)] : [])))];
  const isShort = listed.length > 0 && listed.length <= kMaxListed;
  const text = isShort ? joinWithOr(listed) : question.race ? "act" : "choose";
  const window = plain(question.window);
  const same = text.toLowerCase().split(/[ ,]+/).includes(window.toLowerCase());
  return {
    text: question.race ? text : capitalize(text),
    window: same || kCommonWindowNames.test(window) ? "" : window,
  };
}

// Returns the text of another player's question, as all players can know it.
export function waitingText(asked: PendingQuestion, name: string, ownTurn: boolean): string {
  if (asked.words) return `${name} is asked: ${asked.words}`;
  return ownTurn ? `it is ${name}’s turn` : `waiting for ${name}`;
}
