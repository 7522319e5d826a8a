import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { EVENT_CHOICE, EVENT_TYPE } from '../../web/src/texts/event-types.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

const app = await opened(startApp());
const client = await makeClient(app);
const window = await openConsole(app, { client });

describe('the addresses of the company’s own systems', () => {
  it('hear of the chosen events only, or of all when none is chosen', async () => {
    const { page } = window;
    await window.visit('/conta/integracoes');
    await page.getByText(EVENT_CHOICE.title).click();
    await page.getByRole('checkbox', { name: EVENT_TYPE['payment.approved'] }).check();
    await page.getByLabel(ACCOUNT.url).fill('https://receiver.example/pagamentos');
    await page.getByRole('button', { name: ACCOUNT.addWebhook }).click();
    await page.getByRole('dialog').getByRole('button', { name: COMMON.close }).last().click();
    await page.getByText(`${ACCOUNT.types}: payment.approved`).waitFor();
    await page.getByLabel(ACCOUNT.url).fill('https://receiver.example/tudo');
    await page.getByRole('button', { name: ACCOUNT.addWebhook }).click();
    await page.getByRole('dialog').getByRole('button', { name: COMMON.close }).last().click();
    await page.getByText(`${ACCOUNT.types}: ${ACCOUNT.allTypes}`).waitFor();
    const listed = await app.get<{ items: { types: string[] }[] }>('/api/webhooks', client.token);
    expect(listed.body.items.map(({ types }) => types.length).sort()).toEqual(
      [1, Object.keys(EVENT_TYPE).length].sort(),
    );
  });

  it('can be used by everybody', async () => {
    expect(await faultsOf(window, '/conta/integracoes')).toEqual([]);
  });
});
