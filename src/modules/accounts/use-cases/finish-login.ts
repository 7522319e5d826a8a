import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../queries/add-audit.ts';
import { setStatus } from '../queries/clients.ts';
import { rememberSources } from '../queries/login-sources.ts';
import type { MemberSummary } from '../queries/members.ts';
import type { NewSession } from '../queries/sessions.ts';
import { type ClientSummary, summaryOf } from './account.ts';
import type { Origin } from './deps.ts';
import { emailHash } from './login-lockout.ts';
import { addressSource, deviceSource } from './login-sources.ts';
import { newOpaqueToken } from './opaque-token.ts';

/** Opens a session of one kind: a program's with a refresh token, or the console's with a cookie. */
export type OpenSession<Opened> = (tx: Tx, owner: NewSession) => Promise<Opened>;

export interface Entered {
  readonly client: ClientSummary;
  readonly member: MemberSummary;
  /** The token that the browser is to store, or null when it stores none. */
  readonly device: string | null;
}

interface Browser {
  /** The token that this browser received at an earlier login. */
  readonly device?: string | null;
  /** True when the browser stores a token. Any other browser would leave a row behind at every login. */
  readonly keepsDevice?: boolean;
}

/**
 * Returns the token that the browser is to keep. One that is not stored for this e-mail was not issued for it, and another
 * person may know it.
 */
export function keptDevice({ device = null, keepsDevice = false }: Browser, recognisedBy: string | null) {
  if (device !== null && recognisedBy === deviceSource(device)) return device;
  return keepsDevice ? newOpaqueToken() : null;
}

interface Proved<Opened> {
  readonly client: Parameters<typeof summaryOf>[0];
  readonly member: MemberSummary;
  /** By which the member logged in. */
  readonly email: string;
  readonly origin: Origin;
  readonly device: string | null;
  readonly open: OpenSession<Opened>;
}

/** What a login does when all that it asks for is proved, in the caller's transaction. */
export async function finishLogin<Opened extends object>(
  tx: Tx,
  { client, member, email, origin, device, open }: Proved<Opened>,
): Promise<Entered & Opened> {
  const clientId = client.id;
  if (client.status === 'ONBOARDING') await setStatus(tx, clientId, 'ACTIVE');
  const opened = await open(tx, { clientId, memberId: member.id, from: origin });
  const address = addressSource(origin.rateKey);
  const sources = device === null ? [address] : [deviceSource(device), address];
  await rememberSources(tx, { emailHash: emailHash(email), sources });
  await addAudit(tx, { clientId, actor: 'client', action: 'login', ip: origin.ip, memberId: member.id });
  return { ...opened, client: summaryOf({ ...client, status: 'ACTIVE' }), member, device };
}
