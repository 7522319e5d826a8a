import type { MemberRole } from '../../kernel/member-rights.ts';

/** What a request says about who calls. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly ip: string;
}

/** The authenticated caller. The kind tells an access token, an API key and an identity provider's token apart. */
export interface Caller {
  readonly clientId: string;
  readonly kind: 'session' | 'api_key' | 'identity';
  /** It is read with every request, so that another role binds from the next request on. */
  readonly role: MemberRole;
  /** Null for an API key, which belongs to the company. */
  readonly member: { readonly id: string; readonly name: string } | null;
  readonly sessionId?: string;
  /** The hash by which the API key of the call is found. */
  readonly apiKeyHash?: string;
  /** The company asks for a second factor, and the member has none. */
  readonly lacksFactor?: boolean;
  /** The member has a second factor, and did not prove it to this session in the last minutes. */
  readonly needsStepUp?: boolean;
}
