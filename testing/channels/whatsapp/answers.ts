/** Answers of the Graph API in the form that Meta documents. */
import type { BadDay } from '../fake-channel.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ErrorOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly subcode?: number;
  readonly type?: string;
  readonly transient?: boolean;
  readonly details?: string;
}

export function graphError(code: number, options: ErrorOptions = {}): Answer {
  const { status = 400, headers, subcode, type = 'OAuthException', transient, details = 'As documented.' } = options;
  return {
    status,
    ...(headers === undefined ? {} : { headers }),
    body: {
      error: {
        message: `(#${code}) ${details}`,
        type,
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(transient === undefined ? {} : { is_transient: transient }),
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
      },
    },
  };
}

export const wrongToken = graphError(190, { status: 401, details: 'Invalid OAuth access token.' });
export const missingObject = graphError(100, {
  type: 'GraphMethodException',
  subcode: 33,
  details: 'Unsupported request. Object does not exist, cannot be loaded due to missing permissions.',
});

/** Meta's texts repeat what was sent; the number is here so that a test notices when it reaches an error. */
const ABOUT = 'The message to +5561998765432 was not accepted.';

/** How WhatsApp answers on a bad day without having taken the message. */
export const REFUSALS: Readonly<Partial<Record<BadDay, Answer>>> = {
  throttled: graphError(130429, { status: 429, details: 'Cloud API message throughput has been reached.' }),
  throttled_with_retry_after: graphError(80007, { status: 429, headers: { 'retry-after': '30' } }),
  recipient_throttled: graphError(131056, { details: ABOUT }),
  server_error: graphError(2, { status: 503, transient: true, details: 'Service temporarily unavailable' }),
  wrong_token: wrongToken,
  no_permission: graphError(10, { status: 403 }),
  unreachable_recipient: graphError(131026, { details: ABOUT }),
  refused_content: graphError(132015, { details: 'Template is paused due to low quality.' }),
  suspended: graphError(131031, { status: 403 }),
};

/** How it answers after it has taken the message; `null` ends the connection. */
export const LOST_ANSWERS: Readonly<Partial<Record<BadDay, Answer | null>>> = {
  no_answer: null,
  server_error_after_taking: graphError(1, { status: 500, details: 'An unknown error has occurred.' }),
  malformed_answer: { status: 200, body: '{"messaging_product":"whatsapp","messages":[' },
};
