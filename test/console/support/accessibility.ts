import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/**
 * Returns what axe finds by all its rules, WCAG 2.2 AA and its good practices among them. The script runs through the
 * debugger, because the page's own policy forbids injected scripts.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`typeof axe !== 'undefined'`))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id} (${help}): ${html}\n  ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

const sessions = new WeakMap<Page, CDPSession>();

/** What a screen reader says of the element that has the focus. */
export async function focused(page: Page): Promise<{ readonly role: string; readonly name: string }> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId!,
    fetchRelatives: false,
  });
  return { role: String(nodes[0]?.role?.value ?? ''), name: String(nodes[0]?.name?.value ?? '').trim() };
}

/** Moves the focus by the Tab key until it is on the element of this accessible name. */
export async function pressTabUntil(
  page: Page,
  name: string | RegExp,
  { role, most = 60, backwards = false }: { role?: string; most?: number; backwards?: boolean } = {},
): Promise<void> {
  const passed: string[] = [];
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    const at = await focused(page);
    passed.push(`${at.role} "${at.name}"`);
    const isNamed = typeof name === 'string' ? at.name === name : name.test(at.name);
    if (isNamed && (role === undefined || at.role === role)) return;
  }
  throw new Error(`No ${role ?? 'element'} named ${name} within ${most} Tabs: ${passed.join(', ')}`);
}
