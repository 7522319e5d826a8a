import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findViolations, violationsOf } from '../../scripts/imports/find-violations.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');

/** One case for each law: the file in which a line of code is planted, and that line. */
const FORBIDDEN: readonly [file: string, line: string][] = [
  ['src/kernel/a.ts', "import 'node:crypto';"],
  ['src/kernel/a.ts', 'export const x = process.pid;'],
  ['src/kernel/a.ts', "export * from './ports/p.ts';"],
  ['src/kernel/texts/a.ts', "import '../../platform/database/database.ts';"],
  ['src/platform/config/a.ts', "import '../../kernel/errors.ts';"],
  ['src/platform/runtime/a.ts', "import '../config/index.ts';"],
  ['src/platform/database/a.ts', "export const x = () => import('../temporal/gateway.ts');"],
  ['src/platform/database/a.ts', "import '../../modules/debts/queries/debts.ts';"],
  ['src/platform/shared/a.ts', "import '../http/fields.ts';"],
  ['src/platform/http/a.ts', "import '../database/database.ts';"],
  ['src/platform/http/a.ts', "import '../../app/services/api.ts';"],
  ['src/platform/http/a.ts', "import 'pg';"],
  ['src/platform/temporal/a.ts', "import '@temporalio/client';"],
  ['src/platform/temporal/a.ts', "import '../../../activities/index.ts';"],
  ['src/platform/temporal/worker.ts', "import '../../modules/debts/use-cases/clock.ts';"],
  // A module does not know the ones after it.
  ['src/modules/debts/use-cases/a.ts', "import '../../payments/use-cases/settle-payment.ts';"],
  ['src/modules/payments/use-cases/a.ts', "import '../../receipts/use-cases/revoke-receipt.ts';"],
  ['src/modules/collection/planning/a.ts', "import '../../campaigns/use-cases/launch-campaign.ts';"],
  ['src/modules/debts/use-cases/a.ts', "import '../../collection/deps.ts';"],
  // Within a module, a room of use cases does not know the ones after it.
  ['src/modules/collection/gate/a.ts', "import '../planning/plan-collection.ts';"],
  // Rules know no room but their own, and so on, in the order of the table.
  ['src/modules/debts/rules/a.ts', "import '../ports/collection-agent.ts';"],
  ['src/modules/debts/rules/a.ts', "import 'zod';"],
  ['src/modules/debts/queries/a.ts', "import '../../deps.ts';"],
  ['src/modules/debts/rules/a.ts', 'export const x = Buffer.from([]);'],
  ['src/modules/payments/ports/a.ts', "import type { X } from '../adapters/sandbox/x.ts';\nexport type Y = X;"],
  ['src/modules/messaging/texts/a.ts', "import '../ports/messaging-channel.ts';"],
  ['src/modules/debts/tables/a.ts', "import '../queries/debts.ts';"],
  ['src/modules/debts/queries/a.ts', "import '../use-cases/clock.ts';"],
  ['src/modules/payments/adapters/sandbox/a.ts', "import '../../queries/charges.ts';"],
  ['src/modules/payments/adapters/a.ts', "import '../../../platform/config/index.ts';"],
  ['src/modules/debts/use-cases/a.ts', "import '../routes/schemas.ts';"],
  ['src/modules/debts/use-cases/a.ts', "import '../../../platform/temporal/gateway.ts';"],
  ['src/modules/debts/use-cases/a.ts', "import '../../../../workflows/contract.ts';"],
  ['src/modules/collection/routes/a.ts', "import '../queries/contact-gate.ts';"],
  ['src/modules/collection/routes/a.ts', "import '../../../app/container.ts';"],
  // Statements stand in queries, and the clock is given.
  ['src/modules/debts/use-cases/a.ts', "import '../../../platform/database/statement.ts';"],
  ['src/modules/debts/use-cases/a.ts', "import { sql } from 'kysely';"],
  ['src/modules/debts/use-cases/a.ts', 'export const READ = `\n  select id from debts`;'],
  ['src/modules/debts/use-cases/a.ts', "export const SET = 'update debts set status = $1';"],
  ['src/modules/debts/use-cases/a.ts', 'export const x = () => new Date();'],
  ['src/modules/debts/use-cases/a.ts', 'export const x = process.env;'],
  ['web/src/screens/a.tsx', "import '../../../src/kernel/money.ts';"],
  // Tests and benches share `testing` alone.
  ['testing/a.ts', "import '../bench/answers.ts';"],
  ['bench/a.ts', "import '../test/collection/inbound.ts';"],
  ['test/debts/a.ts', "import '../../bench/answers.ts';"],
  ['src/app/mcp/a.ts', "import '../../kernel/money.ts';"],
  ['activities/a.ts', "import '../src/platform/database/database.ts';"],
  ['activities/a.ts', "import '../workflows/contract.ts';"],
  ['workflows/a.ts', "import '../activities/index.ts';"],
  ['workflows/a.ts', "import '../src/modules/debts/use-cases/clock.ts';"],
  ['workflows/a.ts', "import 'node:crypto';"],
  ['workflows/a.ts', 'export const x = Date.now();'],
  ['workflows/a.ts', 'export const x = () => setTimeout(() => undefined, 1);'],
  ['workflows/a.ts', "import { sleep } from '@temporalio/workflow';\nexport const x = sleep;"],
  ['src/main.ts', "import '@temporalio/client';"],
];

