import { MAX_INSTALMENTS } from '../../../agreements/rules/offers-policy.ts';
import type { OffersInTalk } from '../../../messaging/ports/collection-agent.ts';
import { familiesOf } from '../lexicon/lexicon.ts';
import { readable } from './spelling.ts';

const FAMILIES = new Map(familiesOf('offers').map(({ name, source }) => [name, source()]));

/** Finds each place of a message that a family of the words about offers matches. */
export const offerPattern = (family: string): RegExp => new RegExp(FAMILIES.get(family)!, 'g');

/** The kinds of pieces in the order in which they are tried. What names an offer comes before what stands beside it. */
const PIECES = (['count', 'cash', 'ordinal', 'number', 'takes', 'fillers', 'bare-number'] as const).map((kind) => ({
  kind,
  pattern: new RegExp(`(?:${FAMILIES.get(kind)})(?= |$)`, 'y'),
}));
const TAKES_ALONE = new RegExp(`^(?:${FAMILIES.get('takes-alone')})$`);
const ABOUT = offerPattern('about');

type PieceKind = (typeof PIECES)[number]['kind'];
interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

/** Whoever takes an offer writes little. A longer message says something else too. */
const MAX_LENGTH = 160;
const MAX_PIECES = 20;

/** Signs that agree, in any colour of skin. Every other sign may say that it is not meant. */
const AGREEING_SIGNS =
  /[\u{1F44D}\u{1F44C}\u2705\u2714\u{1F91D}\u{1F64C}\u{1F44F}\u{1F64F}\u{1F60A}\u{1F642}\u{1F600}\u{1F604}]|\uFE0F|[\u{1F3FB}-\u{1F3FF}]/gu;
/** What is not written so would be lost before the words are read: other scripts, quotation marks, crossed-out text. */
const PLAIN = /^[\p{Script=Latin}\p{M}\d\s.,!?;:…*_$ªº°-]*$/u;

const isPlain = (message: string): boolean => PLAIN.test(message.normalize('NFKC').replace(AGREEING_SIGNS, ''));

/** Divides a message into the pieces that a debtor who takes an offer may write; null when a word is in none of them. */
function piecesOf(normal: string): Piece[] | null {
  if (normal.length > MAX_LENGTH) return null;
  const pieces: Piece[] = [];
  let at = 0;
  while (at < normal.length) {
    if (pieces.length >= MAX_PIECES) return null;
    const piece = pieceAt(normal, at);
    if (piece === null) return null;
    pieces.push(piece);
    at += piece.text.length + 1;
  }
  return pieces;
}

