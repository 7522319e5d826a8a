import type { Json, JsonObject } from '../../../platform/http/openapi-json.ts';
import { WEBHOOK_BODIES } from './schemas.ts';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS: Json = [
  header('webhook-id', 'The id of the event, the same in every attempt: take an event that you have already as done'),
  header('webhook-timestamp', 'The moment of the attempt in seconds: refuse what is more than five minutes away'),
  header('webhook-signature', '`v1,` and the signature in base64, two of them with a space between after a rotation'),
];

/** Documents what is posted to clients' webhooks, from the schemas of the change feed. */
export function webhookOperations(bodyOf: (body: (typeof WEBHOOK_BODIES)[number]['body']) => JsonObject): JsonObject {
  const operations = WEBHOOK_BODIES.map(({ type, summary, body }) => [
    type,
    {
      post: {
        operationId: `receive.${type}`,
        summary,
        tags: ['Events'],
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema: bodyOf(body) } } },
        responses: {
          '2XX': { description: 'The receiver has the event' },
          '410': { description: 'The receiver is gone: the webhook is disabled at once' },
          '4XX': { description: 'Another attempt follows; with 429, not before `Retry-After`' },
          '5XX': { description: 'Another attempt follows; with 503, not before `Retry-After`' },
        },
      },
    },
  ]);
  return Object.fromEntries(operations) as JsonObject;
}
