import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { agreementSignature, newAgreement } from '../../testing/agreements-harness.ts';
import { startBrowser } from '../../testing/browser.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { PHONE, violations } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';
import { type GivenPayment, paidDebt, pathOf, verifyPath } from '../../testing/receipts-harness.ts';

const DESK = { viewport: { width: 1_200, height: 900 }, locale: 'pt-BR' };
/** The folder for screenshots for inspection, if one is given. */
const PICTURES = process.env['PAGE_PICTURES'];

const app = await opened(startCampaignsApp());
const browser = await opened(startBrowser());
const client = await app.newClient();
await client.call('PATCH', '/api/onboarding/me', { cnpj: '11222333000181' });

async function receipt(given: GivenPayment = {}): Promise<string> {
  const { debtId } = await paidDebt(app.query, client.id, { sandbox: false, debtorTaxId: '52998224725', ...given });
  // On a busy machine the first drawing may exceed its time; the answer then asks the caller to come again.
  const made = await until('the receipt is drawn', async () => {
    const answer = await client.call('POST', `/api/receipts/${debtId}`);
    return answer.status === 503 ? null : answer;
  });
  return made.body.protocol;
}

async function visit<T>(
  protocol: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<T>,
  path = verifyPath(protocol),
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
    });
    await page.goto(app.url + path);
    const seen = await look(page);
    expect(complaints).toEqual([]);
    return seen;
  } finally {
    await context.close();
  }
}

const CASES: readonly (readonly [string, GivenPayment, string])[] = [
  ['authentic', {}, 'Termo autêntico'],
  ['revoked', { refundedCentavos: 15_075 }, 'Termo revogado em'],
  ['sandbox', { sandbox: true, debtorName: 'W'.repeat(200) }, 'DOCUMENTO DE TESTE, SEM VALOR'],
];

async function isAccessible(name: string, protocol: string, words: string, path?: string): Promise<void> {
  for (const [place, options] of Object.entries({ phone: PHONE, desk: DESK })) {
    const look = async (page: Page): Promise<void> => {
      expect(await page.locator('main').textContent()).toContain(words);
      expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
      expect(await violations(page)).toEqual([]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}-${place}.png`, fullPage: true });
    };
    await visit(protocol, options, look, path);
  }
}

describe('the verification page', () => {
  it.each(CASES)('%s: is accessible, on a phone and on a desktop', async (name, given, words) => {
    await isAccessible(name, await receipt(given), words);
  });

  it('is so for an agreement', async () => {
    const { protocol } = await newAgreement(app.query, client.id, { debtorName: 'W'.repeat(200) });
    const path = verifyPath(protocol, agreementSignature(protocol));
    await isAccessible('agreement', protocol, 'Termo de Acordo autêntico.', path);
  });

  it('names a company with its CNPJ', async () => {
    const protocol = await receipt({ debtorTaxId: '12ABC34501DE35', debtorName: 'Padaria Pão Quente Ltda' });
    const shown = await visit(protocol, DESK, (page) => page.locator('dl').textContent());
    expect(shown).toMatch(/CNPJ\s*\*\*\.ABC\.345\/01DE-\*\*/);
    expect(shown).not.toMatch(/CPF|12\.ABC/);
  });

  it('links to the document', async () => {
    const protocol = await receipt();
    const href = await visit(protocol, DESK, (page) => page.locator('a.button').getAttribute('href'));
    const file = await fetch(app.url + pathOf(href ?? ''));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });
});
