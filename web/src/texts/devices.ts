/** What marks a browser. The order decides: most browsers also name the ones that they descend from. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** A phone with Android also says Linux, and an iPhone says Mac OS X. */
const SYSTEMS = [
  ['iPhone', 'no iPhone'],
  ['iPad', 'no iPad'],
  ['Android', 'no Android'],
  ['Windows', 'no Windows'],
  ['CrOS', 'no ChromeOS'],
  ['Mac OS X', 'no Mac'],
  ['Linux', 'no Linux'],
] as const;

const found = (marks: readonly (readonly [string, string])[], userAgent: string): string | undefined =>
  marks.find(([mark]) => userAgent.includes(mark))?.[1];

/** `Chrome no Windows`, or null where nothing in it is known. A browser may say what it likes, so it is a hint only. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  const [browser, system] = [found(BROWSERS, userAgent), found(SYSTEMS, userAgent)];
  if (browser === undefined) return system === undefined ? null : `Navegador ${system}`;
  return system === undefined ? browser : `${browser} ${system}`;
}
