import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from './openapi-document.ts';
import { runRedocly } from './run-redocly.ts';

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

const LEFT_OUT = [
  // The buttons of the debtor's page are forms: 303 back to the page is how a form without JavaScript succeeds.
  '--skip-rule=operation-2xx-response',
  // A debt requires a CPF or a CNPJ by `if` and `then`, whose properties stand in the schema around them. Generators of
  // clients cannot compile the same as `oneOf`.
  '--skip-rule=no-required-schema-properties-undefined',
];

/** A protocol is no UUID and an id is no `download`, so that the two addresses are never the same. */
const NOT_AMBIGUOUS = '`/api/agreements/download/{protocol}` and `/api/agreements/{id}/cancel`';

async function lint(file: string): Promise<Report> {
  const args = ['lint', file, '--extends=recommended', ...LEFT_OUT, '--format=json', '--max-problems=1000'];
  const failed = (error: { stdout?: string }): { stdout: string } => ({ stdout: error.stdout ?? '' });
  const { stdout } = await runRedocly(args).catch(failed);
  return JSON.parse(stdout) as Report;
}

const folder = await mkdtemp(join(tmpdir(), 'quita-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument(), null, 2));
  const problems = (await lint(file)).problems.filter(({ message }) => !message.includes(NOT_AMBIGUOUS));
  for (const { severity, ruleId, message, location } of problems) {
    process.stdout.write(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}\n`);
  }
  process.stdout.write(`OpenAPI: ${problems.length} problems\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
