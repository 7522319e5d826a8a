/** The part of the library that the tests use; the library has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Context {
    body: unknown;
    readonly oidc: {
      readonly params?: Readonly<Record<string, unknown>>;
      readonly provider: Provider;
    };
  }

  interface IdToken {
    scope: string;
    issue(options: { use: 'idtoken' }): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly IdToken: new (
      claims: object,
      options: { ctx: Context },
    ) => IdToken;
    registerGrantType(name: string, handler: (ctx: Context) => Promise<void>, parameters: readonly string[]): void;
    readonly Grant: new (options: {
      accountId: string;
      clientId: string;
    }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: Readonly<Record<string, unknown>> }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
