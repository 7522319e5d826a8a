/**
 * `npm run audit`: known weaknesses of the packages in package-lock.json. Asks the configured registry, and OSV where the
 * registry has no such endpoint. Exit code 0: none that is not accepted; 1: some; 2: the list of accepted ones is wrong;
 * 3: nobody could be asked.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { audit } from './audit/run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: root },
    accepted: { type: 'string', default: join(root, 'scripts', 'audit', 'accepted.json') },
  },
});
const { code, lines, summary } = await audit({
  folder: values.folder,
  acceptedFile: values.accepted,
  osvUrl: (process.env['OSV_URL'] || 'https://api.osv.dev').replace(/\/+$/, ''),
  npm: process.env['npm_execpath'],
  today: new Date(),
});
for (const line of lines) process.stdout.write(`${line}\n`);
(code === 0 ? process.stdout : process.stderr).write(`${summary}\n`);
process.exitCode = code;
