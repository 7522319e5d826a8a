import { keepCompiledCode } from './runtime/compile-cache.ts';
import { requireNode } from './runtime/node-version.ts';

requireNode();
keepCompiledCode();
const { runCommand } = await import('./commands/index.ts');
await runCommand(process.argv.slice(2));
