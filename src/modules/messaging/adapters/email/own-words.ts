import { genuineLine } from '../../../../kernel/texts/genuine.ts';
import { OPT_OUT_LINE } from '../../texts/collection-bodies.ts';
import { RIGHTS_WORDS, UNSUBSCRIBE_WORDS } from '../../texts/message-email.ts';

/** What is read of one text. The debtor's own words stand at its beginning or between short quotations. */
const MAX_CHARACTERS = 100_000;
const MAX_LINES = 5_000;
/** How many lines a mail program spreads over what it writes above a quotation. */
const INTRODUCTION_LINES = 4;
const HEADER_LINES = 8;

/** Each expression is tried on one line that is cut to this length. */
const LINE_LENGTH = 500;
const TITLE_LENGTH = 80;

const INTRODUCTION_BEGIN = /^(?:em|on|el|il|le|am|no dia|\d)/i;
const INTRODUCTION_END = /(?:escreveu|wrote|escribió|scritto|écrit|schrieb) ?:$/i;
const FROM = /^\*?(?:de|from) ?:/i;
const OTHER_HEADER = /^\*?(?:enviad[ao]s?(?: em)?|sent|data|date|para|to|cc|assunto|subject|responder a|reply-to) ?:/i;
const DEVICE =
  /^(?:enviad[ao] (?:do|da|de|pelo|pela|via|através|a partir)|sent (?:from|via)|obter o outlook|baixe o outlook|get outlook|yahoo mail:)(?: |$)/i;

/** Lines of our own mail. A debtor who quotes them has not written them, and one of them contains the word PARAR. */
const OURS = [OPT_OUT_LINE, UNSUBSCRIBE_WORDS, RIGHTS_WORDS, genuineLine('')].map((line) => line.toLowerCase());

/**
 * Returns what the sender of a mail has written, without quotations, what a mail program adds to them, and signatures. A
 * line that no rule knows is kept: too much is better than a request that nobody reads.
 */
export function ownWords(text: string): string {
  const lines = text
    .slice(0, MAX_CHARACTERS)
    .replace(/\r\n?/g, '\n')
    .split('\n', MAX_LINES)
    .map((line) => line.replaceAll('\u00a0', ' ').trimEnd());
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = shortened(lines[at]);
    if (line === '--' || beginsCopy(lines, at)) break;
    const introduction = introductionLength(lines, at);
    if (introduction > 0) {
      at += introduction - 1;
      // Below its introduction a quotation is marked line by line, or it is all that follows.
      if (!isQuoted(lines[nextWritten(lines, at + 1)] ?? '')) break;
    } else if (!isQuoted(line) && !DEVICE.test(line) && !isOurs(line)) {
      kept.push(lines[at]!);
    }
  }
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const isOurs = (line: string): boolean => OURS.some((ours) => line.toLowerCase().includes(ours));
const isQuoted = (line: string): boolean => line.trimStart().startsWith('>');
const shortened = (line: string | undefined): string => (line ?? '').slice(0, LINE_LENGTH).trim();

const nextWritten = (lines: readonly string[], from: number): number => {
  let at = from;
  while (at < lines.length && lines[at] === '') at += 1;
  return at;
};

/** Returns how many lines an introduction such as `Em 20/11/2026, Loja <…> escreveu:` takes, or 0. */
function introductionLength(lines: readonly string[], at: number): number {
  if (!INTRODUCTION_BEGIN.test(shortened(lines[at]))) return 0;
  const some = lines.slice(at, at + INTRODUCTION_LINES).map(shortened);
  const length = some.findIndex((line) => INTRODUCTION_END.test(line)) + 1;
  // It always has a date, unlike a sentence of a person.
  return some.slice(0, length).some((line) => /\d/.test(line)) ? length : 0;
}

/** A title such as `-----Mensagem original-----` begins the copy of a mail, and so does a block of its headers. */
function beginsCopy(lines: readonly string[], at: number): boolean {
  const line = shortened(lines[at]);
  if (/^(?:-+|_+)$/.test(line)) return beginsHeaders(lines, nextWritten(lines, at + 1));
  if (line.startsWith('---') && line.endsWith('---') && line.length <= TITLE_LENGTH) return true;
  return beginsHeaders(lines, at);
}

function beginsHeaders(lines: readonly string[], at: number): boolean {
  if (!FROM.test(shortened(lines[at]))) return false;
  return lines.slice(at + 1, at + 1 + HEADER_LINES).filter((line) => OTHER_HEADER.test(shortened(line))).length >= 2;
}
