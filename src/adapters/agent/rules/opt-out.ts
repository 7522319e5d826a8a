import { stripAccents } from '../../../domain/portuguese-text.ts';
import { silenceFamily } from './opt-out-grammar.ts';
import { isSilenceIdiom, refusesAfterwards } from './opt-out-idioms.ts';
import { NEAR_MISSES } from './opt-out-near-misses.ts';
import { BOTHERS, LIST, PHONE, PURE_MESSAGE, REMOVE } from './opt-out-slots.ts';
import { readable } from './spelling.ts';

/** Hard rules above the classifier: who asks for silence gets it, and nobody else does. */

/** What people hang on a sentence: no pattern needs to foresee it. */
const TAIL =
  /(?: (?:por favor|obrigad[oa]|valeu|viu|esta|ta|ok|beleza|emoji\w+|pelo amor de deus|moc[oa]|amig[oa]|gente|cara|mano|hein|ne|caramba|poxa|po|senhor|senhora|ouviu|entendeu|visse))+$/;

const read = (text: string): string =>
  readable(text)
    .replace(/ ?\?/g, '')
    .replace(/([rs])\1+\b/g, '$1')
    .replace(/\bbloqui(?=e)/g, 'bloqu')
    .replace(/\b(meu|esse|este) no\b/g, '$1 numero')
    .replace(TAIL, '')
    .trim();

/** `p a r e m` is how a text shouts, or hides. */
const SPELT = /(?<!\p{L})\p{L}(?:[ .*_-]{1,3}\p{L}){3,}(?!\p{L})/gu;
const SPELT_WISH =
  /nao(?:quero|me|nos)?(?:mais)?(?:mand|cham|envi|perturb|incomod|escrev|procur|lig|cobr|receb)|^par(?:a|e|ar|em)$|par(?:e|em|a)de|chega|sair$|stop|medeix|metir/;
const speltOut = (message: string): boolean =>
  (message.match(SPELT) ?? []).some((run) => SPELT_WISH.test(stripAccents(run.toLowerCase()).replace(/[^a-z]/g, '')));

/** `~` is no word: no pattern reaches over what was cut out. */
const withoutNearMisses = (text: string): string =>
  NEAR_MISSES.reduce((left, pattern) => left.replace(pattern, '~'), text);

const asks = (text: string): boolean => {
  const left = withoutNearMisses(text);
  return isSilenceIdiom(left) || silenceFamily(left) !== null;
};

const ALONE =
  /^(?:(?:entao|por favor|ja|agora|favor|so|mas|e|voces?) )*(?:par[ae]|parem|parar|stop|chega|descadastrar|me (?:esquece|erra|larga|deixa))(?: (?:por favor|ja|agora|com isso|obrigado|logo|ai))*$/;

/** Each once, however often it is said. */
const partsOf = (message: string, separator: RegExp): string[] => [...new Set(message.split(separator).map(read))];

/** Judged as a whole, sentence by sentence, and clause by clause for a bare `parem` and for a negation at the end. */
export const asksForSilence = (message: string): boolean =>
  asks(read(message)) ||
  speltOut(message) ||
  partsOf(message, /[\n.!?;:]+/).some(asks) ||
  partsOf(message, /[\n.!;:,]+/).some((part) => ALONE.test(part) || refusesAfterwards(part));

/** Anything that a wish for silence may be made of. */
const CONTACT = new RegExp(
  `\\b(?:${BOTHERS}|${PURE_MESSAGE}|${REMOVE} (?:\\w+ ){0,3}(?:${PHONE}|${LIST}|dai|daqui|disso)|me ${REMOVE}|par[ae]m?|parar|pararem|parassem|cess[ae]m?|cessar|chega|basta|saco|paz|sossego|quiet[oa]|bloque(?:ar|ei|io|ando|ado|ia|ie|iem)|denunc\\w+|spam|lista|vaz[ae]m?|suma|sumam|some|larg[au]\\w*|esque[cs](?:e|a|am|em)|descadastr\\w+|autoriz\\w+|consent\\w+|revog\\w+|proib\\w+|lgpd|contatad[oa]|dispenso|distancia|stop|(?:nao|nunca|sem|nem)(?: \\w+){0,4} (?:receb\\w+|mand\\w+|envi\\w+|cham\\w+|ver|lig\\w+|cobr\\w+|procur\\w+|escrev\\w+))\\b`,
);

/** The least that a message must say before the classifier alone may take it for a request for silence. */
export const speaksOfContact = (normal: string): boolean => CONTACT.test(withoutNearMisses(normal));
