import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { audit as runAudit } from './run.ts';

const SCRIPT = fileURLToPath(new URL('../audit.ts', import.meta.url));
const LOCK = {
  packages: {
    '': { name: 'product', version: '1.0.0' },
    'node_modules/safe': { version: '1.0.0' },
    'node_modules/old': { version: '1.0.0' },
    'node_modules/safe/node_modules/old': { version: '2.0.0', dev: true },
    'node_modules/renamed': { name: '@scope/real', version: '3.0.0', dev: true },
    'node_modules/here': { link: true },
  },
};
const REFUSED = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 });

interface Question {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly version: string;
  readonly page_token?: string;
}
/** The data of the fake server: ids by `name@version` and page, and the advisories. */
interface Knowledge {
  readonly pages?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly advisories?: Readonly<Record<string, object>>;
}

/** A fake of https://google.github.io/osv.dev/api: a page token belongs to one query of the batch. */
const startOsv = async ({ pages = {}, advisories = {} }: Knowledge) => {
  const asked: Question[][] = [];
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (request.method === 'GET') {
      const id = decodeURIComponent((request.url ?? '').replace('/v1/vulns/', ''));
      const known = advisories[id];
      send(known === undefined ? 404 : 200, known === undefined ? {} : { id, ...known });
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { queries } = JSON.parse(body) as { queries: Question[] };
    asked.push(queries);
    const results = queries.map(({ package: { name }, version, page_token: token }) => {
      const known = pages[`${name}@${version}`] ?? [];
      const page = Number(token ?? 0);
      const vulns = (known[page] ?? []).map((id) => ({ id, modified: '2026-01-01T00:00:00Z' }));
      return vulns.length === 0
        ? {}
        : { vulns, ...(page + 1 < known.length ? { next_page_token: String(page + 1) } : {}) };
    });
    send(200, { results });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => server.close() };
};

let folder = '';
let osv: Awaited<ReturnType<typeof startOsv>> | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quita-audit-'));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK));
});
afterEach(() => {
  osv?.close();
  osv = undefined;
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const FAILING = 'process.exitCode = 1';
/** Writes a fake `npm` that prints the given text as the answer of the registry. */
const prepare = async (options: { npm?: string; knows?: Knowledge; accepted?: unknown }) => {
  if (options.knows !== undefined) osv = await startOsv(options.knows);
  const npm = join(folder, 'npm.js');
  writeFileSync(npm, `process.stdout.write(${JSON.stringify(options.npm ?? REFUSED)});${FAILING}`);
  const acceptedFile = join(folder, 'accepted.json');
  writeFileSync(acceptedFile, JSON.stringify(options.accepted ?? []));
  return { folder, acceptedFile, npm, osvUrl: osv?.url ?? 'http://127.0.0.1:9', today: new Date() };
};
const audit = async (options: Parameters<typeof prepare>[0]) => runAudit(await prepare(options));

const high = (change: object = {}) => ({ summary: 'Lets in', database_specific: { severity: 'HIGH' }, ...change });

describe('npm run audit over OSV', () => {
  it('asks for each package and version once, by its real name, and passes when there is no advisory', async () => {
    const summary = '4 packages, answered by OSV: 0 advisories, 0 accepted';
    expect(await audit({ knows: {} })).toEqual({ code: 0, lines: [], summary });
    expect(osv?.asked).toEqual([
      [
        { package: { ecosystem: 'npm', name: 'safe' }, version: '1.0.0' },
        { package: { ecosystem: 'npm', name: 'old' }, version: '1.0.0' },
        { package: { ecosystem: 'npm', name: 'old' }, version: '2.0.0' },
        { package: { ecosystem: 'npm', name: '@scope/real' }, version: '3.0.0' },
      ],
    ]);
  });

  it('lists package, version and severity, the worst first, and marks development packages', async () => {
    const { code, lines, summary } = await audit({
      knows: {
        pages: { 'old@1.0.0': [['GHSA-low']], 'old@2.0.0': [['GHSA-high']], 'safe@1.0.0': [['MAL-1', 'OSV-2']] },
        advisories: {
          'GHSA-low': { summary: 'A little', database_specific: { severity: 'LOW' } },
          'GHSA-high': high(),
          'MAL-1': { details: 'Steals keys\nin many words' },
          'OSV-2': { summary: 'Nobody said how bad' },
        },
      },
    });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['unknown', 'safe@1.0.0', 'OSV-2', 'Nobody said how bad'],
      ['critical', 'safe@1.0.0', 'MAL-1', 'Steals keys'],
      ['high', 'old@2.0.0 (development)', 'GHSA-high', 'Lets in'],
      ['low', 'old@1.0.0', 'GHSA-low', 'A little'],
    ]);
    expect(summary).toContain('4 advisories');
  });

  it('reads every page of every answer', async () => {
    const pages = { 'old@1.0.0': [['A'], ['B'], ['C']], 'safe@1.0.0': [['D'], ['E']] };
    const advisories = Object.fromEntries([...'ABCDE'].map((id) => [id, high()]));
    const { lines } = await audit({ knows: { pages, advisories } });
    expect(lines.map((line) => line.split(/ {2,}/)[2]).sort()).toEqual([...'ABCDE']);
    expect(
      osv?.asked.map((queries) => queries.map((one) => `${one.package.name} ${one.page_token ?? ''}`.trim())),
    ).toEqual([['safe', 'old', 'old', '@scope/real'], ['safe 1', 'old 1'], ['old 2']]);
  });

  it('leaves out withdrawn advisories and aliases of the same advisory', async () => {
    const { code, lines } = await audit({
      knows: {
        pages: { 'old@1.0.0': [['GHSA-gone', 'GHSA-real', 'CVE-1']] },
        advisories: {
          'GHSA-gone': high({ withdrawn: '2026-02-01T00:00:00Z' }),
          'GHSA-real': high({ aliases: ['CVE-1'] }),
          'CVE-1': high({ aliases: ['GHSA-real'] }),
        },
      },
    });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(/ {2,}/)[2])).toEqual(['GHSA-real']);
  });

  it('reports in one line that no source answered, with an exit code of its own', async () => {
    const { acceptedFile, npm, osvUrl } = await prepare({});
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [SCRIPT, '--folder', folder, '--accepted', acceptedFile],
      { env: { PATH: process.env['PATH'], npm_execpath: npm, OSV_URL: osvUrl }, encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toContain(
      'The audit could not be done: the registry’s audit endpoint answered 405, and 127.0.0.1:9 is not reachable; 4 packages were not looked up',
    );
    expect(stderr).toContain('`npm_config_registry=https://registry.npmjs.org npm run audit`');
  });

  it('does not pass when an answer could not be read completely', async () => {
    const { code, summary } = await audit({ knows: { pages: { 'old@1.0.0': [['UNKNOWN-TO-IT']] } } });
    expect(code).toBe(3);
    expect(summary).toContain('answered 404');
  });
});

