import { axeViolations } from './accessibility.ts';
import type { Console, Theme } from './console.ts';

const THEMES: readonly Theme[] = ['light', 'dark'];
const WIDTHS = [1280, 320];

/**
 * Looks at what a window shows now in both themes and at both widths, without loading it again. `isBusy`: something under
 * a dialog waits for its answer, and is not ready before.
 */
export async function faultsHere(window: Console, name: string, { isBusy = false } = {}): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await window.show({ theme, width });
      if (!isBusy) await window.ready();
      const found = await axeViolations(window.page);
      faults.push(...found.map((one) => `${name} ${theme} ${width}: ${one}`));
    }
    if (await window.scrollsSideways()) faults.push(`${name} ${width}: the page scrolls sideways`);
  }
  await window.show({ theme: THEMES[0]!, width: WIDTHS[0]! });
  return faults;
}

/** Looks at a screen in both themes and at both widths. */
export async function faultsOf(window: Console, path: string): Promise<string[]> {
  await window.show({ theme: THEMES[0]!, width: WIDTHS[0]! });
  await window.visit(path);
  return faultsHere(window, path);
}
