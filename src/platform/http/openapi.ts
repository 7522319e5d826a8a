import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { MEMBER_ROLES } from '../../kernel/member-rights.ts';
import type { Auth, ResponseSpec, Route } from './define-route.ts';
import type { HttpConfig } from './deps.ts';
import { mayCall } from './mask-persons.ts';
import { answerHeaders, HEADER_COMPONENTS, IDEMPOTENCY_KEY } from './openapi-headers.ts';
import type { Json, JsonObject } from './openapi-json.ts';
import { PROBLEM_TYPE } from './problem.ts';
import { TAG_DESCRIPTIONS } from './tags.ts';

const verdictSchema = z.object({
  allowed: z.boolean(),
  rules: z.array(z.string()).readonly(),
  ruleIds: z.array(z.string()).readonly(),
  pack: z.object({ id: z.string(), version: z.string() }),
  notBefore: z.iso.datetime().nullable(),
});

const problemSchema = z.object({
  type: z.string().describe('Address of a page that explains the problem'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  requestId: z.uuid().describe('Give it when you ask for help; the answer also has it as X-Request-Id'),
  errors: z
    .array(
      z.object({
        pointer: z.string().optional().describe('JSON pointer (RFC 6901) into the body'),
        parameter: z.string().optional().describe('Name of the path or query parameter'),
        code: z.string(),
        message: z.string(),
      }),
    )
    .optional(),
  retryAfterSeconds: z.int().optional(),
  challenge: z.string().optional().describe('Of `second_factor_required`: what the login goes on with'),
  missing: z
    .array(
      z.object({
        channel: z.string(),
        template: z.string().nullable().describe('Null when it is not about a template'),
        reason: z
          .string()
          .describe(
            '`not_connected`, `failing` with what the channel said, `too_long` with the number of characters by which name and address of the creditor exceed a short message, or the state of the template: `missing`, `pending`, `rejected` or `paused`, with the reason of the channel',
          ),
      }),
    )
    .optional()
    .describe('With `channel_not_ready`: what each channel lacks'),
  verdict: verdictSchema.optional().describe('With `contact_blocked`: which rules forbid the message'),
});

/** Builds the JSON Schema of the input or output of a zod schema; named parts (`meta({ id })`) become components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: JsonObject): JsonObject {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Unknown members of requests are ignored, and answers may get new members later.
      delete jsonSchema.additionalProperties;
      // The format says it already; what a request may contain stands in full.
      if (jsonSchema.format === 'uuid' || (io === 'output' && jsonSchema.format === 'date-time')) {
        delete jsonSchema.pattern;
      }
      // No reader of JSON has larger integers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Without a format some generators read numbers in single precision, which loses centavos above R$ 131,072.
      if (jsonSchema.type === 'number') jsonSchema.format ??= 'double';
    },
  }) as JsonObject;
  const { $defs, ...own } = whole;
  const parts = Object.entries(($defs ?? {}) as JsonObject).map(([name, part]) => {
    const { id: _id, ...rest } = part as JsonObject;
    return { name, part: rest };
  });
  const names = new Map<string, string>();
  const rewrite = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const name = key === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', '') : undefined;
        return name === undefined ? [key, rewrite(member)] : [key, `#/components/schemas/${names.get(name) ?? name}`];
      }),
    );
  };
  // A request may differ from the answer of the same name, for example by what it may leave out.
  for (const { name, part } of parts) {
    const taken = components[name];
    const isOther = taken !== undefined && JSON.stringify(taken) !== JSON.stringify(rewrite(part));
    if (isOther) names.set(name, `${name}Input`);
  }
  for (const { name, part } of parts) components[names.get(name) ?? name] = rewrite(part);
  return rewrite(own) as JsonObject;
}

const SECURITY: Readonly<Record<Auth, Json>> = {
  none: [],
  bearer: [{ accessToken: [] }, { apiKey: [] }],
  jwt: [{ accessToken: [] }],
};

/** Error codes of the guard, which routes do not declare themselves. */
function guardErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['internal_error', 'unavailable'];
  if (route.auth !== 'none') codes.push('unauthenticated', 'token_invalid', 'token_expired', 'account_inactive');
  if (route.auth === 'jwt') codes.push('access_token_required');
  if (MEMBER_ROLES.some((role) => !mayCall(route, role))) codes.push('role_insufficient');
  if (route.stepUp !== undefined) codes.push('step_up_required');
  if (route.auth !== 'none' && route.withoutFactor !== true) codes.push('second_factor_missing');
  if (route.rate !== undefined || route.auth !== 'none' || route.ownBearer === true) codes.push('rate_limited');
  if (route.idempotent === true) codes.push('idempotency_running', 'idempotency_key_reused');
  if (route.query !== undefined || route.body !== undefined || route.idempotent === true) {
    codes.push('validation_failed');
  }
  if (route.bodyType.startsWith('json')) codes.push('malformed_json', 'unsupported_media_type');
  if (route.bodyType === 'multipart') codes.push('unsupported_media_type');
  if (route.bodyType !== 'none') codes.push('request_timeout', 'payload_too_large');
  // An operation without any other client error gets `not_found`, so that each operation names at least one.
  if (route.path.includes(':') || codes.length === 2) codes.push('not_found');
  return codes;
}

