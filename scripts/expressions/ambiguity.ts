import { type AST, RegExpParser } from '@eslint-community/regexpp';

/**
 * Finds repetitions that can match the same text in two ways. A backtracking engine then tries exponentially many ways
 * before it fails. Causes are an alternative that occurs twice in a repeated group (`(?:bom|dia|bom)*`), and one that
 * consists of others (`o envio` beside `o` and `envio`).
 *
 * Each outermost unbounded repetition becomes an automaton of its characters (Glushkov's construction), and two walks
 * over it are followed in parallel. If they can diverge and meet again at a position on a loop, the repetition is
 * exponentially ambiguous, and otherwise it is not. Lookarounds inside a repetition are ignored, which only enlarges
 * the set of matched texts, so that nothing is missed; their bodies are examined as separate expressions.
 */
export interface Ambiguity {
  /** The repetition. */
  readonly repetition: string;
  /** A text that the repetition matches in two ways. */
  readonly text: string;
}

/** The code units that a character of an expression matches. */
type Matches = Uint8Array;

/** Positions by number. The count of an edge is the number of ways from one position to the next. */
interface Part {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const CODE_UNITS = 0x1_0000;
const known = new Map<string, Matches>();

/** Exact for the basic plane. Classes by `\p{…}` that overlap beyond it also overlap in the basic plane. */
const matchesOf = (source: string, flags: string): Matches => {
  const key = `${flags}/${source}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const pattern = new RegExp(`^(?:${source})$`, flags);
  const matches = new Uint8Array(CODE_UNITS);
  for (let unit = 0; unit < CODE_UNITS; unit += 1) matches[unit] = pattern.test(String.fromCharCode(unit)) ? 1 : 0;
  known.set(key, matches);
  return matches;
};

const common = new Map<Matches, Map<Matches, string | null>>();

/** Printable characters come first, so that the printed example is readable. */
const findCommon = (a: Matches, b: Matches): string | null => {
  for (let unit = 0x20; unit < CODE_UNITS + 0x20; unit += 1) {
    const at = unit % CODE_UNITS;
    if (a[at] === 1 && b[at] === 1) return String.fromCharCode(at);
  }
  return null;
};

const commonCharacter = (a: Matches, b: Matches): string | null => {
  const ofA = common.get(a) ?? new Map<Matches, string | null>();
  common.set(a, ofA);
  const before = ofA.get(b);
  if (before !== undefined) return before;
  const found = findCommon(a, b);
  ofA.set(b, found);
  return found;
};

class Automaton {
  readonly places: Matches[] = [];
  /** `follow.get(a).get(b)` is the number of ways in which b may follow a. */
  readonly follow = new Map<number, Map<number, number>>();
  readonly #flags: string;

  constructor(flags: string) {
    this.#flags = flags;
  }

  readRepetition(quantifier: AST.Quantifier): Part {
    return this.#repeated(quantifier, true);
  }

  read(node: AST.QuantifiableElement | AST.Element): Part {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#either(node.alternatives.map((alternative) => this.#sequence(alternative.elements)));
      case 'Quantifier':
        return this.#repeated(node);
      case 'Assertion': {
        const isEdge = (node.kind === 'start' || node.kind === 'end') && !this.#flags.includes('m');
        return isEdge ? NOTHING_BEYOND : EMPTY;
      }
      case 'Backreference': {
        // A back reference matches a text like that of its group, so only the characters of the group count.
        const group = Array.isArray(node.resolved) ? node.resolved[0]! : node.resolved;
        return this.read(group);
      }
      default:
        return this.#character(node.raw);
    }
  }

  #character(source: string): Part {
    const place = this.places.push(matchesOf(source, this.#flags)) - 1;
    return { nullable: false, first: [place], last: [place] };
  }

  #either(parts: readonly Part[]): Part {
    return {
      nullable: parts.some(({ nullable }) => nullable),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  }

  #sequence(elements: readonly AST.Element[]): Part {
    return elements.map((element) => this.read(element)).reduce((a, b) => this.#then(a, b), EMPTY);
  }

  #then(a: Part, b: Part): Part {
    this.#connect(a.last, b.first);
    return {
      nullable: a.nullable && b.nullable,
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const a of from) {
      const ways = this.follow.get(a) ?? new Map<number, number>();
      for (const b of to) ways.set(b, (ways.get(b) ?? 0) + 1);
      this.follow.set(a, ways);
    }
  }

  /** With `endless` a counted repetition is treated as unbounded. */
  #repeated({ element, min, max }: AST.Quantifier, endless = max === Number.POSITIVE_INFINITY): Part {
    if (endless) {
      // The required repetitions come before the loop and do not change it.
      const loop = this.read(element);
      this.#connect(loop.last, loop.first);
      return min === 0 ? { ...loop, nullable: true } : loop;
    }
    // Optional repetitions are nested, because an engine tries the second only after the first.
    let whole = EMPTY;
    for (let time = max; time >= 1; time -= 1) {
      const once = this.#then(this.read(element), whole);
      whole = time > min ? { ...once, nullable: true } : once;
    }
    return whole;
  }
}

const EMPTY: Part = { nullable: true, first: [], last: [] };
/** At the edge of the text no further character is matched. */
const NOTHING_BEYOND: Part = { nullable: false, first: [], last: [] };

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly text: string;
  readonly apart: boolean;
}

/**
 * Follows pairs of walks from (start, start) and returns a text after which both are at `start` again and were at
 * different positions in between. All positions of a repetition lie on one loop, so one start is enough.
 */
const twoWaysBack = (automaton: Automaton, start: number): string | null => {
  const { places, follow } = automaton;
  const seen = new Set<number>();
  const queue: Pair[] = [{ a: start, b: start, text: '', apart: false }];
  for (const { a, b, text, apart } of queue) {
    for (const [nextA, waysA] of follow.get(a) ?? []) {
      for (const [nextB, waysB] of follow.get(b) ?? []) {
        // One of two symmetric pairs is enough. Two ways over one edge count as two walks.
        const parts = apart || nextA !== nextB || (a === b && waysA * waysB > 1);
        const key = (nextA * places.length + nextB) * 2 + (parts ? 1 : 0);
        if (seen.has(key)) continue;
        const character = commonCharacter(places[nextA]!, places[nextB]!);
        if (character === null) continue;
        seen.add(key);
        if (parts && nextA === start && nextB === start) return text + character;
        queue.push({ a: nextA, b: nextB, text: text + character, apart: parts });
      }
    }
  }
  return null;
};

const isOneCharacter = ({ element }: AST.Quantifier): boolean =>
  element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass';

/**
 * Returns the outermost repetitions, also those in the bodies of lookarounds. A counted repetition is examined like an
 * unbounded one, because twelve words with two ways each already cause thousands of attempts at every position of a
 * text.
 */
const outermostRepetitions = (node: AST.Node, found: AST.Quantifier[] = []): AST.Quantifier[] => {
  if (node.type === 'Quantifier') {
    if (node.max > 1 && !isOneCharacter(node)) found.push(node);
    else outermostRepetitions(node.element, found);
  } else if ('alternatives' in node) {
    for (const alternative of node.alternatives) outermostRepetitions(alternative, found);
  } else if (node.type === 'Alternative') {
    for (const element of node.elements) outermostRepetitions(element, found);
  }
  return found;
};

/** Returns the lookarounds inside a repetition, whose bodies its automaton ignores. */
const lookaroundsIn = (node: AST.Node, found: AST.LookaroundAssertion[] = []): AST.LookaroundAssertion[] => {
  if (node.type === 'Assertion' && 'alternatives' in node) found.push(node);
  else if (node.type === 'Quantifier') lookaroundsIn(node.element, found);
  else if (node.type === 'Alternative') for (const element of node.elements) lookaroundsIn(element, found);
  else if ('alternatives' in node) for (const alternative of node.alternatives) lookaroundsIn(alternative, found);
  return found;
};

const withFlags = (flags: string): string => flags.replace(/[dgy]/g, '');

const judged = new Map<string, string | null>();

const ambiguousText = (quantifier: AST.Quantifier, flags: string): string | null => {
  const key = `${flags}/${quantifier.raw}`;
  const before = judged.get(key);
  if (before !== undefined) return before;
  const automaton = new Automaton(flags);
  const [start] = automaton.readRepetition(quantifier).first;
  const text = start === undefined ? null : twoWaysBack(automaton, start);
  judged.set(key, text);
  return text;
};

export const findAmbiguities = (source: string, flags: string): Ambiguity[] => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const found: Ambiguity[] = [];
  const queue: AST.Quantifier[] = outermostRepetitions(pattern);
  for (const repetition of queue) {
    const text = ambiguousText(repetition, withFlags(flags));
    if (text !== null) found.push({ repetition: repetition.raw, text });
    for (const lookaround of lookaroundsIn(repetition))
      for (const alternative of lookaround.alternatives) outermostRepetitions(alternative, queue);
  }
  return found;
};
