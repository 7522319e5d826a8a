import type { Part, Relation, Sequence } from './notation.ts';

/** Gives the alternatives of a named list, joined by `|`. */
export type ResolveList = (name: string) => string;

/** The source of an entry, and whether a word edge has to stand before and after it. */
export interface EntrySource {
  readonly source: string;
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
  /** The conditions on what follows. They stand behind the word edge at the end of the entry. */
  readonly conditions: string;
}

const CONDITIONS: Readonly<Record<Relation, string>> = {
  before: '(?=',
  'not before': '(?!',
  after: '(?<=',
  'not after': '(?<!',
  not: '(?!',
  later: '(?=.*',
  earlier: '(?<=',
};

const isCondition = (part: Part | undefined): boolean => part?.kind === 'condition';
const looksAhead = (part: Part | undefined): boolean =>
  part?.kind === 'condition' && (part.relation === 'before' || part.relation === 'not before');
/** True for conditions that concern the rest of the text and not the word beside them. */
const isDistant = (part: Part | undefined): boolean =>
  part?.kind === 'rest' ||
  (part?.kind === 'condition' && (part.relation === 'later' || part.relation === 'earlier')) ||
  (part?.kind === 'group' && part.choices.every(([first]) => isCondition(first)));
const looksBack = (part: Part | undefined): boolean =>
  part?.kind === 'condition' && (part.relation === 'after' || part.relation === 'not after');
/** True where no word edge can be expected: the word may go on, or there is no word (`?`, `~`). */
const isOpenEdge = (part: Part | undefined): boolean =>
  part === undefined || part.kind === 'open' || (part.kind === 'text' && /^(?:\\\?|~)$/.test(part.source));
const isWordEnd = (part: Part | undefined): boolean =>
  part === undefined || part.kind === 'blank' || part.kind === 'end' || part.kind === 'open';
const isLoose = (part: Part | undefined): boolean => part?.kind === 'repeat' || part?.kind === 'gap';

const group = (alternatives: string): string =>
  /^(?:[a-z ]|\\d|\[[a-z]+\])$/.test(alternatives) ? alternatives : `(?:${alternatives})`;

const BLANK: Part = { kind: 'blank' };

