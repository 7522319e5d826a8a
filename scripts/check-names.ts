/** Fails when a document or a comment names a file, a heading or a type that does not exist. */
import { findMissingNames } from './names/find-missing-names.ts';

const missing = findMissingNames();
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`);
  process.exitCode = 1;
}