function pieceAt(normal: string, at: number): Piece | null {
  for (const { kind, pattern } of PIECES) {
    pattern.lastIndex = at;
    const text = pattern.exec(normal)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return null;
}

const UNITS = 'zero um dois tres quatro cinco seis sete oito nove dez onze doze'.split(' ');
const PLACES = 'primeira segunda terceira quarta quinta sexta'.split(' ');

/** The number that a piece names, in digits or in words. */
export function numberIn(text: string): number {
  const digits = /\d{1,6}/.exec(text)?.[0];
  if (digits !== undefined) return Number(digits);
  const words = text.split(' ').map((word) => (word === 'uma' ? 'um' : word === 'duas' ? 'dois' : word));
  const unit = words.findLast((word) => UNITS.includes(word));
  if (unit !== undefined) return UNITS.indexOf(unit);
  return PLACES.findIndex((place) => words.includes(place)) + 1;
}

/** The numbers of the standing offers that a piece may mean. The one that was just shown alone is meant before others. */
function meant({ kind, text }: Piece, { standing, listed }: OffersInTalk): number[] {
  const withCount = (count: number): number[] => {
    const alike = standing.filter(({ instalments }) => instalments === count).map(({ number }) => number);
    return listed.length === 1 && alike.includes(listed[0]!) ? [...listed] : alike;
  };
  const numbered = (number: number): number[] => standing.map((one) => one.number).filter((one) => one === number);
  switch (kind) {
    case 'count':
      return withCount(numberIn(text));
    case 'cash':
      return withCount(1);
    case 'number':
    case 'bare-number':
      return numbered(numberIn(text));
    case 'ordinal': {
      const place = numberIn(text);
      return [...numbered(place), ...listed.slice(place - 1, place)];
    }
    default:
      return [];
  }
}

const NAMES: readonly PieceKind[] = ['count', 'cash', 'ordinal', 'number', 'bare-number'];

/**
 * `named`: takes this offer. `ended`: names a number that cannot be accepted any more. `count`: wants so many instalments,
 * which no standing offer has. `unclear`: takes one, but which?
 */
export type OfferTaken =
  | { readonly kind: 'named'; readonly number: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'unclear' };

/**
 * Returns which offer a message takes, or null when it takes none. It takes one only when each of its words belongs to
 * the answer, and when everything in it means one and the same standing offer. What could also mean something else, such
 * as a bare number, counts only as the answer to the message that has just listed the offers.
 */
export function offerTaken(message: string, offers: OffersInTalk): OfferTaken | null {
  const pieces = isPlain(message) ? piecesOf(readable(message)) : null;
  if (pieces === null) return null;
  const names = pieces.filter(({ kind }) => NAMES.includes(kind));
  const takes = pieces.filter(({ kind }) => kind === 'takes');
  const isListed = offers.listed.length > 0;
  if (names.length === 0) return takesOnly(takes, offers);
  const other = otherCount(names, offers);
  if (other !== null && (takes.length > 0 || isListed)) return { kind: 'count', count: other };
  const isClear = ({ kind }: Piece): boolean => {
    if (kind === 'number') return takes.length > 0 || isListed;
    if (kind === 'count' || kind === 'cash') return takes.length > 0;
    return isListed;
  };
  if (!names.every(isClear)) return takes.length > 0 || isListed ? { kind: 'unclear' } : null;
  const found = names.map((name) => new Set(meant(name, offers)));
  const [first] = found;
  const [number] = first ?? [];
  if (found.every((numbers) => numbers.size === 1 && numbers.has(number!))) return { kind: 'named', number: number! };
  const isGone = names.length === 1 && first!.size === 0 && ['number', 'bare-number'].includes(names[0]!.kind);
  return { kind: isGone ? 'ended' : 'unclear' };
}

/** Returns the number of instalments when a message names nothing else, and no standing offer has so many. */
function otherCount(names: readonly Piece[], offers: OffersInTalk): number | null {
  const counts = new Set(names.map((name) => (name.kind === 'count' ? numberIn(name.text) : 0)));
  const [only] = counts;
  const isOther = counts.size === 1 && isCount(only!) && meant(names[0]!, offers).length === 0;
  return isOther ? only! : null;
}

/** Whether a policy may allow so many instalments at all; other numbers are an amount, or meant as a joke. */
export const isCount = (count: number): boolean => count >= 1 && count <= MAX_INSTALMENTS;

/** "Aceito" takes the offer that was listed alone. After nothing was listed it answers something else. */
function takesOnly(takes: readonly Piece[], { standing, listed }: OffersInTalk): OfferTaken | null {
  if (takes.length === 0 || listed.length === 0) return null;
  const [only] = listed;
  const isOne = listed.length === 1 && standing.some(({ number }) => number === only);
  const takesIt = takes.every(({ text }) => TAKES_ALONE.test(text));
  return isOne && takesIt ? { kind: 'named', number: only! } : { kind: 'unclear' };
}

/** Returns what a message says beside what it says of taking an offer; null when it says nothing of taking one. */
export function besideOffers(message: string): string | null {
  const normal = readable(message);
  if (normal.search(ABOUT) < 0) return null;
  return normal.replace(ABOUT, ' ').trim();
}
