import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUILT_CONSOLE } from '../../../src/platform/http/console.ts';

/** The name of the console's page among its built files. */
export const PAGE = 'index.html';
/** That of the operators' console. */
export const OPERATORS_PAGE = 'operador.html';

export const builtFile = (name: string): Buffer => readFileSync(join(BUILT_CONSOLE, name));

const attributes = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, address]) => address!.replace(/^\/console\//, ''));

/** The scripts that a script imports before it runs. Imports by `import()` are loaded later. */
const staticImports = (name: string): string[] => {
  const source = builtFile(name).toString();
  return [...source.matchAll(/(?:^|[;}\s])(?:import|export)[^'"()]{0,2000}?["']\.\/([\w.-]+\.js)["']/g)].map(
    ([, file]) => `assets/${file}`,
  );
};

/** What a browser loads before it shows anything: what the page names, and what those scripts import. */
export function firstLoad(name = PAGE): { readonly scripts: readonly string[]; readonly styles: readonly string[] } {
  const page = builtFile(name).toString();
  const scripts = new Set<string>();
  const waiting = [
    ...attributes(page, /<script[^>]* src="([^"]+)"/g),
    ...attributes(page, /<link[^>]* rel="modulepreload"[^>]* href="([^"]+)"/g),
  ];
  for (let script = waiting.pop(); script !== undefined; script = waiting.pop()) {
    if (scripts.has(script)) continue;
    scripts.add(script);
    waiting.push(...staticImports(script));
  }
  return {
    // The largest one first.
    scripts: [...scripts].toSorted((a, b) => builtFile(b).length - builtFile(a).length),
    styles: attributes(page, /<link[^>]* rel="stylesheet"[^>]* href="([^"]+)"/g),
  };
}

/** Kilobytes (1000 bytes) as gzip sends them, which is what the budgets count. */
export const gzipKilobytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(builtFile(name), { level: 9 }).length, 0) / 1000;

/** The scripts and styles that are loaded only when a screen needs them. */
export function lazyFiles(): readonly string[] {
  const first = new Set(
    [PAGE, OPERATORS_PAGE].map((page) => firstLoad(page)).flatMap(({ scripts, styles }) => [...scripts, ...styles]),
  );
  return readdirSync(join(BUILT_CONSOLE, 'assets'))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => `assets/${name}`)
    .filter((name) => !first.has(name));
}
