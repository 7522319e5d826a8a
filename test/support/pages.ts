import { type DebtorPage, pageOfCode, shortPageUrl } from '../../src/modules/debts/use-cases/page-code.ts';

/** The path by which every text names the page. */
export const pagePath = (id: string, kind: DebtorPage['kind'] = 'debt'): string => shortPageUrl('', { kind, id });

/** Returns the page to which a text leads. */
export const pageIn = (text: string): DebtorPage | null => pageOfCode(/https?:\/\/\S+\/p\/(\S+)/.exec(text)?.[1] ?? '');
