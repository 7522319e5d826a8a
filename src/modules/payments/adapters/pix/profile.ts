import type { PixCredentials } from '../../ports/payment-provider.ts';

export interface BankAddresses {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  /** Where charges are changed by PATCH, for a bank that has another base for it. */
  readonly patchBaseUrl?: string;
  /** The authorities that signed the bank's certificate, when they are not public ones. */
  readonly caPem?: string;
}

/** A value that a bank wants with each call. */
export type BankValue =
  | { readonly from: 'client_id' }
  /** Another one for each call, by which the bank finds it. */
  | { readonly from: 'call_id' }
  /** A datum that the bank gave to the client beside id and secret; left out where the client has none. */
  | { readonly from: 'extra'; readonly name: string };

/** What the bank asks of its client beside client id, secret, key and certificate. */
export interface ExtraDatum {
  readonly name: string;
  /** Read by the client's staff. */
  readonly title: string;
  readonly required: boolean;
}

/** A bank's habits, as data: what all banks do alike is code. */
export interface PixProfile {
  /** The bank's name, as people read it. */
  readonly title: string;
  /** Null for `custom`, whose addresses are in its credentials. */
  readonly production: BankAddresses | null;
  readonly sandbox: BankAddresses | null;
  readonly token: {
    /** How the client says who it is; `basic_or_form` tries the form when the bank refuses Basic. */
    readonly client: 'basic' | 'form' | 'id_only' | 'basic_or_form';
    readonly body: 'form' | 'json';
    /** `grant_type` stands in the address. */
    readonly grantInQuery: boolean;
    readonly scope: string | null;
    /** The answer names the client that the token is for. */
    readonly namesClient: boolean;
  };
  /** Whether the bank asks for a client certificate in production, for the token as for the API. */
  readonly certificate: 'required' | 'optional';
  readonly headers: Readonly<Record<string, BankValue>>;
  readonly query: Readonly<Record<string, BankValue>>;
  /** Sent when the address of notifications is set. */
  readonly webhookHeaders: Readonly<Record<string, string>>;
  readonly extras: readonly ExtraDatum[];
  /** The members in which the code that is paid may stand, the usual one first. */
  readonly codeFields: readonly string[];
  /** How the bank writes a refusal: as the standard says, as `{nome}`, or as `{erros: [{codigo}]}`. */
  readonly errorShapes: readonly ('problem' | 'nome' | 'erros')[];
  readonly received: { readonly maxWindowDays: number; readonly pageSize: number };
  /** Whether charges with a due date are a part of the product. */
  readonly cobv: boolean;
  /** How the bank says who it is when it notifies. */
  readonly notifiesBy: 'mtls' | 'address_only' | 'unknown';
  /** How many calls the bank is known to allow in a minute: for tokens, and by the first part of the path. */
  readonly callsPerMinute: Readonly<Record<string, number>>;
  readonly verified: readonly string[];
  readonly unverified: readonly string[];
}

export function valuesOf(
  wanted: Readonly<Record<string, BankValue>>,
  credentials: PixCredentials,
  callId: string,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const found =
      value.from === 'client_id'
        ? credentials.clientId
        : value.from === 'call_id'
          ? callId
          : credentials.extra[value.name];
    if (found !== undefined && found !== '') values[name] = found;
  }
  return values;
}
