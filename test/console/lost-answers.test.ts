import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { PROBLEM_TEXT } from '../../web/src/texts/problem-texts.ts';
import { REFUNDS } from '../../web/src/texts/refunds.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
const window = await openConsole(app, { client, allowed: [/^failed POST /, /^4(?:00|09) POST .*\/messages$/] });
const { page } = window;
const dialog = page.getByRole('dialog');
const conversation = page.getByRole('region', { name: INBOX.conversation, exact: true });
const field = conversation.getByLabel(INBOX.answer);
const send = page.getByRole('button', { name: INBOX.send, exact: true });
const anyway = page.getByRole('button', { name: INBOX.sendAnyway, exact: true });

const waiting = async (debtorName: string, n: number): Promise<string> => {
  const id: string = await staff.launchOne({ debtorName }, n);
  await staff.say(id, 'Quero falar com um atendente');
  await staff.reaches(id, `${debtorName} is heard`, (debt) => debt.status === 'ON_HOLD');
  return id;
};

type Fate = (route: Route) => Promise<void>;

/** What becomes of the first posts to a path, in their order; the later ones go on. */
const meets = (path: string, ...fates: Fate[]): Promise<unknown> =>
  page.route(path, (route) => {
    const fate = route.request().method() === 'POST' ? fates.shift() : undefined;
    return fate === undefined ? route.continue() : fate(route);
  });
const goesOn: Fate = (route) => route.continue();
/** The service does what it is asked for, and its answer is lost. */
const losesAnswer: Fate = async (route) => {
  await route.fetch();
  await route.abort();
};
const stillRuns: Fate = (route) =>
  route.fulfill({
    status: 409,
    contentType: 'application/problem+json',
    body: JSON.stringify({ status: 409, code: 'idempotency_running', title: 'Running', requestId: 'none' }),
  });

/** Waits until the console says that an answer was lost, of which the browser has written a line. */
async function readsOffline(): Promise<void> {
  await page.getByText(PROBLEM_TEXT.offline).first().waitFor();
  expect(window.takeProblems()).toEqual(['error log: Failed to load resource: net::ERR_FAILED']);
}

/** Sends what is written, and counts how often it has left by the time that a second message has left after it. */
async function timesSent(id: string, words: string): Promise<number> {
  await until('the field is empty', async () => (await field.inputValue()) === '');
  await field.fill('Até mais!');
  await send.click();
  const texts = await until('the next message leaves', async () => {
    const box: { text: string }[] = await staff.outbox(id);
    return box.some(({ text }) => text.includes('Até mais!')) ? box.map(({ text }) => text) : null;
  });
  return texts.filter((text) => text.includes(words)).length;
}

describe('what is pressed again after its answer was lost', () => {
  const debts = { davi: '', elisa: '', fabio: '', iara: '', joana: '', lucas: '' };

  beforeAll(async () => {
    debts.davi = await waiting('Davi Melo', 33);
    debts.elisa = await waiting('Elisa Nunes', 34);
    debts.fabio = await waiting('Fabio Costa', 35);
    debts.joana = await waiting('Joana Pires', 61);
    debts.lucas = await waiting('Lucas Reis', 71);
    debts.iara = await staff.launchOne({ debtorName: 'Iara Prado' }, 51);
    await staff.reaches(debts.iara, 'the contact', (debt) => debt.status === 'IN_COLLECTION');
    await staff.call('POST', `/api/sandbox/debts/${debts.iara}/pay`);
    await staff.reaches(debts.iara, 'the payment', (debt) => debt.status === 'PAID');
  });

  afterEach(() => page.unrouteAll());

  const paymentsOf = async (id: string) => (await client.call('GET', `/api/debts/${id}/payments`)).body.items;

  it('records a payment once, also when the dialog was closed meanwhile', async () => {
    await window.visit(`/dividas/${debts.davi}`);
    await meets('**/settle', losesAnswer);
    const record = async (): Promise<void> => {
      await page.getByRole('button', { name: INBOX.settle }).first().click();
      await dialog.getByLabel(INBOX.settleAmount).fill('10,00');
      await dialog.getByRole('button', { name: INBOX.settle, exact: true }).click();
    };
    await record();
    await readsOffline();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: COMMON.discard }).click();
    await dialog.waitFor({ state: 'detached' });
    await record();
    await dialog.waitFor({ state: 'detached' });
    const paid = async () =>
      (await paymentsOf(debts.davi))
        .filter(({ provider }: { provider: string }) => provider === 'outside')
        .map((payment: { paid: number }) => payment.paid);
    expect(await paid()).toEqual([10]);
    // The same amount once more, after the first is known to be there, is another payment.
    await record();
    await dialog.waitFor({ state: 'detached' });
    expect(await paid()).toEqual([10, 10]);
  });

  it('gives money back once', async () => {
    await window.visit(`/dividas/${debts.iara}`);
    await meets('**/refund', losesAnswer);
    await page.getByRole('button', { name: REFUNDS.give, exact: true }).first().click();
    await dialog.getByLabel(REFUNDS.amount).fill('10,00');
    await dialog.getByLabel(REFUNDS.reason).fill('Pagou dez reais a mais.');
    const give = dialog.getByRole('button', { name: REFUNDS.give, exact: true });
    await give.click();
    await readsOffline();
    await give.click();
    await dialog.waitFor({ state: 'detached' });
    const refunds = (await paymentsOf(debts.iara)).flatMap((one: { refunds: { amount: number }[] }) => one.refunds);
    expect(refunds.map(({ amount }: { amount: number }) => amount)).toEqual([10]);
  });

  it('sends an answer once, also when another case was opened meanwhile', async () => {
    const text = 'Oi, Elisa! Aqui é a Ana, da escola.';
    await window.visit(`/atendimento/${debts.elisa}`);
    await meets('**/messages', losesAnswer);
    await field.fill(text);
    await send.click();
    await readsOffline();
    for (const name of [/Fabio Costa/, /Elisa Nunes/]) {
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('heading', { name }).waitFor();
    }
    expect(await field.inputValue()).toBe(text);
    await send.click();
    expect(await timesSent(debts.elisa, text)).toBe(1);
  });

  it('sends an answer once, also when the first call still runs at the second press', async () => {
    const text = 'Oi, Joana! Aqui é a Ana, da escola.';
    await window.visit(`/atendimento/${debts.joana}`);
    await meets('**/messages', losesAnswer, stillRuns);
    await field.fill(text);
    await send.click();
    await readsOffline();
    await send.click();
    await page.getByText(PROBLEM_TEXT.idempotency_running).waitFor();
    await send.click();
    expect(await timesSent(debts.joana, text)).toBe(1);
  });

  it('sends an answer once whose warnings were confirmed, and does not ask about them again', async () => {
    const text = 'Oi, Lucas! Aqui é a Ana, da escola. Posso ligar amanhã?';
    await window.visit(`/atendimento/${debts.lucas}`);
    await meets('**/messages', goesOn, losesAnswer);
    await field.fill(text);
    await send.click();
    await anyway.click();
    await readsOffline();
    await send.click();
    expect(await timesSent(debts.lucas, text)).toBe(1);
  });
});
