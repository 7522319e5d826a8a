/** What a request says about who calls. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly ip: string;
}

/** The authenticated caller. The kind tells an access token, an API key and an identity provider's token apart. */
export interface Caller {
  readonly clientId: string;
  readonly kind: 'session' | 'api_key' | 'identity';
  readonly sessionId?: string;
}
