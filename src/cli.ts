import { requireNode } from './runtime/node-version.ts';

requireNode();
const { runCommand } = await import('./commands/index.ts');
await runCommand(process.argv.slice(2));