describe('npm run audit over the registry', () => {
  const report = {
    auditReportVersion: 2,
    vulnerabilities: {
      old: {
        nodes: ['node_modules/old'],
        via: [
          {
            ...{ source: 7, title: 'Lets in', severity: 'moderate', range: '<2' },
            url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
          },
        ],
      },
      safe: { nodes: ['node_modules/safe'], via: ['old'] },
    },
  };

  it('is asked first, and names the package with the advisory, not the packages that depend on it', async () => {
    const { code, lines } = await audit({ npm: JSON.stringify(report), knows: {} });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^moderate {2}old@1\.0\.0 {2}GHSA-aaaa-bbbb-cccc {2}Lets in/)]);
    expect(osv?.asked).toEqual([]);
  });

  it('passes when the registry knows no advisory', async () => {
    const { code, summary } = await audit({ npm: JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }) });
    expect(code).toBe(0);
    expect(summary).toContain('answered by the registry');
  });

  it.each(['', 'not JSON', '{"vulnerabilities":{}}'])('asks OSV after the answer %j', async (npm) => {
    expect(await audit({ npm, knows: {} })).toMatchObject({ code: 0, summary: expect.stringContaining('by OSV') });
  });
});

describe('accepted advisories', () => {
  const knows = {
    pages: { 'old@1.0.0': [['GHSA-high']], 'safe@1.0.0': [['GHSA-high']] },
    advisories: { 'GHSA-high': high({ aliases: ['CVE-2026-1'] }) },
  };
  const entry = (change: object = {}) => ({
    id: 'GHSA-high',
    package: 'old',
    reason: 'The product never calls the part that is weak.',
    expires: inDays(30),
    ...change,
  });

  it('are printed with their reason, and apply to their package alone, by any name of the advisory', async () => {
    const { code, lines } = await audit({ knows, accepted: [entry({ id: 'CVE-2026-1' })] });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['high', 'safe@1.0.0'],
      ['accepted', 'old@1.0.0'],
    ]);
    osv?.close();
    expect((await audit({ knows, accepted: [entry(), entry({ package: 'safe' })] })).code).toBe(0);
  });

  it('apply until the end of their last day', async () => {
    const list = (expires: string) => [entry({ expires }), entry({ package: 'safe', expires })];
    expect((await audit({ knows, accepted: list(inDays(0)) })).code).toBe(0);
    osv?.close();
    const late = await audit({ knows, accepted: list(inDays(-1)) });
    expect(late.code).toBe(1);
    expect(late.lines).toContainEqual(expect.stringMatching(/^expired {3}old {2}GHSA-high {2}was accepted until /));
  });

  it('are listed when no finding matches them any more', async () => {
    const { code, lines } = await audit({ knows: {}, accepted: [entry()] });
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^unused {4}old/);
  });

  it.each([
    [[{ id: 'GHSA-high', package: 'old' }]],
    [[{ ...entry(), reason: 'no' }]],
    [[{ ...entry(), expires: 'never' }]],
    [[{ ...entry(), expires: inDays(400) }]],
    [{}],
  ])('an invalid list stops the audit: %j', async (accepted) => {
    expect(await audit({ knows: {}, accepted })).toMatchObject({
      code: 2,
      summary: expect.stringContaining('The list of accepted advisories is wrong'),
    });
  });
});
