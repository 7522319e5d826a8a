import { TENS, UNDER_TWENTY } from '../../../../kernel/portuguese-numbers.ts';

const HUNDREDS = [
  '',
  'cento',
  'duzentos',
  'trezentos',
  'quatrocentos',
  'quinhentos',
  'seiscentos',
  'setecentos',
  'oitocentos',
  'novecentos',
];

function below1000(n: number): string {
  if (n === 100) return 'cem';
  const words: string[] = [];
  if (n >= 100) words.push(HUNDREDS[Math.floor(n / 100)]!);
  const rest = n % 100;
  if (rest >= 20) {
    words.push(TENS[Math.floor(rest / 10)]!);
    if (rest % 10) words.push(UNDER_TWENTY[rest % 10]!);
  } else if (rest) {
    words.push(UNDER_TWENTY[rest]!);
  }
  return words.join(' e ');
}

function integerInWords(n: number): string {
  const millions = Math.floor(n / 1_000_000);
  const thousands = Math.floor(n / 1000) % 1000;
  const units = n % 1000;
  const groups: { words: string; value: number }[] = [];
  if (millions)
    groups.push({ words: `${below1000(millions)} ${millions === 1 ? 'milhão' : 'milhões'}`, value: millions });
  if (thousands) groups.push({ words: thousands === 1 ? 'mil' : `${below1000(thousands)} mil`, value: thousands });
  if (units) groups.push({ words: below1000(units), value: units });
  return groups.reduce((text, { words, value }, index) => {
    if (index === 0) return words;
    const isLast = index === groups.length - 1;
    // Portuguese joins the last group with "e" only when it is a multiple of one hundred or below one hundred.
    const linked = isLast && (value < 100 || value % 100 === 0);
    return `${text}${linked ? ' e ' : ' '}${words}`;
  }, '');
}

/** Writes `mil duzentos e trinta e quatro reais e cinquenta e seis centavos`; up to 999.999.999,99. */
export function amountInWords(centavos: number): string {
  if (!Number.isSafeInteger(centavos) || centavos <= 0 || centavos >= 100_000_000_000) {
    throw new RangeError('an amount in words must be between 1 centavo and 999.999.999,99 reais');
  }
  const reais = Math.floor(centavos / 100);
  const cents = centavos % 100;
  const parts: string[] = [];
  if (reais) {
    const preposition = reais >= 1_000_000 && reais % 1_000_000 === 0 ? 'de ' : '';
    parts.push(`${integerInWords(reais)} ${preposition}${reais === 1 ? 'real' : 'reais'}`);
  }
  if (cents) parts.push(`${below1000(cents)} ${cents === 1 ? 'centavo' : 'centavos'}`);
  return parts.join(' e ');
}
