import { requireNode } from './runtime/node-version.ts';

requireNode();
// Loaded after the check: what stands above it would be loaded before it.
const { serve } = await import('./serve.ts');
const { ROLES } = await import('./config/index.ts');
await serve(ROLES);
