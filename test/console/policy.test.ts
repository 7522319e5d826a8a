import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startApp());
const window = await openConsole(app);
await window.visit('/entrar');

/** Runs a text in the page, as a script that somebody has smuggled into it would run. */
const run = (script: string): Promise<unknown> => window.page.evaluate(`(async () => { ${script} })()`).catch(String);
const noted = async (): Promise<string> => {
  // The browser reports violations after the script has run.
  await window.page.evaluate('new Promise((done) => setTimeout(done, 100))');
  return window.takeProblems().join('\n');
};

describe('the policy of the console, in a real browser', () => {
  it.each([
    ['HTML from a text', `document.body.innerHTML = '<b>x</b>'`, 'require-trusted-types-for'],
    ['code from a text', `setTimeout(() => eval('1'))`, 'require-trusted-types-for|script-src'],
    ['a policy of its own', `trustedTypes.createPolicy('x', { createHTML: (text) => text })`, 'trusted-types'],
    ['a style attribute', `document.body.setAttribute('style', 'color: red')`, 'style-src'],
    [
      'an inline style',
      `const style = document.createElement('style'); style.textContent = 'b{}'; document.head.append(style)`,
      'style-src',
    ],
    ['a request to another host', `await fetch('https://other.example/')`, 'connect-src'],
    ['a picture of another host', `new Image().src = 'https://other.example/x.png'`, 'img-src'],
    [
      'a frame',
      `document.body.append(document.createElement('iframe')); document.querySelector('iframe').src = '/docs'`,
      'default-src|frame-src',
    ],
    [
      'a base address',
      `const base = document.createElement('base'); base.href = 'https://other.example/'; document.head.append(base)`,
      'base-uri',
    ],
  ])('refuses %s', async (_what, script, directive) => {
    await run(script);
    expect(await noted()).toMatch(new RegExp(`violation of the policy: (?:${directive})`));
  });

  it('has no violation by itself', async () => {
    await window.visit('/entrar');
    expect(await noted()).toBe('');
  });
});

describe('the check after each test', () => {
  it.each([
    ['an entry of the error log', `console.error('mistake')`, 'error log: mistake'],
    ['a script error', `setTimeout(() => { throw new Error('mistake') })`, 'script error: Error: mistake'],
    ['a rejected promise', `void Promise.reject(new Error('mistake'))`, 'script error: Error: mistake'],
    ['a refused request', `await fetch('/api/nothing?a=1')`, 'refused request: 404 GET /api/nothing'],
  ])('finds %s', async (_what, script, problem) => {
    await run(script);
    expect(await noted()).toContain(problem);
  });

  it('takes refusals that the test expects', async () => {
    window.allow('404 GET /api/expected', /^4\d\d DELETE /);
    await run(`await fetch('/api/expected'); await fetch('/api/other', { method: 'DELETE' })`);
    expect(await noted()).toBe('');
  });
});

describe('the keyboard', () => {
  it('reaches a control by its name, and is told what it passed when there is none', async () => {
    await window.visit('/entrar');
    await pressTabUntil(window.page, SIGN_IN.submit, { role: 'button' });
    expect(await focused(window.page)).toEqual({ role: 'button', name: SIGN_IN.submit });
    await expect(pressTabUntil(window.page, 'Absent', { most: 3 })).rejects.toThrow(
      /No element named Absent within 3 Tabs: .+ "/,
    );
  });
});

describe('the measures', () => {
  it('tell what the page was seen to do', async () => {
    await window.visit('/entrar');
    await window.page.keyboard.press('Tab');
    const { lcp, cls, inp } = await window.vitals();
    expect(lcp).toBeGreaterThan(0);
    expect(cls).toBeLessThan(0.02);
    expect(inp).toBeGreaterThanOrEqual(0);
  });

  it('find a page that scrolls sideways', async () => {
    await window.show({ width: 320 });
    expect(await window.scrollsSideways()).toBe(false);
    await run(`const wide = document.createElement('p'); wide.style.width = '400px'; wide.textContent = 'wide';
      document.body.append(wide)`);
    expect(await window.scrollsSideways()).toBe(true);
  });
});
