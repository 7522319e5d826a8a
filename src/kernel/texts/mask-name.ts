/** Writes `Maria da Silva` as `M*** S***`: the person recognises it, and nobody else learns more than two letters. */
export function maskName(fullName: string): string {
  const words = fullName.normalize('NFC').match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const shown = words.length > 1 ? [words[0], words.at(-1)] : words;
  return shown.map((word) => `${[...(word ?? '')][0]?.toLocaleUpperCase('pt-BR')}***`).join(' ');
}
