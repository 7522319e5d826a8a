import { readFileSync } from 'node:fs';
import { defineRoute, type Route } from './define-route.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

export interface PageFile {
  readonly path: string;
  /** The name of the file in `src/platform/http/pages/assets`. */
  readonly name: `${string}.${keyof typeof TYPES}`;
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

/** A style or script that pages load. Browsers may keep it for an hour. */
export function fileRoute({ name, ...facts }: PageFile): Route {
  const body = readFileSync(new URL(`./pages/assets/${name}`, import.meta.url), 'utf8');
  const contentType = name.endsWith('.css') ? TYPES.css : TYPES.js;
  return defineRoute({
    ...facts,
    method: 'GET',
    auth: 'none',
    responses: { 200: { description: facts.summary, contentType } },
    errors: [],
    handler: async () => ({ status: 200, body, headers: { 'Cache-Control': 'public, max-age=3600' } }),
  });
}
