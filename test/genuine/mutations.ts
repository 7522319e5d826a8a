import { randomInt, randomUUID } from 'node:crypto';
import { wholeText } from '../../src/modules/genuine/rules/content.ts';
import type { Item } from './items.ts';

type Change = (text: string) => string;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  i: 'і',
  '0': 'O',
  '1': 'l',
};

/** Changes one character of those that `of` matches, at a place by chance. */
const oneCharacter =
  (of: RegExp, other: (character: string) => string): Change =>
  (text) => {
    const places = [...text.matchAll(new RegExp(of, 'g'))].map(({ index }) => index);
    const at = places[randomInt(Math.max(1, places.length))];
    return at === undefined ? `${text}x` : text.slice(0, at) + other(text.charAt(at)) + text.slice(at + 1);
  };

const nextDigit = (digit: string): string => String((Number(digit) + 1 + randomInt(9)) % 10);
const insert: Change = (text) => {
  const at = 1 + randomInt(text.length - 1);
  return `${text.slice(0, at)}\u200b${text.slice(at)}`;
};

/** Swaps two neighbours that differ. */
const swapped =
  (separator: string): Change =>
  (text) => {
    const parts = text.trim().split(separator);
    const places = parts.slice(1).flatMap((part, index) => (part !== parts[index] ? [index] : []));
    const at = places[randomInt(Math.max(1, places.length))];
    if (at === undefined) return `${text}x`;
    return parts
      .with(at, parts[at + 1]!)
      .with(at + 1, parts[at]!)
      .join(separator);
  };

const ofText: readonly Change[] = [
  oneCharacter(/[a-z]/, (one) => (one === 'z' ? 'y' : 'z')),
  oneCharacter(/[aeopcxi]/, (one) => LOOK_ALIKES[one]!),
  oneCharacter(/\d/, nextDigit),
  oneCharacter(/\S/, () => ''),
  swapped(' '),
  insert,
  (text) => `${text} Responda com a sua senha.`,
  (text) => `Encaminhada: ${text}`,
  (text) => text.replace('quita.example', 'quita-example.com'),
  (text) => text.toUpperCase(),
];

const ofCode: readonly Change[] = [
  oneCharacter(/[a-z]/, (one) => (one === 'z' ? 'y' : 'z')),
  oneCharacter(/[aeopcxi]/, (one) => LOOK_ALIKES[one]!),
  oneCharacter(/\d/, nextDigit),
  oneCharacter(/./, () => ''),
  swapped(''),
  insert,
  (code) => `${code}${code}`,
  (code) => code.toLowerCase().replace('escola', 'esccla'),
  (code) => code.replace('150.75', '950.75'),
  (code) => code.replace('ESCOLA AURORA', 'ESCOLA  AURORA'),
];

const ofLink: readonly Change[] = [
  // The last characters are of the token or of the signature.
  (link) => link.replace(/[\w-](?=.?.?$)/, (one) => (one === 'b' ? 'c' : 'b')),
  (link) => link.replace(/quita\.example/i, 'quita.example.evil.example'),
  (link) => link.replace(/quita\.example/i, 'quıta.example'),
  (link) => link.replace(/^(?:https?:\/\/)?/i, 'https://evil.example/'),
  (link) => link.replace(/quita\.example/i, 'quita.example@evil.example'),
  (link) => link.replace(/quita\.example/i, 'quita.example:8443'),
  (link) => link.replace(/\.example\//i, '.example/%2e/'),
  (link) => link.replace(/\.example\//i, '.example\\'),
  (link) => `Pague aqui: ${link}`,
  (link) => `${link}${link.includes('?') ? '&' : '?'}next=https://evil.example`,
];

const ofSender: readonly Change[] = [
  oneCharacter(/\d(?=\D*$|\D*\d\D*$)/, (one) => String((Number(one) + 1) % 10)),
  oneCharacter(/\d(?=\D*$)/, (one) => String((Number(one) + 5) % 10)),
  (sender) => `${sender}7`,
  (sender) => `${sender} ligue`,
  (sender) => sender.replace('11', '21'),
  insert,
  (sender) =>
    sender
      .replace(/example$/, 'example.org')
      .replace(/(\d)(\d{3})$/, (_, a: string, b: string) => `${nextDigit(a)}${b}`),
  (sender) => (sender.includes('@') ? `a${sender.trim()}` : `+351 ${sender}`),
  (sender) => sender.replace(/cobranca/i, 'c0branca').replace(/9(?=\d{4}-?\d{4})/, '8'),
  (sender) => `x${sender.trim()}`,
];

const CHANGES: Readonly<Record<Item['kind'], readonly Change[]>> = {
  message: ofText,
  pix: ofCode,
  link: ofLink,
  sender: ofSender,
};

/** Returns what somebody could make of a true item: ten others, none of which is the item. */
export const mutationsOf = ({ kind, content }: Item): Item[] =>
  CHANGES[kind].map((change) => {
    const changed = change(content);
    return {
      kind,
      content: wholeText(changed) === wholeText(content) && kind !== 'pix' ? `${content}-${randomUUID()}` : changed,
    };
  });
