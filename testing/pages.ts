import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { type DebtorPage, pageOfCode, shortPageUrl } from '../src/modules/debts/use-cases/page-code.ts';

/** The path by which every text names the page. */
export const pagePath = (id: string, kind: DebtorPage['kind'] = 'debt'): string => shortPageUrl('', { kind, id });

/** Returns the page to which a text leads. */
export const pageIn = (text: string): DebtorPage | null => pageOfCode(/https?:\/\/\S+\/p\/(\S+)/.exec(text)?.[1] ?? '');

export const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, locale: 'pt-BR' };

/** What axe finds on a page by WCAG 2.2 AA. It runs through the debugger, because the page's own policy forbids injected scripts. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, 'axe');
    const { violations: found } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
    return found.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  });
}
