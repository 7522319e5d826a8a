import { readdirSync, readFileSync } from 'node:fs';
import { createSourceMaker, type EntrySource } from './expression-source.ts';
import { type Part, parseEntry, type Sequence } from './notation.ts';

/** One entry of a lexicon file; `line` is where the entry begins, for messages about mistakes. */
interface Entry {
  readonly text: string;
  readonly line: number;
}

/** A named list of entries. The comment above its name says what the entries have in common. */
interface Section {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** A mistake in a lexicon file. The message names the file and the line, so that an editor can go there. */
class LexiconError extends Error {
  constructor(at: { readonly file: string; readonly line: number }, problem: string) {
    super(`${at.file}:${at.line}: ${problem}`);
  }
}

const HEADER = /^([a-z][a-z0-9_-]*):$/;

interface OpenSection {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly entries: { text: string; readonly line: number }[];
}

const finish = (section: OpenSection): Section => {
  if (section.entries.length === 0) throw new LexiconError(section, `the list ${section.name} has no entry`);
  const lines = new Map<string, number>();
  for (const { text, line } of section.entries) {
    const before = lines.get(text);
    if (before !== undefined)
      throw new LexiconError({ ...section, line }, `"${text}" is already in line ${before} of the list`);
    lines.set(text, line);
  }
  return section;
};

/**
 * Reads the lists of a file. A comment begins with `# `, the name of a list ends with a colon, every other line is an
 * entry, and an indented line continues the entry above it.
 */
const parseLexiconFile = (file: string, content: string): Section[] => {
  const sections: OpenSection[] = [];
  let isCommented = false;
  content.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1;
    const text = raw.trim();
    if (text === '') return;
    if (text === '#' || text.startsWith('# ')) {
      isCommented = true;
      return;
    }
    const name = HEADER.exec(raw)?.[1];
    if (name !== undefined) {
      if (!isCommented) throw new LexiconError({ file, line }, `a comment above ${name} must say what it recognises`);
      sections.push({ file, line, name, entries: [] });
      isCommented = false;
      return;
    }
    isCommented = false;
    const section = sections.at(-1);
    if (section === undefined)
      throw new LexiconError({ file, line }, 'an entry stands before the first name of a list');
    const last = section.entries.at(-1);
    if (!/^\s/.test(raw)) section.entries.push({ text, line });
    else if (last === undefined) throw new LexiconError({ file, line }, 'an indented line continues no entry');
    else last.text += /[|([]$/.test(last.text) ? text : ` ${text}`;
  });
  return sections.map(finish);
};

/** Lists that stand only in other entries, as `{name}`; the sections of every other file are read by the rules. */
const WORD_LISTS = /^words-/;

/** A section whose entries can be made into regular expressions. */
export interface Family {
  readonly name: string;
  readonly entries: readonly string[];
  /** One source for each entry, in the order of the file. */
  sources(): string[];
  /** One source that matches what any of the entries matches. */
  source(): string;
  /** One source that matches a text which is one of the entries from beginning to end. */
  wholeSource(): string;
}

interface ParsedEntry extends Entry {
  readonly choices: readonly Sequence[];
}

interface ParsedSection extends Omit<Section, 'entries'> {
  readonly entries: readonly ParsedEntry[];
}

const parse = (section: Section): ParsedSection => ({
  ...section,
  entries: section.entries.map((entry) => {
    try {
      return { ...entry, choices: parseEntry(entry.text) };
    } catch (error) {
      throw new LexiconError({ ...section, line: entry.line }, `${(error as Error).message} in "${entry.text}"`);
    }
  }),
});

const listsIn = (parts: Sequence): string[] =>
  parts.flatMap((part: Part) => {
    if (part.kind === 'list') return [part.name];
    if (part.kind === 'gap') return part.except.flatMap(listsIn);
    return 'choices' in part ? part.choices.flatMap(listsIn) : [];
  });

const withEdges = (entries: readonly EntrySource[]): string => {
  const [first] = entries;
  const isPlain = ({ isOpenBefore, isOpenAfter, conditions }: EntrySource): boolean =>
    !isOpenBefore && !isOpenAfter && conditions === '';
  if (entries.length > 1 && entries.every(isPlain)) return `\\b(?:${entries.map(({ source }) => source).join('|')})\\b`;
  if (entries.length === 1 && first !== undefined)
    return `${first.isOpenBefore ? '' : '\\b'}${first.source}${first.isOpenAfter ? '' : '\\b'}${first.conditions}`;
  return entries.map((entry) => withEdges([entry])).join('|');
};

/** Checks the files against one another and makes their families. `files` are names with contents. */
export const createLexicon = (files: ReadonlyMap<string, string>) => {
  const sections = [...files].flatMap(([file, content]) => parseLexiconFile(file, content)).map(parse);
  const lists = new Map<string, ParsedSection>();
  for (const section of sections.filter(({ file }) => WORD_LISTS.test(file))) {
    const before = lists.get(section.name);
    if (before !== undefined)
      throw new LexiconError(section, `the list ${section.name} is already in ${before.file}:${before.line}`);
    lists.set(section.name, section);
  }

  const used = new Set<string>();
  for (const section of sections) {
    for (const { choices, line } of section.entries) {
      for (const name of choices.flatMap(listsIn)) {
        used.add(name);
        if (!lists.has(name)) throw new LexiconError({ ...section, line }, `no list has the name ${name}`);
      }
    }
  }
  for (const [name, section] of lists)
    if (!used.has(name)) throw new LexiconError(section, `no entry uses the list ${name}`);

  const made = new Map<string, string>();
  const underWay = new Set<string>();
  const resolve = (name: string): string => {
    const before = made.get(name);
    if (before !== undefined) return before;
    const section = lists.get(name)!;
    if (underWay.has(name)) throw new LexiconError(section, `the list ${name} contains itself`);
    underWay.add(name);
    const source = section.entries.map(({ choices }) => maker.alternatives(choices)).join('|');
    underWay.delete(name);
    made.set(name, source);
    return source;
  };
  const maker = createSourceMaker(resolve);

  const familyOf = ({ name, entries }: ParsedSection): Family => {
    const sourcesOf = ({ choices }: ParsedEntry): EntrySource[] => choices.map((parts) => maker.entry(parts));
    return {
      name,
      entries: entries.map(({ text }) => text),
      sources: () =>
        entries.map((entry) =>
          sourcesOf(entry)
            .map((each) => withEdges([each]))
            .join('|'),
        ),
      source: () => withEdges(entries.flatMap(sourcesOf)),
      wholeSource: () => `^(?:${entries.map(({ choices }) => maker.alternatives(choices)).join('|')})$`,
    };
  };

  return {
    /** The families of a file, in its order. */
    familiesOf: (name: string): Family[] => {
      const file = `${name}.txt`;
      const found = sections.filter((section) => section.file === file);
      if (found.length === 0) throw new Error(`the lexicon has no file ${file}`);
      return found.map(familyOf);
    },
  };
};

const FOLDER = new URL('./', import.meta.url);

const readFiles = (): Map<string, string> => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
  return new Map(names.sort().map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]));
};

/** The Portuguese word lists and patterns of this folder. A mistake in one of them ends the process at its start. */
export const { familiesOf } = createLexicon(readFiles());

/** The expressions of a file by the names of its families. */
export const expressionsOf = (file: string): ReadonlyMap<string, RegExp> =>
  new Map(familiesOf(file).map(({ name, source }) => [name, new RegExp(source())]));
