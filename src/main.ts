import { requireNode } from './runtime/node-version.ts';

requireNode();
// Loaded after the check: what stands above it would be loaded before it.
const { runCommand } = await import('./commands/index.ts');
const given = process.argv.slice(2);
await runCommand(given.length === 0 ? ['start'] : given);
