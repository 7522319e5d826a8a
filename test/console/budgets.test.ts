import { describe, expect, it } from '@jest/globals';
import { builtFile, firstLoad, gzipKilobytes, lazyFiles, OPERATORS_PAGE, PAGE } from './support/built.ts';

/** Kilobytes with gzip. A budget is raised only by a decision, with what the new bytes are for. */
const FIRST_SCRIPTS = 115;
const FIRST_STYLES = 12;
/** What people wait for is the sum, which is less than both budgets together. */
const FIRST_LOAD = 120;
const LAZY_FILE = 20;

describe.each([PAGE, OPERATORS_PAGE])('the built page %s', (built) => {
  const { scripts, styles } = firstLoad(built);

  it(`loads at most ${FIRST_SCRIPTS} kB of scripts and ${FIRST_STYLES} kB of styles before it shows anything`, () => {
    // React alone is more than this. Without these two lines a build that lost its files would pass.
    expect(gzipKilobytes(scripts)).toBeGreaterThan(50);
    expect(styles.length).toBeGreaterThan(0);
    expect(gzipKilobytes(scripts)).toBeLessThanOrEqual(FIRST_SCRIPTS);
    expect(gzipKilobytes(styles)).toBeLessThanOrEqual(FIRST_STYLES);
    expect(gzipKilobytes([...scripts, ...styles])).toBeLessThanOrEqual(FIRST_LOAD);
  });

  it(`loads at most ${LAZY_FILE} kB for each file of a screen`, () => {
    const sizes = lazyFiles().map((name) => ({ name, kilobytes: gzipKilobytes([name]) }));
    expect(sizes.filter(({ kilobytes }) => kilobytes > LAZY_FILE)).toEqual([]);
  });

  it('has no inline script or style, no source map and no address of another host', () => {
    const page = builtFile(built).toString();
    expect(page.match(/<script(?![^>]* src="\/console\/)/g)).toBeNull();
    expect(page.match(/<style|\sstyle=|\son\w+=/g)).toBeNull();
    for (const name of [...scripts, ...styles, ...lazyFiles()]) {
      const text = builtFile(name).toString();
      expect([name, text.includes('sourceMappingURL')]).toEqual([name, false]);
      expect([name, name.endsWith('.css') ? text.match(/url\(|@import/g) : null]).toEqual([name, null]);
    }
  });

  it('is React as users get it, without its development checks', () => {
    expect(builtFile(scripts[0]!).toString()).not.toContain('react-dom.development');
    expect(scripts.map((name) => builtFile(name).length)[0]).toBeLessThan(500_000);
  });
});
