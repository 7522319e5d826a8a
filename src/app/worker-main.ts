import { configureCompilers } from '../platform/runtime/compilers.ts';

// The entry point of the process that `serve.ts` starts.
configureCompilers();
const { serve } = await import('./serve.ts');
await serve(['worker'], { hasParent: true });
