/** Fails when a file imports what `scripts/imports/laws.ts` does not allow it to import. */
import { fileURLToPath } from 'node:url';
import { findViolations } from './imports/find-violations.ts';

const violations = findViolations(fileURLToPath(new URL('..', import.meta.url)));
if (violations.length > 0) {
  process.stderr.write(`${violations.join('\n')}\nThe table of the import laws: scripts/imports/laws.ts\n`);
  process.exitCode = 1;
}
