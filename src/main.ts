import { configureCompilers } from './platform/runtime/compilers.ts';
import { requireNode } from './platform/runtime/node-version.ts';

requireNode();
configureCompilers();
// The import is dynamic because static imports would be loaded before the check of the Node version.
const { runCommand } = await import('./app/commands/index.ts');
const given = process.argv.slice(2);
await runCommand(given.length === 0 ? ['start'] : given);
