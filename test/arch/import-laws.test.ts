import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findViolations, violationsOf } from '../../scripts/imports/find-violations.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');

/** Each case is the file in which a line of code is planted, and that line. */
const FORBIDDEN: readonly [file: string, line: string][] = [
  ['src/domain/a.ts', "import '../ports/p.ts';"],
  ['src/domain/a.ts', "import 'node:crypto';"],
  ['src/domain/a.ts', "import 'zod';"],
  ['src/domain/a.ts', "export * from '../db/d.ts';"],
  ['src/domain/a.ts', 'export const x = process.pid;'],
  ['src/domain/a.ts', 'export const x = Buffer.from([]);'],
  ['src/domain/a.ts', 'export const x = setTimeout(() => undefined, 1);'],
  ['src/ports/a.ts', "import type { X } from '../adapters/payment/sandbox/x.ts';\nexport type Y = X;"],
  ['src/ports/a.ts', "import '../db/database.ts';"],
  ['src/documents/a.ts', "import '../services/s.ts';"],
  ['src/documents/deep/a.ts', "import '../../ports/p.ts';"],
  ['src/config/a.ts', "import '../domain/errors.ts';"],
  ['src/runtime/a.ts', "import '../config/index.ts';"],
  ['src/runtime/a.ts', "import '../db/database.ts';"],
  ['src/db/a.ts', "import '../services/s.ts';"],
  ['src/db/entities/a.ts', "import '../../ports/p.ts';"],
  ['src/db/a.ts', "export const x = () => import('../temporal/gateway.ts');"],
  ['src/adapters/payment/sandbox/a.ts', "import '../../../services/s.ts';"],
  ['src/adapters/payment/sandbox/a.ts', "import '../../../db/database.ts';"],
  ['src/adapters/a.ts', "import '../config/index.ts';"],
  ['src/services/a.ts', "import '../http/app.ts';"],
  ['src/services/a.ts', "import '../adapters/mail/smtp.ts';"],
  ['src/services/a.ts', "import '../temporal/gateway.ts';"],
  ['src/services/a.ts', "import '../../workflows/contract.ts';"],
  ['src/services/a.ts', "import '@temporalio/client';"],
  ['src/services/a.ts', 'export const x = process.env;'],
  ['src/services/debts/a.ts', "import '../payments/charges.ts';"],
  ['src/services/payments/a.ts', "import '../receipts/delivery-retry.ts';"],
  ['src/services/collection/a.ts', "import '../campaigns/launch-campaign.ts';"],
  ['src/services/accounts/a.ts', "import '../debts/clock.ts';"],
  ['src/services/campaigns/a.ts', "import '../api.ts';"],
  ['src/services/debts/a.ts', "import '../../db/statement.ts';"],
  ['src/services/debts/a.ts', "import { sql } from 'kysely';"],
  ['src/services/debts/a.ts', 'export const READ = `\n  select id from debts`;'],
  ['src/services/debts/a.ts', "export const SET = 'update debts set status = $1';"],
  ['src/services/debts/a.ts', 'export const x = () => new Date();'],
  ['src/services/debts/a.ts', 'export const x = () => Date.now();'],
  ['src/http/a.ts', "import 'pg';"],
  ['src/http/a.ts', "import '../db/database.ts';"],
  ['src/http/routes/debts/a.ts', "import '../../../ports/p.ts';"],
  ['src/http/routes/debts/a.ts', "import '../../../container.ts';"],
  ['src/http/a.ts', "import '../compose/api.ts';"],
  ['src/services/a.ts', "import '../compose/payments.ts';"],
  ['src/temporal/a.ts', "import '../compose/worker.ts';"],
  ['src/http/a.ts', "import '../runtime/logger.ts';"],
  ['web/src/screens/a.tsx', "import '../../../src/domain/money.ts';"],
  ['web/src/a.ts', "import '../../policies/br.json';"],
  ['activities/a.ts', "import '../src/db/database.ts';"],
  ['activities/a.ts', "import '../src/adapters/mail/smtp.ts';"],
  ['activities/a.ts', "import '../workflows/contract.ts';"],
  ['activities/a.ts', "import '@temporalio/client';"],
  ['workflows/a.ts', "import '../activities/index.ts';"],
  ['workflows/a.ts', "import '../src/services/s.ts';"],
  ['workflows/a.ts', "import '@temporalio/client';"],
  ['workflows/a.ts', "import 'node:crypto';"],
  ['workflows/a.ts', 'export const x = Date.now();'],
  ['workflows/a.ts', 'export const x = () => setTimeout(() => undefined, 1);'],
  ['workflows/a.ts', "import { sleep } from '@temporalio/workflow';\nexport const x = sleep;"],
  ['workflows/a.ts', "import { condition } from '@temporalio/workflow';\nexport const x = condition;"],
  ['workflows/clock.ts', "import '../src/db/database.ts';"],
  ['src/temporal/a.ts', "import '@temporalio/client';"],
  ['src/temporal/a.ts', "import '../../workflows/index.ts';"],
  ['src/temporal/a.ts', "import '../../activities/index.ts';"],
  ['src/temporal/a.ts', "import '../services/s.ts';"],
  ['src/temporal/gateway.ts', "import '../services/s.ts';"],
  ['src/temporal/worker.ts', "import '../services/s.ts';"],
  ['src/temporal/worker.ts', "import '@temporalio/client';"],
  ['src/main.ts', "import '@temporalio/client';"],
  ['src/main.ts', 'export const x = process.env;'],
];

