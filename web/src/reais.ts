/** Reads an amount as people write it: `1.234,56`, `1234,5`, `R$ 90`, `90.50`. Null when it is none. */
export function parseReais(text: string): number | null {
  const written = text.replace(/^\s*R\$/, '').trim();
  const plain = written.includes(',') || /^\d{1,3}(\.\d{3})+$/.test(written) ? written.replaceAll('.', '') : written;
  const decimal = plain.replace(',', '.');
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(decimal)) return null;
  const reais = Number(decimal);
  return reais > 0 ? reais : null;
}

const plain = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, useGrouping: true });

/** `1.234,56`: an amount as `parseReais` reads it. */
export const inReais = (amount: number): string => plain.format(amount);
