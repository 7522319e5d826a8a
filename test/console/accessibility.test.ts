import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { ROOT } from '../startup/support.ts';
import { makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

/** The addresses of all screens as the console itself lists them, so that a new screen is looked at too. */
const [OPEN_SCREENS, SIGNED_IN_SCREENS] = readFileSync(join(ROOT, 'web/src/app.tsx'), 'utf8')
  .split('const SIGNED_IN')
  .map((part) => [...part.matchAll(/\['(\/[^']*)', \w/g)].map(([, path]) => path!)) as [string[], string[]];

/** The ids that stand in the address of a screen, by its first segment. */
const ids = new Map<string, string>();
const addressOf = (screen: string): string =>
  screen.replace(/\/:\w+\?/, '').replace(/:\w+/, () => ids.get(screen.split('/')[1]!) ?? 'missing');

const app = await opened(startApp());

/** Launches a campaign and records that one of its debtors accepted the first offer. */
async function agreementOf(campaignId: string, token: string): Promise<string> {
  await app.call('PUT', '/api/offers/policy', { bearer: token, body: OFFERS_POLICY });
  await app.post(`/api/campaigns/${campaignId}/launch?sandbox=true`, undefined, token);
  type Ids = { items: { id: string }[] };
  for (const { id } of (await app.get<Ids>(`/api/campaigns/${campaignId}/debts?limit=100`, token)).body.items) {
    const [offer] = (await app.get<Ids>(`/api/debts/${id}/offers`, token)).body.items;
    if (offer === undefined) continue;
    return (await app.post<{ id: string }>(`/api/debts/${id}/offers/${offer.id}/accept`, undefined, token)).body.id;
  }
  throw new Error('None of the debts has an offer');
}

describe('without a sign-in', () => {
  let window: Console;
  beforeAll(async () => {
    window = await openConsole(app);
  });

  it('there are screens to look at', () => {
    expect(OPEN_SCREENS).toContain('/entrar');
  });

  it.each(OPEN_SCREENS)('%s can be used by everybody, in both themes and at both widths', async (screen) => {
    expect(await faultsOf(window, addressOf(screen))).toEqual([]);
  });
});

describe('signed in', () => {
  let window: Console;
  beforeAll(async () => {
    const client = await makeClient(app);
    const campaign = await app.post<{ id: string }>('/api/sandbox/example', undefined, client.token);
    ids.set('campanhas', campaign.body.id);
    const debts = await app.get<{ items: { id: string }[] }>(
      `/api/campaigns/${campaign.body.id}/debts?limit=1`,
      client.token,
    );
    ids.set('dividas', debts.body.items[0]!.id);
    ids.set('acordos', await agreementOf(campaign.body.id, client.token));
    window = await openConsole(app, { client });
  });

  it('there are screens to look at', () => {
    expect(SIGNED_IN_SCREENS).toEqual(expect.arrayContaining(['/', '/campanhas/:id', '/dividas/:id', '/acordos/:id']));
  });

  it.each([...SIGNED_IN_SCREENS, '/campanhas/a/b/c'])(
    '%s can be used by everybody, in both themes and at both widths',
    async (screen) => {
      expect(await faultsOf(window, addressOf(screen))).toEqual([]);
      expect(window.page.url()).not.toContain('missing');
    },
  );
});