const ALLOWED: readonly [file: string, line: string][] = [
  ['src/kernel/a.ts', "import './errors.ts';"],
  ['src/platform/config/a.ts', 'export const x = process.env;'],
  ['src/platform/database/a.ts', "import type { X } from '../ports/mailer.ts';\nexport type Y = X;"],
  ['src/platform/temporal/gateway.ts', "import '@temporalio/client';"],
  ['src/platform/temporal/worker.ts', "import '../../../activities/contract.ts';"],
  ['src/modules/debts/rules/a.ts', "import '../../policy/rules/contact-cap.ts';\nimport '../../../kernel/money.ts';"],
  ['src/modules/receipts/use-cases/a.ts', "import '../../payments/queries/charges.ts';"],
  ['src/modules/collection/planning/a.ts', "import '../gate/ask-policy.ts';\nimport '../deps.ts';"],
  ['src/modules/collection/routes/a.ts', "import '../staff/change-debt.ts';\nimport '../../debts/routes/schemas.ts';"],
  ['activities/a.ts', "import '../src/app/services/worker.ts';\nimport '@temporalio/activity';"],
  ['workflows/a.ts', "import '@temporalio/workflow';\nimport '../src/modules/debts/rules/next-step.ts';"],
  ['workflows/a.ts', "import type { A } from '../activities/contract.ts';\nexport type B = A;"],
  ['workflows/clock.ts', "import { condition } from '@temporalio/workflow';\nexport const x = [condition, Date];"],
  ['src/modules/debts/use-cases/a.test.ts', "import '@temporalio/client';"],
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
    await mkdir(join(folder, 'planted/src/kernel'), { recursive: true });
    for (const name of ['activities', 'workflows', 'web', 'testing', 'bench', 'test'])
      await mkdir(join(folder, 'planted', name));
    await writeFile(join(folder, 'planted/src/kernel/a.ts'), "export * from '../platform/p.ts';\n");
    expect(findViolations(join(folder, 'planted'))).toEqual([
      "src/kernel/a.ts: '../platform/p.ts': src/kernel may not import src",
    ]);
  });
});

describe('the kernel and the rules', () => {
  it('read no clock and no random number', async () => {
    const files = globSync('src/{kernel,modules/*/rules}/**/*.ts', { cwd: ROOT });
    for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
      const source = await readFile(join(ROOT, file), 'utf8');
      expect([file, source.match(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/g)]).toEqual([file, null]);
    }
    expect(files.length).toBeGreaterThan(0);
  });
});
