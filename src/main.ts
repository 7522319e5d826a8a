import module from 'node:module';
import { join } from 'node:path';
import { requireNode } from './runtime/node-version.ts';

requireNode();
// The next start reads what this one has compiled. A folder that cannot be written only makes the start slower. The
// folder for temporary files would not do, because other users of the machine can write there.
module.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'quita-compiled'));
// The import is dynamic because static imports would be loaded before the check of the Node version.
const { runCommand } = await import('./commands/index.ts');
const given = process.argv.slice(2);
await runCommand(given.length === 0 ? ['start'] : given);
