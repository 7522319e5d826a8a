import type { Route } from './define-route.ts';

/** Header fields of answers, as components of the OpenAPI document. */
export const HEADER_COMPONENTS = {
  RateLimit: {
    description:
      'What is left of the client’s rate: `r` calls now, and all calls again in `t` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"calls";r=599;t=1'] },
  },
  'RateLimit-Policy': {
    description:
      'The client’s rate: `q` calls in `w` seconds, refilled continuously. Imports and regenerations have rates of their own.',
    schema: { type: 'string', examples: ['"calls";q=600;w=60'] },
  },
  'Retry-After': {
    description: 'Whole seconds after which the call may be made again.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

const RETRY_STATUSES = new Set(['423', '429', '503']);

/** The headers of one declared answer. A 401 has no rate headers, because the client is not known. */
export function answerHeaders(route: Route, status: string): { headers?: Record<string, { $ref: string }> } {
  const names = [
    ...(route.auth === 'none' || status === '401' ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(RETRY_STATUSES.has(status) ? ['Retry-After'] : []),
  ];
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
