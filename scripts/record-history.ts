/**
 * Saves the history of a run for the replay tests:
 * node scripts/record-history.ts <workflow id> <name> [address] [namespace]
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { scrubbed } from '../testing/scrub-history.ts';

const [workflowId, name, address = '127.0.0.1:7233', namespace = 'default'] = parseArgs({
  allowPositionals: true,
}).positionals;
if (workflowId === undefined || name === undefined || !/^[\w-]+$/.test(name)) {
  process.stderr.write('usage: node scripts/record-history.ts <workflow id> <name> [address] [namespace]\n');
  process.exit(2);
}

const connection = await Connection.connect({ address });
const history = await new Client({ connection, namespace }).workflow.getHandle(workflowId).fetchHistory();
await connection.close();

const file = fileURLToPath(new URL(`../test/replay/histories/${name}.json`, import.meta.url));
await writeFile(file, scrubbed(history));
process.stdout.write(`${file}\n`);
