import { keepCompiledCode } from './platform/runtime/compile-cache.ts';
import { requireNode } from './platform/runtime/node-version.ts';

requireNode();
keepCompiledCode();
const { runCommand } = await import('./app/commands/index.ts');
await runCommand(process.argv.slice(2));
