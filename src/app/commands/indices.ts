import { readFile, stat } from 'node:fs/promises';
import { importIndices } from '../../modules/terms/use-cases/import-indices.ts';
import { loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita indices import FILE   stores published values of the Taxa Legal (29543) and the IPCA (433)

FILE is a CSV with the first line series,month,value, such as 29543,2026-09,0.706607. The values are those that the
Central Bank publishes (SGS). A value that is stored already is replaced. docs/terms.md says where to find them.
`;
const MAX_BYTES = 1_000_000;

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
  return readFile(path, 'utf8');
}

export async function runIndices([action, path, ...more]: readonly string[]): Promise<void> {
  if (action !== 'import' || path === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  const text = await readBounded(path);
  const { added, changed, last } = await onDatabase(loadWithSecrets([]), { name: 'indices import' }, (db) =>
    importIndices({ db })(text),
  );
  const shown = (month: string | null): string => month ?? 'no month';
  process.stdout.write(`${added} values added, ${changed} changed
Taxa Legal (29543) known up to ${shown(last.legalRate)}, IPCA (433) up to ${shown(last.ipca)}
`);
}