/** Creates what turns parsed entries into the source of regular expressions. */
export const createSourceMaker = (resolve: ResolveList) => {
  const alternatives = (choices: readonly Sequence[]): string => {
    const sources = choices.map((choice) => sequence(choice));
    return sources.length > 1 && sources.every((source) => source.length === 1 && source >= 'a' && source <= 'z')
      ? `[${sources.join('')}]`
      : sources.join('|');
  };

  /** Makes a lookahead or lookbehind. It ends at a word edge, unless its last word may go on (`…`). */
  const condition = ({ relation, choices }: Extract<Part, { kind: 'condition' }>, isApart: boolean): string => {
    const before = isApart && (relation === 'before' || relation === 'not before') ? [BLANK] : [];
    const isBack = relation === 'after' || relation === 'not after' || relation === 'earlier';
    const closed = choices.map((choice) => {
      const { source, isOpenBefore, isOpenAfter, conditions } = entry([...before, ...choice]);
      const start = (isBack || relation === 'later') && !isOpenBefore ? '\\b' : '';
      const end = (isBack && relation !== 'earlier') || isOpenAfter ? '' : '\\b';
      return { start, source, end: `${end}${conditions}` };
    });
    const after = relation === 'earlier' ? '.*' : isBack && isApart ? ' ' : '';
    const [first] = closed;
    if (closed.some(({ source }) => source === '^')) {
      // The beginning of the text has no blank behind it.
      const places = closed.map(({ source }) => (source === '^' ? source : source + after));
      return `${CONDITIONS[relation]}${places.join('|')})`;
    }
    const isUniform = closed.every(({ start, end }) => start === first!.start && end === first!.end);
    const isLed = before.length > 0 && closed.every(({ source }) => source.startsWith(' '));
    const sources = closed.map(({ source }) => (isLed ? source.slice(1) : source));
    const isOne = sources.length === 1 && choices[0]!.length > 1;
    const body = isUniform
      ? `${first!.start}${isLed ? ' ' : ''}${isOne ? sources[0] : group(sources.join('|'))}${first!.end}`
      : group(closed.map(({ start, source, end }) => `${start}${source}${end}`).join('|'));
    return `${CONDITIONS[relation]}${body}${after})`;
  };

  /** Makes something optional, together with the blank before or after it. */
  const loose = (part: Part, before: string, after: string): string => {
    if (part.kind === 'gap') {
      const except =
        part.except.length === 0 ? '' : condition({ kind: 'condition', relation: 'not', choices: part.except }, false);
      return `(?:${before}${except}\\w+${after})${part.count}`;
    }
    if (part.kind !== 'repeat') throw new Error('only something optional can be left out with its blank');
    const inside = alternatives(part.choices);
    const isList = part.choices[0]!.length === 1 && part.choices[0]![0]!.kind === 'list';
    const isPlain = (part.choices.length === 1 && !isList) || inside.startsWith('[');
    return before + after === '' || isPlain
      ? `${before + after === '' ? group(inside) : `(?:${before}${inside}${after})`}${part.count}`
      : `(?:${before}(?:${inside})${after})${part.count}`;
  };

  const single = (part: Part): string => {
    switch (part.kind) {
      case 'text':
      case 'ending':
        return part.source;
      case 'blank':
        return ' ';
      case 'list':
        return `(?:${resolve(part.name)})`;
      case 'group':
        return group(alternatives(part.choices));
      case 'repeat':
      case 'gap':
        return loose(part, '', '');
      case 'condition':
        return condition(part, false);
      case 'start':
        return '^';
      case 'end':
        return '$';
      case 'open':
        return '';
      case 'rest':
        return `(?=.{0,${part.most}}$)`;
    }
  };

  const sequence = (parts: Sequence): string => {
    const [only] = parts;
    if (parts.length === 1 && only!.kind === 'list') return resolve(only!.name);
    if (parts.length === 1 && only!.kind === 'condition') return condition(only!, true);
    let out = '';
    let hasBegun = false;
    for (let i = 0; i < parts.length; i += 1) {
      const part = parts[i]!;
      const next = parts[i + 1];
      const isApart = part.kind === 'blank' && isWordEnd(parts[i + 2]);
      if (isApart && isDistant(next)) {
        out += single(next!);
        i += 1;
      } else if (isApart && looksAhead(next)) {
        out += condition(next as Extract<Part, { kind: 'condition' }>, true);
        i += 1;
      } else if (isApart && isLoose(next)) {
        out += loose(next!, ' ', '');
        i += 1;
      } else if (!hasBegun && isLoose(part) && next?.kind === 'blank') {
        out += loose(part, '', ' ');
        i += 1;
      } else if (looksBack(part) && next?.kind === 'blank') {
        out += condition(part as Extract<Part, { kind: 'condition' }>, true);
        i += 1;
      } else {
        out += single(part);
        hasBegun ||= part.kind !== 'start' && part.kind !== 'open';
      }
    }
    return out;
  };

  const entry = (parts: Sequence): EntrySource => {
    let end = parts.length;
    while (end > 0 && (looksAhead(parts[end - 1]) || isDistant(parts[end - 1])))
      end -= parts[end - 2]?.kind === 'blank' ? 2 : 1;
    const body = parts.slice(0, end);
    const last = body.at(-1);
    const isList = body.length === 1 && last?.kind === 'list';
    return {
      source: isList ? `(?:${sequence(body)})` : sequence(body),
      isOpenBefore: isOpenEdge(body[0]) || body[0]?.kind === 'start' || body[0]?.kind === 'blank',
      isOpenAfter: isOpenEdge(last) || last?.kind === 'end',
      conditions: sequence(parts.slice(end)),
    };
  };

  return { alternatives, entry };
};
