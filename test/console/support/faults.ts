import { axeViolations } from './accessibility.ts';
import type { Console, Theme } from './console.ts';

const THEMES: readonly Theme[] = ['light', 'dark'];
const WIDTHS = [1280, 320];

/** Looks at a screen in both themes and at both widths, without loading it again. */
export async function faultsOf(window: Console, path: string): Promise<string[]> {
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
