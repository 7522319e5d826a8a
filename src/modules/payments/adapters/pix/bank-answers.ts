import { z } from 'zod';
import { networkCodeOf } from '../../../../platform/network/network-code.ts';
import { PaymentProviderError, type PaymentProviderErrorKind } from '../../ports/payment-provider.ts';
import type { PixProfile } from './profile.ts';

/** What a bank answered, before anything of it is believed. */
export interface BankAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_CODES = 20;
const text = z.string().max(300).optional().catch(undefined);
const code = z
  .union([z.string().max(300), z.number()])
  .transform(String)
  .optional()
  .catch(undefined);
/** `valor` and the sentences are not read: they may repeat a person's data. */
const problemBody = z.object({
  type: text,
  nome: text,
  error: text,
  erros: z.array(z.object({ codigo: code }).catch({ codigo: undefined })).catch([]),
  violacoes: z.array(z.object({ propriedade: text }).catch({ propriedade: undefined })).catch([]),
});

interface Problem {
  /** Whether the bank's own program refused, and not a server in front of it or at a wrong address. */
  readonly isOfTheApi: boolean;
  readonly codes: readonly string[];
}

const NO_PROBLEM: Problem = { isOfTheApi: false, codes: [] };

function readProblem(body: string, profile: PixProfile): Problem {
  let parsed: z.infer<typeof problemBody>;
  try {
    parsed = problemBody.parse(JSON.parse(body));
  } catch {
    return NO_PROBLEM;
  }
  const { type = '', nome = '', error = '', erros, violacoes } = parsed;
  const kind = type.slice(type.lastIndexOf('/') + 1);
  const shapes = {
    problem: /\/error\/[A-Za-z]+$/.test(type),
    nome: nome !== '',
    erros: erros.length > 0,
  };
  const given = [kind, nome, error, ...erros.map((one) => one.codigo), ...violacoes.map((one) => one.propriedade)];
  return {
    isOfTheApi: profile.errorShapes.some((shape) => shapes[shape]),
    codes: given
      .filter((one) => one !== undefined && /^[A-Za-z0-9_.[\]-]{1,80}$/.test(one))
      .slice(0, MAX_CODES) as string[],
  };
}

/** Reads seconds or an HTTP date; a very long wait is limited, and an unreadable value is ignored. */
function retryAfterSeconds(header: string | null): number | undefined {
  const given = header?.trim() ?? '';
  if (given === '' || given.length > 64) return undefined;
  const seconds = /^\d+$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

export interface Call {
  /** The call as it may stand in a log: without key, query and body. */
  readonly name: string;
  readonly writes: boolean;
}

function kindOf(status: number, problem: Problem, writes: boolean): PaymentProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized';
  // A server at a wrong or changed address says 404 too, and knows nothing about our charges.
  if (status === 404) return problem.isOfTheApi ? 'not_found' : 'retryable';
  if (status === 409) return 'conflict';
  // The bank refused before it did any work.
  if (status === 429) return 'retryable';
  if (status === 408 || status >= 500) return writes ? 'unknown_outcome' : 'retryable';
  if (status >= 400) return 'rejected';
  // A redirect, which is not followed: the token must not reach another server.
  return writes ? 'unknown_outcome' : 'retryable';
}

export function refusalOf(answer: BankAnswer, call: Call, profile: PixProfile): PaymentProviderError {
  const problem = readProblem(answer.text, profile);
  const wait = retryAfterSeconds(answer.retryAfter);
  const codes = problem.codes.length === 0 ? '' : ` (${problem.codes.join(', ')})`;
  return new PaymentProviderError(
    kindOf(answer.status, problem, call.writes),
    `${profile.title}: ${call.name} answered ${answer.status}${codes}`,
    {
      httpStatus: answer.status,
      providerCodes: problem.codes,
      ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    },
  );
}

/** For instance a maintenance page with the status 200. */
export const unreadable = (status: number, call: Call, profile: PixProfile): PaymentProviderError =>
  new PaymentProviderError(
    call.writes ? 'unknown_outcome' : 'retryable',
    `${profile.title}: ${call.name} answered ${status} with an unreadable body`,
    { httpStatus: status },
  );

/** No connection was established, so the bank has received nothing. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function failureOfNetwork(error: unknown, call: Call, profile: PixProfile): PaymentProviderError {
  const found = networkCodeOf(error) ?? '';
  const failed = (kind: PaymentProviderErrorKind, words: string, codes: readonly string[] = []) =>
    new PaymentProviderError(kind, `${profile.title}: ${call.name} ${words}`, { providerCodes: codes });
  if (found === 'ADDRESS_REFUSED') return failed('rejected', 'leads to a private address', ['address_refused']);
  // The bank closes the connection with an alert when it refuses our certificate, before it reads a request.
  if (/ALERT|HANDSHAKE/.test(found)) return failed('unauthorized', `was refused (${found})`, ['certificate_refused']);
  if (/CERT|ERR_OSSL|ERR_TLS|SIGNATURE|WRONG_VERSION/.test(found)) {
    return failed('unauthorized', `found no trusted TLS (${found})`, ['bank_certificate_untrusted']);
  }
  const words = found === 'TIMED_OUT' ? 'did not answer in time' : `could not be reached${found && ` (${found})`}`;
  return failed(call.writes && !NEVER_SENT.includes(found) ? 'unknown_outcome' : 'retryable', words);
}
