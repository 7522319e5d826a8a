/** The page of one debt, the page of a person that shows all their debts, or the page of their rights. */
export interface DebtorPage {
  readonly kind: 'debt' | 'person' | 'rights';
  /** A random UUID in lower case. */
  readonly id: string;
}

const LETTERS = { debt: 'd', person: 'p', rights: 'r' } as const;
/** A letter for the kind of the page, and the 16 bytes of its id in base64url. */
export const PAGE_CODE = /^[dpr][A-Za-z0-9_-]{21}[AQgw]$/;

/** The code is as hard to guess as the id that it writes with fewer characters, so it needs no table. */
const codeOfPage = ({ kind, id }: DebtorPage): string =>
  `${LETTERS[kind]}${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`;

/** The address of a page for texts that have little room. All are equally long. */
export const shortPageUrl = (publicUrl: string, page: DebtorPage): string => `${publicUrl}/p/${codeOfPage(page)}`;

/** Returns null for a text that no page has as its code. */
export const pageOfCode = (code: string): DebtorPage | null => {
  if (!PAGE_CODE.test(code)) return null;
  const hex = Buffer.from(code.slice(1), 'base64url').toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  const kinds = ['debt', 'person', 'rights'] as const;
  return { kind: kinds.find((kind) => code.startsWith(LETTERS[kind]))!, id };
};
