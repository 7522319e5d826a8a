import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts';
import type { Route } from '../define-route.ts';
import type { Json, JsonObject } from '../openapi-json.ts';
import { TAG_DESCRIPTIONS } from '../tags.ts';
import { type Html, html, prose } from './html.ts';
import { referencePage } from './reference-page.ts';

const ACCESS: Readonly<Record<Route['auth'], string>> = {
  none: 'Public.',
  bearer: 'Needs an access token or an API key.',
  jwt: 'Needs an access token; an API key is refused.',
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { content: Readonly<Record<string, { schema?: Json }>> };
  readonly responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, { schema?: Json }>> }>
  >;
}

const schemaText = (summary: string, content: Readonly<Record<string, { schema?: Json }>> | undefined): Html[] =>
  Object.entries(content ?? {})
    .filter(([type, { schema }]) => schema !== undefined && type !== 'application/problem+json')
    .map(
      ([
        type,
        { schema },
      ]) => html`<details><summary>${summary} (<code>${type}</code>)</summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>
`,
    );

function parametersTable(parameters: readonly Parameter[] | undefined): Html | undefined {
  if (parameters === undefined) return undefined;
  return html`<table>
<thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Required</th><th scope="col">Rule</th></tr></thead>
<tbody>
${parameters.map(
  (
    one,
  ) => html`<tr><td><code>${one.name}</code></td><td>${one.in}</td><td>${one.required ? 'yes' : 'no'}</td><td><code>${ruleOf(one.schema)}</code></td></tr>
`,
)}</tbody>
</table>`;
}

function ruleOf(schema: JsonObject): string {
  const { pattern: _, ...rest } = schema;
  return Object.entries(rest)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const SHARED_PARAMETER = '#/components/parameters/';

type SharedParameters = Readonly<Record<string, Parameter>>;

function article(route: Route, operation: Operation, shared: SharedParameters): Html {
  const parameters = operation.parameters?.map((one) =>
    '$ref' in one ? shared[one.$ref.slice(SHARED_PARAMETER.length)]! : one,
  );
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    const own = status.startsWith('4') || status.startsWith('5') ? undefined : answer.content;
    return html`<tr><td>${status}</td><td>${prose(answer.description)}${schemaText('Shape', own)}</td></tr>
`;
  });
  return html`<article id="${route.operationId}">
<h3><code>${route.method} ${route.path}</code></h3>
<p>${route.summary}</p>
${route.description === undefined ? undefined : html`<p>${prose(route.description)}</p>`}
${route.ownBearer === true ? undefined : html`<p>${ACCESS[route.auth]}</p>`}
${parametersTable(parameters)}
${schemaText('Body', operation.requestBody?.content)}
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Answer</th></tr></thead>
<tbody>
${answers}</tbody>
</table>
</article>
`;
}

/** Builds the API reference as one page that needs no script. */
export function docsPage(routes: readonly Route[], document: JsonObject): string {
  const paths = document['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operationOf = (route: Route): Operation =>
    paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]![route.method.toLowerCase()]!;
  const { parameters: shared } = document['components'] as unknown as { readonly parameters: SharedParameters };
  const tags = [...new Set(routes.flatMap((route) => route.tags))];
  const withTag = (tag: string) => routes.filter((route) => route.tags[0] === tag);
  const example: ErrorCode = 'validation_failed';

  return referencePage(
    'API reference',
    html`<p>Bodies are JSON in UTF-8, times ISO 8601 in UTC, amounts reais as numbers. Every error is a
<a href="/problems">problem</a> with a <code>code</code> such as <a href="/problems/${example}"><code>${example}</code></a>
(${ERRORS[example].status}); every answer carries <code>X-Request-Id</code>. The same reference for programs:
<a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).</p>
<nav aria-label="Operations">
${tags.map(
  (tag) => html`<h2>${tag}</h2>
<ul>${withTag(tag).map(
    (
      route,
    ) => html`<li><a href="#${route.operationId}"><code>${route.method} ${route.path}</code></a> ${route.summary}</li>
`,
  )}</ul>`,
)}
</nav>
${tags.map(
  (tag) => html`<section aria-label="${tag}"><h2>${tag}</h2>
${TAG_DESCRIPTIONS[tag] === undefined ? undefined : html`<p>${TAG_DESCRIPTIONS[tag]}</p>`}
${withTag(tag).map((route) => article(route, operationOf(route), shared))}</section>`,
)}`,
  );
}
