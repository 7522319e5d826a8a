import { serve } from './serve.ts';

// The entry point of the process that `worker-process.ts` starts.
await serve(['worker'], { hasParent: true });
