const LINK = /https?:\/\/\S+/g;
const OF_DEBT = [
  'dívida',
  'débito',
  'atras',
  'cobran',
  'pendên',
  'pendent',
  'em aberto',
  'vencid',
  'venceu',
  'devedor',
  'credor',
];

/** Whether a reader finds a word of debt, delay or collection in the text. */
export function speaksOfDebt(text: string): boolean {
  const words = text.replace(LINK, '').toLowerCase();
  return OF_DEBT.some((word) => words.includes(word));
}
