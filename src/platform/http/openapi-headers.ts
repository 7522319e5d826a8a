import { IDEMPOTENCY_KEY_HOURS } from '../../kernel/retention-periods.ts';
import type { Route } from './define-route.ts';

/** The header by which a caller repeats a call safely. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: `A text that you choose for this call, such as a random UUID. For ${IDEMPOTENCY_KEY_HOURS} hours a repetition with the same key gets the first answer, and the work is done once. The same key with another request is 422, and while the first call still runs a repetition is 409. Answers 5xx, 408 and 429 are not kept.`,
} as const;

/** Header fields of answers, as components of the OpenAPI document. */
export const HEADER_COMPONENTS = {
  RateLimit: {
    description:
      'What is left of the client’s rate: `r` calls now, and all calls again in `t` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"calls";r=599;t=1'] },
  },
  'RateLimit-Policy': {
    description:
      'The client’s rate: `q` calls in `w` seconds, refilled continuously. Imports, regenerations, exports and rehearsals have rates of their own.',
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