const ALLOWED: readonly [file: string, line: string][] = [
  ['src/domain/a.ts', "import './errors.ts';"],
  ['src/ports/a.ts', "import '../domain/errors.ts';"],
  ['src/documents/deep/a.ts', "import '../../domain/errors.ts';"],
  ['src/config/a.ts', 'export const x = process.env;'],
  ['src/db/a.ts', "import type { X } from '../ports/p.ts';\nexport type Y = X;"],
  ['src/db/entities/a.ts', "import '../columns.ts';\nimport '../../domain/errors.ts';"],
  ['src/adapters/payment/sandbox/a.ts', "import '../../../ports/p.ts';\nimport '../../../domain/d.ts';"],
  ['src/adapters/a.ts', "import '../documents/d.ts';"],
  ['src/services/a.ts', "import '../db/database.ts';\nimport '../ports/p.ts';\nimport './other.ts';"],
  ['src/services/api.ts', "import './debts/read-debt.ts';\nimport './campaigns/launch-campaign.ts';"],
  ['src/services/receipts/a.ts', "import '../shared/cursor.ts';\nimport '../payments/charges.ts';"],
  ['src/services/campaigns/a.ts', "import '../collection/score-campaign.ts';\nimport '../../db/queries/debts.ts';"],
  ['src/http/routes/debts/a.ts', "import '../../../services/api.ts';\nimport '../../define-route.ts';"],
  ['activities/a.ts', "import '../src/services/s.ts';\nimport '../src/ports/p.ts';\nimport '@temporalio/activity';"],
  ['workflows/a.ts', "import '@temporalio/workflow';\nimport '../src/domain/d.ts';\nimport './clock.ts';"],
  ['workflows/a.ts', "import type { A } from '../activities/contract.ts';\nexport type B = A;"],
  ['workflows/clock.ts', "import { condition } from '@temporalio/workflow';\nexport const x = [condition, Date];"],
  [
    'src/temporal/a.ts',
    "import '../../workflows/contract.ts';\nimport '../../workflows/ids.ts';\nimport '../db/d.ts';",
  ],
  ['src/temporal/gateway.ts', "import '@temporalio/client';"],
  ['src/temporal/worker.ts', "import '../../activities/contract.ts';"],
  ['src/services/a.test.ts', "import '@temporalio/client';"],
];

const LINT_LAWS = ['lint/style/noRestrictedImports', 'lint/style/noRestrictedGlobals', 'lint/style/noProcessEnv'];

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string | { readonly file: string } };
}

let broken: ReadonlySet<string>;
let folder: string;

/** The linter's laws depend on a file's path from the root, so cases of one path are planted in different rounds. */
async function lint(cases: readonly [string, string][]): Promise<Set<string>> {
  const found = new Set<string>();
  const waiting = new Map(cases.map((each, index) => [index, each]));
  while (waiting.size > 0) {
    const round = new Map<string, number>();
    for (const [index, [file, line]] of waiting) {
      if (round.has(file)) continue;
      round.set(file, index);
      waiting.delete(index);
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `${line}\n`);
    }
    const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
    const { stdout } = spawnSync(process.execPath, [BIOME, ...args], { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    for (const { category, location } of diagnostics) {
      if (!LINT_LAWS.includes(category)) continue;
      const path = typeof location.path === 'string' ? location.path : location.path.file;
      const index = round.get(path.replace(/^\.\//, ''));
      if (index !== undefined) found.add(cases[index]!.join(': '));
    }
    for (const file of round.keys()) await rm(join(folder, file));
  }
  return found;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quita-laws-'));
  await cp(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  const cases = [...FORBIDDEN, ...ALLOWED];
  const byTable = cases.filter(([file, line]) => !file.endsWith('.test.ts') && violationsOf(file, line).length > 0);
  broken = new Set([...(await lint(cases)), ...byTable.map((each) => each.join(': '))]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the import laws', () => {
  it.each(FORBIDDEN)('forbid in %s: %s', (file, line) => {
    expect([...broken]).toContain(`${file}: ${line}`);
  });

  it.each(ALLOWED)('allow in %s: %s', (file, line) => {
    expect([...broken]).not.toContain(`${file}: ${line}`);
  });

  it('are obeyed by every file of the project', () => {
    expect(findViolations(ROOT)).toEqual([]);
  });

  it('also find a violation in a file of the project', async () => {
    await mkdir(join(folder, 'planted/src/domain'), { recursive: true });
    for (const name of ['activities', 'workflows', 'web']) await mkdir(join(folder, 'planted', name));
    await writeFile(join(folder, 'planted/src/domain/a.ts'), "export * from '../ports/p.ts';\n");
    expect(findViolations(join(folder, 'planted'))).toEqual([
      "src/domain/a.ts: '../ports/p.ts': src/domain may not import src/ports",
    ]);
  });
});

describe('the domain', () => {
  it('reads no clock and no random number', async () => {
    const files = await readdir(join(ROOT, 'src/domain'), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const source = await readFile(join(ROOT, 'src/domain', file), 'utf8');
      expect([file, source.match(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/g)]).toEqual([file, null]);
    }
  });
});
