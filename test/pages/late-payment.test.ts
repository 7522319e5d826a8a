import { afterEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startBrowser } from '../../testing/browser.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';
import { PHONE, violations } from '../../testing/pages.ts';
import { type Debtor, newDebt, startPaymentsApp } from '../payments/support.ts';

// Without a worker nothing is collected, so that the debts' clocks stay on today.
const app = await opened(startPaymentsApp({ roles: ['api'] }));
const browser = await opened(startBrowser());
let context: BrowserContext | undefined;
afterEach(async () => {
  await context?.close();
  context = undefined;
});

const LONG_CLAUSE = `Contrato de prestação de serviços, cláusula 7: ${'sobre o valor em atraso, '.repeat(18)}`.trim();
const daysAgo = (days: number): string => addDays(localDate(Date.now(), -3), -days);
const late = (n: number) => ({ dueDate: daysAgo(15), originalAmount: 1000, debtorCpf: cpfOf(700_000_000 + n) });

async function clientWith(change: object) {
  const client = await app.newClient();
  const { status } = await client.call('PUT', '/api/terms', { ...TERMS, clause: LONG_CLAUSE, ...change });
  expect(status).toBe(201);
  return client;
}

/** A draft's debts are on no page of a person. */
async function launchedDebt(client: TestClient, given: object): Promise<Debtor> {
  const debtor = await newDebt(app, given, client);
  const { status } = await client.call('POST', `/api/campaigns/${debtor.campaignId}/launch?sandbox=true`);
  expect(status).toBe(200);
  return debtor;
}

async function open(path: string): Promise<Page> {
  // Without a script, because the page has to say everything by itself.
  context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.url}${path}`);
  return page;
}

describe('the debtor’s page with terms of late payment', () => {
  it('names the parts of the amount, how each was computed, and the clause', async () => {
    const client = await clientWith({});
    const page = await open(`/checkout/${(await newDebt(app, late(1), client)).id}`);
    expect(await page.textContent('.amount')).toBe('R$ 1.025,00');
    const parts = page.getByText('R$ 1.000,00 da conta, R$ 20,00 de multa e R$ 5,00 de juros');
    expect(await parts.isVisible()).toBe(true);
    await page.getByText('Por que este valor?').click();
    for (const shown of [
      'Multa (2 % de R$ 1.000,00, uma única vez)',
      'Juros (R$ 1.000,00 × 1 % ÷ 30 × 15 dias)',
      LONG_CLAUSE,
      'O código Pix vale o que mostra',
    ]) {
      expect(await page.getByText(shown).isVisible()).toBe(true);
    }
    expect(await page.textContent('main')).not.toContain('sem juros');
    expect(await page.inputValue('#code')).toContain('54071025.00');
  });

  it('shows the same on the page of a person with several debts', async () => {
    const client = await clientWith({ effectiveFrom: daysAgo(20) });
    const { id } = await launchedDebt(client, late(2));
    await launchedDebt(client, { ...late(2), dueDate: daysAgo(25) });
    const page = await open(`/checkout/${id}`);
    await page.getByText('Ver todas as suas contas').click();
    expect(await page.textContent('.amount')).toBe('R$ 2.025,00');
    expect(await page.getByText('R$ 1.000,00 da conta, R$ 20,00 de multa e R$ 5,00 de juros').isVisible()).toBe(true);
    // The other debt was due before the terms began.
    expect(await page.getByText('Por que este valor?').count()).toBe(1);
    expect(await page.textContent('main')).not.toContain('sem juros');
  });

  it('does not say that nothing is charged within the days of grace', async () => {
    const client = await clientWith({ graceDays: 20 });
    const page = await open(`/checkout/${(await newDebt(app, late(3), client)).id}`);
    expect(await page.textContent('.amount')).toBe('R$ 1.000,00');
    expect(await page.textContent('main')).toContain('Até hoje nada foi acrescentado ao valor da conta.');
    expect(await page.textContent('main')).not.toMatch(/sem juros|mostra: se for pago/);
  });

  it('says so where terms charge nothing', async () => {
    const client = await clientWith({ finePercent: 0, interest: { kind: 'none', percent: null }, clause: null });
    const page = await open(`/checkout/${(await newDebt(app, late(4), client)).id}`);
    expect(await page.textContent('main')).toContain('R$ 1.000,00 (sem juros, multa nem encargos)');
    expect(await page.textContent('main')).not.toContain('Por que este valor?');
  });

  it('can be read on a phone, with the button that copies in sight', async () => {
    const client = await clientWith({});
    const { id } = await launchedDebt(client, late(5));
    await launchedDebt(client, { ...late(5), dueDate: daysAgo(46), originalAmount: 150.75 });
    context = await browser.newContext({ ...PHONE, viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(`${app.url}/checkout/${id}`);
    const inSight = `(() => {
      const { top, bottom } = document.getElementById('copy').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`;
    expect(await page.evaluate(inSight)).toBe(true);
    await page.getByText('Por que este valor?').click();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.getByText('Ver todas as suas contas').click();
    expect(await page.textContent('.amount')).toBe('R$ 1.181,07');
    await page.getByText('Por que este valor?').first().click();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});
