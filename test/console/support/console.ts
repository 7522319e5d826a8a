import { readFileSync } from 'node:fs';
import { afterEach } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { App } from '../../../testing/app.ts';
import { startBrowser } from '../../../testing/browser.ts';
import { opened } from '../../../testing/opened.ts';
import type { ConsoleClient } from './client.ts';
import { type Allowed, type Watch, watchPage } from './watch.ts';

export type Theme = 'light' | 'dark';

export interface View {
  readonly theme?: Theme;
  /** The width of the window in CSS pixels: 320 for a phone with large text, 1280 for a desk. */
  readonly width?: number;
  readonly reducedMotion?: boolean;
}

export interface ConsoleOptions extends View {
  /**
   * Answers of 400 and more that the test expects, as `401 POST /api/session/token`. Each other one is a failure of the
   * test.
   */
  readonly allowed?: readonly Allowed[];
  /** The client that is signed in. */
  readonly client?: Pick<ConsoleClient, 'email' | 'password'>;
}

const IN_PAGE = readFileSync(new URL('in-page.js', import.meta.url), 'utf8');
const HEIGHT = 800;
const READY_MS = 60_000;
/** The time without a request after which the answers of a screen are taken for complete. */
const QUIET_MS = 100;

/** A screen is ready when its heading is there and nothing of it is still being loaded. */
const IS_DRAWN = `document.querySelector('h1') !== null
  && document.querySelector('[class*="skeleton"], [aria-busy="true"]') === null
  && document.fonts.status === 'loaded'`;

export interface Vitals {
  /** Milliseconds until the largest element was drawn. */
  readonly lcp: number;
  readonly cls: number;
  /** The longest time from an input to the next picture, in milliseconds. */
  readonly inp: number;
}

let browser: Promise<Browser> | undefined;
const open = new Set<Console>();

afterEach(() => {
  const problems = [...open].flatMap(({ takeProblems }) => takeProblems());
  if (problems.length > 0) throw new Error(`The console did what it must not do:\n${problems.join('\n')}`);
});

/**
 * Opens a browser window for the console. All windows of a test file share one Chromium. After each test every window is
 * checked: a violation of the page's policy, a script error, an entry of the browser's error log, a request to another
 * host, or a refused request that is not allowed fails the test.
 */
export async function openConsole({ url }: Pick<App, 'url'>, options: ConsoleOptions = {}) {
  browser ??= opened(startBrowser());
  const context = await (await browser).newContext({
    baseURL: url,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const watch = await watchPage(page, url, options.allowed ?? []);
  await context.addInitScript(IN_PAGE);
  const console = consoleOf(context, page, watch);
  open.add(console);
  await console.show({ theme: 'light', width: 1280, reducedMotion: true, ...options });
  if (options.client !== undefined) await console.signIn(options.client);
  return console;
}

export type Console = ReturnType<typeof consoleOf>;

function consoleOf(context: BrowserContext, page: Page, watch: Watch) {
  const ready = async (): Promise<void> => {
    // Playwright's own waiting for an expression runs outside the debugger's call, where the page's policy forbids it.
    const deadline = Date.now() + READY_MS;
    while (watch.quietMs() < QUIET_MS || !(await page.evaluate<boolean>(IS_DRAWN))) {
      if (Date.now() > deadline) {
        throw new Error(`${page.url()} is not ready; it waits for ${watch.underWay().join(', ') || 'its heading'}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const console = {
    context,
    page,
    ready,
    /** What went wrong since the last look. The check after each test takes it too. */
    takeProblems: watch.takeProblems,
    /** Expects these refusals too from now on. */
    allow: watch.allow,
    /** Changes theme, width and motion of the window; the page stays. */
    async show({ theme, width, reducedMotion }: View): Promise<void> {
      await page.emulateMedia({
        ...(theme !== undefined && { colorScheme: theme }),
        ...(reducedMotion !== undefined && { reducedMotion: reducedMotion ? 'reduce' : 'no-preference' }),
      });
      if (width !== undefined) await page.setViewportSize({ width, height: HEIGHT });
    },
    /** Loads a path of the console and waits until it has its content. */
    async visit(path: string): Promise<void> {
      await page.goto(path);
      await ready();
    },
    /**
     * Signs in by the API. The window shares the cookie, and the page finds it at the next visit because of the mark that
     * it keeps in the browser's storage.
     */
    async signIn({ email, password }: Pick<ConsoleClient, 'email' | 'password'>): Promise<void> {
      const answer = await context.request.post('/api/session', {
        data: { email, password, remember: false },
        headers: { origin: watch.url },
      });
      if (answer.status() !== 200) throw new Error(`POST /api/session: ${answer.status()} ${await answer.text()}`);
      if (!page.url().startsWith(watch.url)) await page.goto('/entrar');
      await page.evaluate(`localStorage.setItem('quita-session', 'in')`);
    },
    /** Makes the page's processor slower by this factor, as on a cheap phone. */
    async slowDown(rate: number): Promise<void> {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate });
    },
    /** What the page measured since it was loaded. */
    async vitals(): Promise<Vitals> {
      return page.evaluate<Vitals>(`({
        lcp: seenByTest.lcp, cls: seenByTest.cls, inp: Math.max(0, ...seenByTest.interactions.values()),
      })`);
    },
    /** A page that can be scrolled sideways cannot be read on a small screen. */
    scrollsSideways: () => page.evaluate<boolean>('document.scrollingElement.scrollWidth > innerWidth'),
    async close(): Promise<void> {
      await context.close();
    },
  };
  return console;
}
