import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type App, startApp } from '../support/app.ts';
import { axeViolations } from './support/accessibility.ts';
import { type ConsoleClient, makeClient } from './support/client.ts';
import { type Console, openConsole, type Theme } from './support/console.ts';

/** The screens that need no sign-in, and those behind it. A new screen belongs in one of the lists. */
const OPEN_SCREENS = ['/entrar', '/criar-conta', '/esqueci'];
const SIGNED_IN_SCREENS = ['/', '/campanhas'];

const THEMES: readonly Theme[] = ['light', 'dark'];
const WIDTHS = [1280, 320];

let app: App;
let client: ConsoleClient;
beforeAll(async () => {
  app = await startApp();
  client = await makeClient(app);
}, 60_000);
afterAll(() => app?.close());

/** Looks at a screen in both themes and at both widths, without loading it again. */
async function faultsOf(window: Console, path: string): Promise<string[]> {
  await window.show({ theme: THEMES[0]!, width: WIDTHS[0]! });
  await window.visit(path);
  const faults: string[] = [];
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await window.show({ theme, width });
      await window.ready();
      const found = await axeViolations(window.page);
      faults.push(...found.map((one) => `${path} ${theme} ${width}: ${one}`));
    }
    if (await window.scrollsSideways()) faults.push(`${path} ${width}: the page scrolls sideways`);
  }
  return faults;
}

describe('without a sign-in', () => {
  let window: Console;
  beforeAll(async () => {
    window = await openConsole(app, { allowed: ['404 GET /api/console'] });
  });

  it.each(OPEN_SCREENS)('%s can be used by everybody, in both themes and at both widths', async (path) => {
    expect(await faultsOf(window, path)).toEqual([]);
  });
});

describe('signed in', () => {
  let window: Console;
  beforeAll(async () => {
    window = await openConsole(app, { client });
  });

  it.each(SIGNED_IN_SCREENS)('%s can be used by everybody, in both themes and at both widths', async (path) => {
    expect(await faultsOf(window, path)).toEqual([]);
  });
});
