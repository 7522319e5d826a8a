import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
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
    window = await openConsole(app, { client });
  });

  it('there are screens to look at', () => {
    expect(SIGNED_IN_SCREENS).toEqual(expect.arrayContaining(['/', '/campanhas/:id', '/dividas/:id']));
  });

  it.each([...SIGNED_IN_SCREENS, '/campanhas/a/b/c'])(
    '%s can be used by everybody, in both themes and at both widths',
    async (screen) => {
      expect(await faultsOf(window, addressOf(screen))).toEqual([]);
      expect(window.page.url()).not.toContain('missing');
    },
  );
});
