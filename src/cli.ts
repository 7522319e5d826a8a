import { configureCompilers } from './platform/runtime/compilers.ts';
import { requireNode } from './platform/runtime/node-version.ts';

requireNode();
configureCompilers();
const { runCommand } = await import('./app/commands/index.ts');
await runCommand(process.argv.slice(2));
