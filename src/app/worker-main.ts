import { keepCompiledCode } from '../platform/runtime/compile-cache.ts';

// The entry point of the process that `serve.ts` starts.
keepCompiledCode();
const { serve } = await import('./serve.ts');
await serve(['worker'], { hasParent: true });
