import { describe, expect, it } from '@jest/globals';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { SIMULATOR } from '../../web/src/texts/simulator.ts';
import { openConsole } from './support/console.ts';

const DAY = 86_400_000;

const app = await opened(startCollectionApp({ env: { SANDBOX_MAX_WAIT: '4s' } }));
const client = await app.newClient();
const staff = collector(client);
const silent: string = await staff.launchOne({ debtorName: 'Bruno Dias' }, 31);
await staff.reaches(silent, 'the first message', ({ status }) => status === 'IN_COLLECTION');
const window = await openConsole(app, { client });

const button = (name: string) => window.page.getByRole('button', { name, exact: true });

describe('the simulator', () => {
  it('pauses the clock, lets a day pass and lets it run again', async () => {
    const ownTime = async () => Date.parse((await staff.debt(silent)).clock ?? '');
    await window.visit(`/simulador/${silent}`);
    await button('Pausar o relógio').click();
    await window.page.getByText('O relógio está pausado').waitFor();
    const held = await ownTime();
    await button('Avançar um dia').click();
    await until('a day has passed', async () => (await ownTime()) > held + DAY);
    await window.visit(`/simulador/${silent}`);
    await button('Deixar correr').click();
    await window.page.getByText('Os dias passam em segundos').waitFor();
    await until('days pass', async () => (await ownTime()) > held + 3 * DAY);
  });

  it('names the day of messages', async () => {
    const days = window.page.getByRole('listitem').filter({ hasText: /^\S+, \d{1,2}/ });
    await until('messages of two days', async () => (await days.count()) > 1);
  });

  it('shows the mails of the account that no mail server has sent', async () => {
    await window.visit('/simulador');
    await window.page.getByText(SIMULATOR.mails).click();
    const mail = window.page.getByText('Quita: confirme este e-mail');
    await mail.waitFor();
    expect(await mail.textContent()).toMatch(/\/confirm-email#\S{20,}/);
  });
});
