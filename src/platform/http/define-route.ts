import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { Right } from '../../kernel/member-rights.ts';
import type { Caller } from '../shared/caller.ts';
import { type BodyType, DEFAULT_BODY_LIMIT } from './body.ts';
import type { ClientRate } from './caller-rates.ts';
import { PAGE_TYPE } from './pages/public-page.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Auth = 'none' | 'bearer' | 'jwt';

export interface ResponseSpec {
  readonly description: string;
  /** The schema of a JSON answer. An answer without schema and content type has no body. */
  readonly schema?: z.ZodType;
  readonly contentType?: string;
  /** The body is bytes that were checked when they were made, so the schema only documents them. */
  readonly isReady?: true;
  /**
   * The type of a text that answers in place of the JSON when the header `Accept` prefers it. The handler names it in
   * the header `Content-Type`.
   */
  readonly orText?: string;
  /**
   * The types of a stream that answers in place of the first type when the header `Accept` prefers one of them. The
   * handler names the type in the header `Content-Type`.
   */
  readonly orTypes?: readonly string[];
}

export interface RouteRequest {
  readonly id: string;
  readonly ip: string;
  /** The address at the other end of the connection: a proxy's, where there is one. */
  readonly peer: string;
  readonly headers: IncomingHttpHeaders;
  /** The query as it was sent, because a signature may cover parameters that no schema declares. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query as they were sent, over which a signature may be made. */
  readonly target: string;
  /** The header `Accept` prefers the text of an answer with `orText` to its JSON. */
  readonly prefersText: boolean;
  /** Returns the first of these types that the header `Accept` prefers; null when it takes none of them. */
  readonly accepts: (types: readonly string[]) => string | null;
  /** Set when the caller sent an `Idempotency-Key`: an id for what the call creates, the same in every attempt. */
  readonly workId?: string;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface HandlerInput<Params, Query, Body, Access extends Auth> {
  readonly params: Parsed<Params>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly caller: Access extends 'none' ? undefined : Caller;
  readonly request: RouteRequest;
}

type AnswerBody<Spec> = Spec extends { isReady: true }
  ? { readonly body: Buffer }
  : Spec extends { schema: infer Schema extends z.ZodType }
    ? {
        readonly body:
          | z.input<Schema>
          | (Spec extends { orText: string } ? string : never)
          | (Spec extends { orTypes: readonly string[] } ? Readable : never);
      }
    : Spec extends { contentType: string }
      ? { readonly body: string | Buffer | Readable }
      : { readonly body?: undefined };

/** The result of a handler: one of the declared statuses with the body that is declared for it. */
export type Answer<Responses> = {
  [Status in keyof Responses]: {
    readonly status: Status;
    readonly headers?: Readonly<Record<string, string>>;
    /** The values of headers `Set-Cookie`. An answer that is kept for an `Idempotency-Key` sets none. */
    readonly cookies?: readonly string[];
  } & AnswerBody<Responses[Status]>;
}[keyof Responses];

export interface RouteFacts {
  readonly method: Method;
  /** The path in the router's form: `/api/campaigns/:id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /**
   * No answer names a debtor, so that auditors read it as it is. Of the other routes they read masked JSON, and no file:
   * see `mask-persons.ts`.
   */
  readonly namesNobody?: true;
  /** Auditors read it as it is although it names debtors: evidence that was masked could not be checked. */
  readonly namesPersons?: true;
  /**
   * A member with a second factor proves it again first, which is good for some minutes of its session; API keys are never
   * asked. `by_handler`: the handler asks by `requireStepUp` where it is needed.
   */
  readonly stepUp?: 'always' | 'by_handler';
  /** A member without a second factor may call it even where the company asks for one. */
  readonly withoutFactor?: true;
  /** The rate for each IP. `login` is only documented here: the login service counts it in the database. */
  readonly rate?: 'signup' | 'public' | 'login';
  /**
   * The client's rate that a call of an authenticated route counts against; `calls` by default, and for an import of JSON
   * that is no larger than other bodies.
   */
  readonly clientRate?: ClientRate;
  readonly bodyType?: BodyType;
  readonly bodyLimit?: number;
  /** Reads and checks the body before anything else. Only login uses it. */
  readonly bodyBefore?: boolean;
  /**
   * Honours the header `Idempotency-Key`: the first answer to a key is given again. Only routes with a bearer and JSON
   * answers may set it, because the answer is stored.
   */
  readonly idempotent?: boolean;
  /** The answer holds a secret: what is kept of it for a repetition is encrypted. */
  readonly secretAnswer?: boolean;
  /** An import waits for one of the few places for concurrent imports, and its body has more time to arrive. */
  readonly isImport?: boolean;
  /** People open this address in a browser, so that a browser gets an error as a page. Routes that answer HTML are pages. */
  readonly isPage?: boolean;
  /** The handler itself checks a bearer that belongs to no client; a 401 answer then asks for a bearer. */
  readonly ownBearer?: boolean;
  /**
   * The body proves by a signature who has sent it. The function throws `signature_invalid` for a request whose head
   * shows already that no signature can be right; its body is not read.
   */
  readonly signed?: (request: RouteRequest) => void;
  /** Makes in advance what the route answers; called when the service starts. */
  readonly prepare?: () => unknown;
  /** Error codes of the handler; the codes of the guard are added automatically. */
  readonly errors: readonly ErrorCode[];
}

export interface RouteSpec<
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Access extends Auth,
  Responses extends Readonly<Record<number, ResponseSpec>>,
> extends RouteFacts {
  readonly auth: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly responses: Responses;
  readonly handler: (input: HandlerInput<Params, Query, Body, Access>) => Promise<Answer<Responses>>;
}

/** An authenticated route that names no right does not compile. */
type RightOf<Access extends Auth> = [Access] extends ['none']
  ? { readonly right?: undefined }
  : { readonly right: Right };

export interface GuardedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller | undefined;
  readonly request: RouteRequest;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** A route in the form that the app and the OpenAPI document use; only `defineRoute` creates one. */
export interface Route extends RouteFacts {
  readonly auth: Auth;
  /** What the role of the caller has to allow; undefined for a route without a caller. */
  readonly right?: Right | undefined;
  readonly bodyType: BodyType;
  readonly bodyLimit: number;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly handle: (input: GuardedInput) => Promise<GuardedAnswer>;
}

/** Declares a route. The checks of requests and answers and the OpenAPI document are derived from the declaration. */
export function defineRoute<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  const Access extends Auth = 'none',
  const Responses extends Readonly<Record<number, ResponseSpec>> = Record<number, never>,
>(spec: RouteSpec<Params, Query, Body, Access, Responses> & RightOf<Access>): Route {
  const { handler, ...facts } = spec;
  return {
    ...facts,
    params: spec.params,
    query: spec.query,
    body: spec.body,
    isPage:
      spec.isPage ?? Object.values<ResponseSpec>(spec.responses).some(({ contentType }) => contentType === PAGE_TYPE),
    bodyType: spec.bodyType ?? (spec.body === undefined ? 'none' : 'json'),
    bodyLimit: spec.bodyLimit ?? DEFAULT_BODY_LIMIT,
    // The cast is safe because `serveRoute` has parsed each part by the schema of this route before it calls.
    handle: (input) => handler(input as HandlerInput<Params, Query, Body, Access>) as Promise<GuardedAnswer>,
  };
}