function problemResponses(route: Route): JsonObject {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of [...guardErrors(route), ...route.errors]) {
    const status = ERRORS[code].status;
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      String(status),
      {
        description: [...codes].map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
        ...answerHeaders(route, String(status)),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** Generators skip an answer without a schema. */
const fileOf = (type: string): JsonObject => ({
  schema: type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' },
});

function answers(route: Route, components: JsonObject): JsonObject {
  const problems = problemResponses(route);
  const content = (spec: ResponseSpec): JsonObject => {
    const files = (types: readonly string[]): JsonObject =>
      Object.fromEntries(types.map((type) => [type.split(';')[0]!, fileOf(type)]));
    const others = files(spec.orTypes ?? []);
    if (spec.schema !== undefined) {
      const type = spec.contentType ?? 'application/json';
      const text = spec.orText === undefined ? {} : { [spec.orText]: { schema: { type: 'string' } } };
      return { content: { [type]: { schema: schemaOf(spec.schema, 'output', components) }, ...text, ...others } };
    }
    return spec.contentType === undefined ? {} : { content: { ...files([spec.contentType]), ...others } };
  };
  for (const [status, spec] of Object.entries(route.responses)) {
    const refused = problems[status] as { content: JsonObject } | undefined;
    const own = content(spec) as { content?: JsonObject };
    problems[status] = {
      description: spec.description,
      ...answerHeaders(route, status),
      ...(own.content || refused ? { content: { ...refused?.content, ...own.content } } : {}),
    };
  }
  return problems;
}

function parameters(route: Route, components: JsonObject): Json[] {
  const ofSchema = (schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] => {
    if (schema === undefined) return [];
    const whole = schemaOf(schema, 'input', components) as { properties?: JsonObject; required?: string[] };
    return Object.entries(whole.properties ?? {}).map(([name, part]) => ({
      name,
      in: place,
      required: place === 'path' || (whole.required ?? []).includes(name),
      schema: part,
    }));
  };
  const named = ofSchema(route.params, 'path');
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const undeclared = inPath.filter((name) => !named.some((one) => (one as JsonObject)['name'] === name));
  return [
    ...named,
    ...undeclared.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...ofSchema(route.query, 'query'),
    ...(route.idempotent === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function requestBody(route: Route, components: JsonObject): JsonObject {
  if (route.bodyType === 'none') return {};
  const json = 'application/json';
  const types = { json, 'json-bytes': json, multipart: 'multipart/form-data', raw: json } as const;
  const schema = route.body === undefined ? {} : schemaOf(route.body, 'input', components);
  const required = route.bodyType !== 'raw' && route.body?.safeParse(undefined).success !== true;
  return { requestBody: { required, content: { [types[route.bodyType]]: { schema } } } };
}

function operation(route: Route, components: JsonObject): JsonObject {
  const known = parameters(route, components);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: route.tags,
    security: SECURITY[route.auth],
    ...(known.length === 0 ? {} : { parameters: known }),
    ...requestBody(route, components),
    responses: answers(route, components),
  };
}

/** Documents what is posted to clients' webhooks. `schemaOf` describes a body. */
export type DescribeWebhooks = (schemaOf: (body: z.ZodType) => JsonObject) => JsonObject;

/** Builds the OpenAPI 3.1 document from the same schemas that validate requests and answers. */
export function buildOpenApi(
  routes: readonly Route[],
  config: Pick<HttpConfig, 'publicUrl' | 'version'>,
  webhookOperations: DescribeWebhooks,
): JsonObject {
  const components: JsonObject = { Problem: schemaOf(problemSchema, 'output', {}) };
  const paths: { [path: string]: JsonObject } = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  const webhooks = webhookOperations((body) => schemaOf(body, 'output', components));
  const tags = [...new Set(routes.flatMap((route) => route.tags))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quita',
      version: config.version,
      summary: 'Recovers unpaid bills in Brazil lawfully, by message and Pix.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.publicUrl }],
    tags: tags.map((name) => ({
      name,
      ...(TAG_DESCRIPTIONS[name] === undefined ? {} : { description: TAG_DESCRIPTIONS[name] }),
    })),
    paths,
    webhooks,
    components: {
      schemas: components,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADER_COMPONENTS,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a login, or the ID token of a configured identity provider.',
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, which begins with `service_key_`.' },
      },
    },
  };
}
