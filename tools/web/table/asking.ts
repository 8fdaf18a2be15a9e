// A question in words: the rules' own prompt, or else what may be done. Pure.
import type { ActionInfo, Ask, Asked, Description, Option } from "./protocol";

const kNamed = 3; // different things to do that are named; more are "choose"

// Cards are one thing to do, however many of them there are; what is built in has no name of the rules'.
function doing(action: ActionInfo): string {
  switch (action.kind) {
    case "play":
      return "play a card";
    case "pick":
    case "choose":
    case "one_of":
      return "choose";
    case "yes_no":
      return "say yes or no";
    case "done":
      return "be done";
    case "pass":
      return action.words === "no" ? "leave it" : action.words;
    case "use":
      return action.words;
  }
}

export const listed = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}` : (words[0] ?? "");

// What sentences have in common, "…" for what differs: "Steal from …, as a Rogue".
export function shared_words(all: readonly string[]): string {
  const tokens = all.map((words) => words.match(/\s*(?:[\p{L}\p{N}_'’-]+|\S)/gu) ?? []);
  const shared = tokens.reduce<string[]>((common, more, i) => (i ? in_both(common, more) : [...more]), []);
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

// The longest row of words that both have, in order.
function in_both(a: readonly string[], b: readonly string[]): string[] {
  const same = (i: number, j: number): boolean => a[i].trim() === b[j].trim();
  const longest = a
    .map(() => new Array<number>(b.length + 1).fill(0))
    .concat([new Array<number>(b.length + 1).fill(0)]);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      longest[i][j] = same(i, j) ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const out: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (same(i, j)) (out.push(a[i++]), ++j);
    else if (longest[i + 1][j] >= longest[i][j + 1]) ++i;
    else ++j;
  }
  return out;
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const plain = (name: string): string => name.replaceAll("_", " ");

export interface Words {
  text: string;
  window: string; // where the rules name it and the text says something else
}

// Parts of areas that are mine are called so without me: "Light 1", not "Light 1 of a".
export function of_mine(option: Option, seat: number, { seats }: Pick<Description, "seats">): Option {
  const ending = ` of ${seats[seat]}`;
  let { words } = option;
  const parts = option.parts.map((part) => {
    if (part.area === undefined || part.owner !== seat || !part.words.endsWith(ending)) return part;
    const short = part.words.slice(0, -ending.length);
    words = words.replace(part.words, () => short);
    return { ...part, words: short };
  });
  return words === option.words ? option : { ...option, words, parts };
}

// Names of windows that every game could have.
const kSaysNothing = /^(main|act|action|move|turn|play|phase)$/i;

// What is asked of me. "You may" and "Your turn" stand before it.
export function question_words(question: Ask, asked: Asked | null, { actions }: Description): Words {
  const prompt = question.prompt || (asked?.seat === question.seat || asked?.all ? asked.words : "");
  if (prompt) return { text: prompt, window: "" };
  const offered = [...new Set(question.options.map((option) => option.action))].map((action) => actions[action]);
  const passes = offered.filter((action) => action?.kind === "pass");
  const all = [...offered.filter((action) => action?.kind !== "pass"), ...passes];
  const things = [...new Set(all.flatMap((action) => (action ? [doing(action)] : [])))];
  const few = things.length > 0 && things.length <= kNamed;
  const text = few ? listed(things) : question.race ? "act" : "choose";
  const window = plain(question.window);
  const same = text.toLowerCase().split(/[ ,]+/).includes(window.toLowerCase());
  return { text: question.race ? text : sentence(text), window: same || kSaysNothing.test(window) ? "" : window };
}

// What somebody else is asked, as everybody may read it.
export function waiting_words(asked: Asked, name: string, own_turn: boolean): string {
  if (asked.words) return `${name} is asked: ${asked.words}`;
  return own_turn ? `it is ${name}’s turn` : `${name} is to answer`;
}
