/** The parts of an entry. `docs/agent.md` explains the notation to the people who edit the lists. */
export type Part =
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'blank' }
  /** Any further letters of a word (`mand*`), or at least one (`mand+`). */
  | { readonly kind: 'ending'; readonly source: string }
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'group'; readonly choices: readonly Sequence[] }
  | { readonly kind: 'repeat'; readonly choices: readonly Sequence[]; readonly count: string }
  /** A number of words of any kind, of which `except` excludes some. */
  | { readonly kind: 'gap'; readonly count: string; readonly except: readonly Sequence[] }
  | { readonly kind: 'condition'; readonly relation: Relation; readonly choices: readonly Sequence[] }
  /** The word may go on: no word edge is expected here. */
  | { readonly kind: 'open' }
  /** At most so many characters follow until the end of the text. */
  | { readonly kind: 'rest'; readonly most: string }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

export type Sequence = readonly Part[];

export type Relation = 'before' | 'not before' | 'after' | 'not after' | 'not' | 'later' | 'earlier';

/** Entries of plain words, which are most of them, need no parser. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/;

const COUNT = /\.\.\.|\d?\.\.\d+/;
const CONDITION = /<(?:not before|before|not after|after|not|later|earlier) |<at most \d+ letters more>/;
const TOKENS = new RegExp(`${COUNT.source}|##|${CONDITION.source}|\\{[a-z0-9-]+\\}|[a-z~]+|.`, 'gu');

const SINGLE: Readonly<Record<string, Part>> = {
  ' ': { kind: 'blank' },
  '*': { kind: 'ending', source: '\\w*' },
  '+': { kind: 'ending', source: '\\w+' },
  _: { kind: 'ending', source: '\\w+' },
  '#': { kind: 'text', source: '\\d' },
  '##': { kind: 'text', source: '\\d+' },
  '?': { kind: 'text', source: '\\?' },
  '…': { kind: 'open' },
  '^': { kind: 'start' },
  $: { kind: 'end' },
};

/** The quantifier that a count stands for: `...` any number of times, `..3` up to three, `1..3` one to three. */
const quantifierOf = (token: string | undefined, least: number): string | null => {
  if (token === '...') return least === 0 ? '*' : '+';
  const range = /^(\d?)\.\.(\d+)$/.exec(token ?? '');
  return range === null ? null : `{${range[1] === '' ? least : range[1]},${range[2]}}`;
};

const isText = (token: string): boolean =>
  (token >= 'a' && token < '{') || token.startsWith('~') || (token.length === 1 && token >= '0' && token <= '9');

class EntryParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(TOKENS) ?? [];
  }

  /** Reads alternatives up to the closing token, or up to the end of the entry when there is none. */
  choices(closing: string | undefined): Sequence[] {
    const found: Part[][] = [[]];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== closing) {
      if (this.#tokens[this.#at] === '|') {
        this.#at += 1;
        found.push([]);
      } else {
        found.at(-1)!.push(this.#part());
      }
    }
    if (closing !== undefined && this.#tokens[this.#at] !== closing) throw new Error(`"${closing}" is missing`);
    this.#at += 1;
    if (found.some((sequence) => sequence.length === 0)) throw new Error('a choice beside "|" or in brackets is empty');
    return found;
  }

  #part(): Part {
    const token = this.#tokens[this.#at]!;
    this.#at += 1;
    const single = SINGLE[token];
    if (single !== undefined) return single;
    if (isText(token)) return { kind: 'text', source: token };
    if (token === '(' || token === '[') return this.#bracket(token);
    if (token.length > 1 && token.startsWith('{')) return { kind: 'list', name: token.slice(1, -1) };
    if (token.startsWith('<at most ')) return { kind: 'rest', most: /\d+/.exec(token)![0] };
    if (token.length > 1 && token.startsWith('<')) {
      const relation = token.slice(1, -1) as Relation;
      return { kind: 'condition', relation, choices: this.choices('>') };
    }
    const words = quantifierOf(token, 0);
    if (words !== null) return { kind: 'gap', count: words, except: this.#exception() };
    if (/[\p{Lu}\p{Ll}]/u.test(token))
      throw new Error(`"${token}" must be a small letter without an accent, as messages are read`);
    throw new Error(`"${token}" has no meaning here`);
  }

  #bracket(opening: '(' | '['): Part {
    const inside = this.choices(opening === '(' ? ')' : ']');
    const count = quantifierOf(this.#tokens[this.#at], opening === '(' ? 1 : 0);
    if (count !== null) this.#at += 1;
    if (opening === '(' && count === null) return { kind: 'group', choices: inside };
    return { kind: 'repeat', choices: inside, count: count ?? '?' };
  }

  #exception(): Sequence[] {
    if (this.#tokens[this.#at] !== '<not ') return [];
    this.#at += 1;
    return this.choices('>');
  }
}

const isOptional = (part: Part): boolean => {
  if (part.kind === 'repeat' || part.kind === 'gap') return /^(?:[?*]|\{0)/.test(part.count);
  if (part.kind === 'group') return part.choices.some((choice) => choice.every(isOptional));
  return part.kind !== 'text' && part.kind !== 'ending' && part.kind !== 'list';
};

/** Turns the text of one entry into its parts. It throws an error that says what is wrong with the text. */
export const parseEntry = (text: string): readonly Sequence[] => {
  if (PLAIN.test(text)) return [[{ kind: 'text', source: text }]];
  const choices = new EntryParser(text).choices(undefined);
  if (choices.some((choice) => choice.every(isOptional)))
    throw new Error('nothing is required, so every text would match');
  return choices;
};
