/** One entry of a lexicon file; `line` is where the entry begins, for messages about mistakes. */
export interface Entry {
  readonly text: string;
  readonly line: number;
}

/** A named list of entries. The comment above its name says what the entries have in common. */
export interface Section {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** A mistake in a lexicon file. The message names the file and the line, so that an editor can go there. */
export class LexiconError extends Error {
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
export const parseLexiconFile = (file: string, content: string): Section[] => {
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
