/**
 * `npm run audit` lists known vulnerabilities of the packages in package-lock.json. It asks the configured registry,
 * and OSV when the registry has no audit endpoint. Exit codes: 0, no vulnerability or only accepted ones; 1,
 * vulnerabilities that are not accepted; 2, the list of accepted advisories is invalid; 3, no source answered.
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
