import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { AGREEMENTS } from '../../web/src/texts/agreements.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { DEBT } from '../../web/src/texts/debt.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { OFFERS } from '../../web/src/texts/offers.ts';
import { REHEARSAL } from '../../web/src/texts/rehearsal.ts';
import { axeViolations, focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const today = localDate(Date.now(), -3);
const campaignId = await client.createCampaign('Mensalidades');
const NAMES = ['Ana Souza', 'Bruno Dias', 'Carla Reis', 'Davi Melo'];
await client.importJson(
  campaignId,
  NAMES.map((debtorName, at) =>
    debtInput(at + 1, {
      debtorName,
      debtorCpf: cpfOf(600_000_000 + at),
      dueDate: addDays(today, -100),
      originalAmount: 1000,
    }),
  ),
);
await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
const debts: { id: string; debtorName: string }[] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`))
  .body.items;
const idOf = (name: string): string => debts.find(({ debtorName }) => debtorName === name)!.id;
const window = await openConsole(app, {
  client,
  allowed: [
    '400 POST /api/offers/policy/preview',
    '400 PUT /api/offers/policy',
    /^409 POST \/api\/debts\/[^/]+\/offers$/,
    /^409 POST \/api\/debts\/[^/]+\/offers\/[^/]+\/accept$/,
  ],
});
const { page } = window;

const section = () =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: AGREEMENTS.section, exact: true }) });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const policyOf = async () => (await client.call('GET', '/api/offers/policy')).body;
const setPolicy = (policy: object | null) => client.call('PUT', '/api/offers/policy', policy);
const agree = async (debtId: string, number: number) => {
  const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
  const offer = items.find((one: { number: number }) => one.number === number);
  return (await client.call('POST', `/api/debts/${debtId}/offers/${offer.id}/accept`, {})).body;
};

describe('the page of what a company offers', () => {
  it('shows by an example what would be offered while somebody types, and names limits at the fields', async () => {
    await window.visit('/ofertas');
    await page.getByText(OFFERS.none).waitFor();
    await page.getByLabel(OFFERS.discountOn).selectOption('all');
    await page
      .getByRole('group', { name: OFFERS.band(2) })
      .getByLabel(OFFERS.maxDiscount)
      .fill('30');
    await page.getByText(OFFERS.offer(1, 700)).waitFor();
    await page.getByLabel(OFFERS.amount).fill('2.000,00');
    await page.getByText(OFFERS.offer(1, 1400)).waitFor();
    const from = page.getByRole('group', { name: OFFERS.band(2) }).getByLabel(OFFERS.fromDays);
    await from.fill('80');
    await page.getByText('Esta faixa repete dias de outra.').waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    await from.fill('91');
    await page.getByLabel(OFFERS.minEntry).fill('100');
    await page
      .getByText(/^Nenhuma dívida chegaria a ter parcelas\. Por exemplo, de R\$ [\d.]+,\d\d uma entrada/)
      .waitFor();
    await page.getByLabel(OFFERS.minEntry).fill('20');
    await page.getByText(OFFERS.offer(1, 1400)).waitFor();
    expect(await policyOf()).toBeNull();
  });

  it('adds and removes a band by the keyboard, and saves', async () => {
    await button(OFFERS.addBand).focus();
    await page.keyboard.press('Enter');
    await pressTabUntil(page, new RegExp(`^${OFFERS.removeBand} 3`), { backwards: true });
    await page.keyboard.press('Enter');
    expect(await page.getByRole('group', { name: /^Faixa/ }).count()).toBe(2);
    expect((await focused(page)).name).toBe(OFFERS.addBand);
    await page.getByLabel(OFFERS.personAbove).fill('5000');
    await button(OFFERS.save).click();
    await page.getByText(OFFERS.saved).waitFor();
    expect(await policyOf()).toMatchObject({ discountOn: 'all', personAbove: 5000, minEntryPercent: 20 });
    await page.getByText(OFFERS.none).waitFor({ state: 'hidden' });
  });

  it('says what ends before the policy is removed', async () => {
    await button(OFFERS.remove).click();
    await page.getByText(OFFERS.removeText).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: OFFERS.remove }).click();
    await page.getByText(OFFERS.none).waitFor();
    expect(await policyOf()).toBeNull();
  });

  it('can be used by everybody', async () => {
    expect(await faultsOf(window, '/ofertas')).toEqual([]);
  });
});

describe('offers and agreements on the screen of a debt', () => {
  it('says why nothing is offered', async () => {
    await window.visit(`/dividas/${idOf('Ana Souza')}`);
    await section().getByText(AGREEMENTS.noOffers('no_policy')).waitFor();
    await section().getByRole('link', { name: AGREEMENTS.setPolicy }).waitFor();
    await setPolicy({ ...OFFERS_POLICY, personAbove: 500 });
    await window.visit(`/dividas/${idOf('Ana Souza')}`);
    await section().getByText(AGREEMENTS.noOffers('needs_person')).waitFor();
    await setPolicy(OFFERS_POLICY);
  });

  it('shows the offers that stand', async () => {
    await window.visit(`/dividas/${idOf('Ana Souza')}`);
    const offers = section().getByRole('list', { name: AGREEMENTS.offers }).getByRole('listitem');
    const shown = await offers.allTextContents();
    expect(shown).toHaveLength(3);
    expect(shown[0]).toContain('Oferta 1: R$ 700,00');
    expect(shown[0]).toContain('Desconto de R$ 300,00');
    expect(shown[1]).toContain('2 × R$ 283,33 + a última de R$ 283,34');
  });

  it('makes an offer outside the policy only when that is confirmed', async () => {
    await button(AGREEMENTS.make).click();
    await page.getByLabel(AGREEMENTS.discountPercent).fill('40');
    await page.getByLabel(AGREEMENTS.instalments).fill('13');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: AGREEMENTS.make }).click();
    await dialog.getByText(AGREEMENTS.outside).waitFor();
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      AGREEMENTS.limitPassed({ pointer: '/discountPercent', code: 'outside_policy' }, null),
      'Parcelas demais. A política permite até 12.',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    // Other terms are asked about anew.
    await page.getByLabel(AGREEMENTS.instalments).fill('2');
    expect(await dialog.getByLabel(AGREEMENTS.confirm).count()).toBe(0);
    await dialog.getByRole('button', { name: AGREEMENTS.make }).click();
    await dialog.getByLabel(AGREEMENTS.confirm).check();
    await dialog.getByRole('button', { name: AGREEMENTS.makeAnyway }).click();
    await page.getByText(AGREEMENTS.made(4, 600, 2)).waitFor();
    await section().getByText('Oferta 4: R$ 600,00').waitFor();
  });

  it('begins with the day of a simulated debt, whose clock may be ahead', async () => {
    const id = idOf('Davi Melo');
    await app.query(`update debts set clock_offset_ms = 864000000 where id = $1`, [id]);
    await window.visit(`/dividas/${id}`);
    await button(AGREEMENTS.make).click();
    expect(await page.getByLabel(AGREEMENTS.firstDueDate).inputValue()).toBe(addDays(today, 10));
    await page.getByRole('dialog').getByRole('button', { name: AGREEMENTS.make }).click();
    await page.getByText(AGREEMENTS.made(4, 1000, 1)).waitFor();
    await window.visit(`/dividas/${idOf('Ana Souza')}`);
  });

  it('records an acceptance by the keyboard alone, after showing what was agreed', async () => {
    await button(AGREEMENTS.make).focus();
    await pressTabUntil(page, `${AGREEMENTS.accept} da oferta 4`, { role: 'button', backwards: true });
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Total do acordo: R$ 600,00, com desconto de R$ 400,00.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The text that has to be read comes first.
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Total do acordo');
    await pressTabUntil(page, /^Como a pessoa aceitou/);
    await page.keyboard.type('Aceitou por telefone às 10h.');
    await pressTabUntil(page, AGREEMENTS.accept, { role: 'button' });
    await page.keyboard.press('Enter');
    await page.getByText(/^Acordo AC-.* registrado\.$/).waitFor();
    await section().getByRole('heading', { name: AGREEMENTS.plan }).waitFor();
    await page.getByText('Aceitou por telefone às 10h.').waitFor();
    await page.getByText(DEBT.nextAgreement).waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
    expect(await section().locator('ol').getByRole('listitem').count()).toBe(2);
    expect(await section().getByRole('link', { name: AGREEMENTS.document }).getAttribute('href')).toContain('AC-');
    expect(await button(new RegExp(`^${DEBT.withdraw}`)).getAttribute('aria-disabled')).toBe('true');
    expect(await faultsOf(window, `/dividas/${idOf('Ana Souza')}`)).toEqual([]);
    await window.show({ width: 1280, theme: 'light' });
  });

  it('cancels an agreement with a reason, and keeps it among the earlier ones', async () => {
    await window.visit(`/dividas/${idOf('Ana Souza')}`);
    await button(AGREEMENTS.cancel).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(AGREEMENTS.cancelText).waitFor();
    await dialog.getByLabel(AGREEMENTS.cancelReason).fill('Combinado com a pessoa errada');
    await dialog.getByRole('button', { name: AGREEMENTS.cancel }).click();
    await page.getByText(AGREEMENTS.cancelled).waitFor();
    await section().getByText(AGREEMENTS.past).waitFor();
    await section().locator('summary').click();
    await section()
      .getByText(/^1ª parcela/)
      .waitFor();
    expect(await faultsOf(window, `/dividas/${idOf('Ana Souza')}`)).toEqual([]);
    await window.show({ width: 1280, theme: 'light' });
  });

  it('says that an offer has ended meanwhile', async () => {
    await window.visit(`/dividas/${idOf('Bruno Dias')}`);
    await button(`${AGREEMENTS.accept} da oferta 1`).click();
    await setPolicy(null);
    await setPolicy(OFFERS_POLICY);
    await page.getByRole('dialog').getByRole('button', { name: AGREEMENTS.accept }).click();
    await page.getByRole('alert').getByText(COMMON.summary).waitFor();
    await page.getByRole('button', { name: COMMON.cancel, exact: true }).click();
    expect((await client.call('GET', '/api/agreements?status=ACTIVE')).body.items).toEqual([]);
  });
});

describe('the list of agreements', () => {
  it('shows them with what comes next, filters by status and campaign, and leads to one and its debts', async () => {
    const { id } = await agree(idOf('Bruno Dias'), 5);
    await window.visit('/acordos');
    const rows = page.getByRole('row');
    await page.getByRole('link', { name: 'Bruno Dias', exact: true }).waitFor();
    expect(await rows.count()).toBe(3);
    await page.getByLabel(AGREEMENTS.status).selectOption('ACTIVE');
    await page.getByRole('link', { name: 'Ana Souza', exact: true }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?situacao=ACTIVE');
    expect(await rows.last().textContent()).toContain('Bruno Dias');
    await page.getByLabel(AGREEMENTS.campaign).selectOption(campaignId);
    await page.getByLabel(AGREEMENTS.status).selectOption('BROKEN');
    await page.getByText(AGREEMENTS.none).waitFor();
    await button(COMMON.clearFilters).click();
    await page.getByRole('link', { name: 'Bruno Dias', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Bruno Dias' }).waitFor();
    expect(await page.title()).toBe('Acordo · Quita');
    expect(new URL(page.url()).pathname).toBe(`/acordos/${id}`);
    await page.getByRole('link', { name: AGREEMENTS.debt(1, 1) }).click();
    await page.waitForURL(`**/dividas/${idOf('Bruno Dias')}`);
    for (const path of ['/acordos', `/acordos/${id}`]) expect(await faultsOf(window, path)).toEqual([]);
    await window.show({ width: 1280, theme: 'light' });
  });

  it('has the debts of agreements as a group and a status of the table', async () => {
    await window.visit('/dividas');
    await button('Em acordo').click();
    await page.getByRole('link', { name: 'Carla Reis' }).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Bruno Dias' }).waitFor();
  });

  it('says why an agreement waits', async () => {
    await app.query(`update agreements set stopped_because = 'hardship' where status = 'ACTIVE'`);
    await window.visit(`/dividas/${idOf('Bruno Dias')}`);
    await section().getByText(AGREEMENTS.stopped('hardship')).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('the rehearsal of a draft', () => {
  it('says of how many debts something may be offered, and nothing of offers without a policy', async () => {
    await setPolicy(OFFERS_POLICY);
    const draft = await client.createCampaign('Rascunho');
    await client.importJson(
      draft,
      [100, 101, -10].map((daysLate, at) =>
        debtInput(at + 50, { dueDate: addDays(today, -daysLate), originalAmount: 1000 }),
      ),
    );
    const offered = page.locator('dl > div').filter({ hasText: REHEARSAL.offered });
    await window.visit(`/campanhas/${draft}/ensaio`);
    expect(await offered.textContent()).toBe(
      `${REHEARSAL.offered}${REHEARSAL.debts(2)}${REHEARSAL.offeredNote(2000, 1400)}`,
    );
    await setPolicy(null);
    await window.visit(`/campanhas/${draft}/ensaio`);
    await page.getByText(REHEARSAL.total, { exact: true }).waitFor();
    expect(await offered.count()).toBe(0);
    await setPolicy(OFFERS_POLICY);
  });
});

describe('a person who wants to negotiate, in the inbox', () => {
  it('stands beside the offers, and one press closes the case', async () => {
    const id = idOf('Carla Reis');
    await app.query(`update debts set status = 'ON_HOLD' where id = $1`, [id]);
    await app.query(`insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'negotiate')`, [
      client.id,
      id,
    ]);
    await window.visit(`/atendimento/${id}`);
    const offers = page.getByRole('region', { name: INBOX.offers });
    await offers.getByText(/^Oferta 1:/).waitFor();
    await offers.getByRole('button', { name: AGREEMENTS.make }).waitFor();
    expect(await faultsOf(window, `/atendimento/${id}`)).toEqual([]);
    await window.show({ width: 1280, theme: 'light' });
    await window.visit(`/atendimento/${id}`);
    await offers.getByRole('button', { name: `${AGREEMENTS.accept} da oferta 1` }).click();
    await page.getByRole('dialog').getByRole('button', { name: AGREEMENTS.accept }).click();
    await page.getByText(/^Acordo AC-.* registrado\.$/).waitFor();
    expect((await client.call('GET', `/api/debts/${id}`)).body.status).toBe('AGREEMENT');
    expect((await client.call('GET', '/api/inbox')).body.items).toEqual([]);
    await window.visit(`/atendimento/${id}`);
    const withdraw = button(new RegExp(`^${INBOX.withdraw}`));
    expect(await withdraw.getAttribute('aria-disabled')).toBe('true');
    expect(await withdraw.textContent()).toContain(INBOX.withdrawAgreement);
  });
});
