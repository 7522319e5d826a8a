import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError, type PasskeyQuestion, type RegisterPasskeyResult } from '../api/client.ts';
import { failedOfResponse } from '../api/problem.ts';
import { publicQuita, quita } from '../api/quita.ts';
import type { PasskeyReason } from '../texts/passkeys.ts';
import { signIn } from './session.ts';

/** A passkey that did nothing, and why. */
export class PasskeyFailed extends Error {
  readonly reason: PasskeyReason;
  constructor(reason: PasskeyReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Passkeys belong to a name, so there are none at an IP address, nor where others could read the connection. */
export const mayUsePasskeys = (): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in window &&
  !/^[\d.]+$/.test(location.hostname) &&
  location.hostname[0] !== '[';

/** Loaded by the first passkey. */
const library = () => import('@simplewebauthn/browser');

const OF_BROWSER: Readonly<Record<string, PasskeyReason>> = {
  AbortError: 'cancelled',
  NotAllowedError: 'cancelled',
  InvalidStateError: 'known',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
  SecurityError: 'unsupported',
};
const OF_SERVICE: Readonly<Record<string, PasskeyReason>> = {
  invalid_credentials: 'refused',
  token_invalid: 'ended',
  not_found: 'none',
};

/** What a browser says is not always of its own class, so that the name tells. */
const byBrowser = (error: unknown): never => {
  const reason = error instanceof Error ? OF_BROWSER[error.name] : undefined;
  throw reason === undefined ? error : new PasskeyFailed(reason);
};

const byService = (error: unknown): never => {
  const code = error instanceof ApiError ? (error.body as { code?: string } | null)?.code : undefined;
  const reason = code === undefined ? undefined : OF_SERVICE[code];
  throw reason === undefined ? error : new PasskeyFailed(reason);
};

async function sign({ options }: PasskeyQuestion) {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON }).catch(byBrowser);
}

/**
 * Signs in by a passkey alone, or finishes the sign-in whose challenge `login` is. A refusal that is not about the passkey
 * is returned as the server's problem.
 */
export async function signInByPasskey({
  remember = false,
  login,
}: {
  readonly remember?: boolean;
  readonly login?: string;
}): Promise<Response | undefined> {
  const body = login === undefined ? {} : { login };
  const asked = await publicQuita.askForPasskey({ body }).catch(byService);
  const refused = await signIn({ challenge: asked.challenge, response: await sign(asked), remember });
  if (refused === undefined) return undefined;
  const reason = OF_SERVICE[(await failedOfResponse(refused.clone())).code];
  if (reason !== undefined) throw new PasskeyFailed(reason);
  return refused;
}

/** Proves the passkey again, for some minutes of this session. */
export async function stepUpByPasskey(): Promise<void> {
  const asked = await quita.askForStepUp().catch(byService);
  const body = { challenge: asked.challenge, response: await sign(asked) };
  await quita.stepUp({ body }).catch(byService);
}

/** Makes a passkey on this device or on another one that the browser reaches. */
export async function makePasskey(name: string): Promise<RegisterPasskeyResult> {
  const { challenge, options } = await quita.askForNewPasskey();
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON }).catch(byBrowser);
  return quita.registerPasskey({ body: { challenge, name, response } }).catch(byService);
}
