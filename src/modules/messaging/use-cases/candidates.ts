import { DAY } from '../../../kernel/calendar.ts';
import { isRealChannel, REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { areaCodeOf } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import { mayWriteFreely } from '../../policy/rules/message-policy.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import type { MessagingChannel, MessagingChannelName } from '../ports/messaging-channel.ts';
import { adoptSender, hasDisconnected } from '../queries/channel-senders.ts';
import { type KnownSender, sendersFor } from '../queries/recipients.ts';
import { hasAddressOn, type MessagingDeps, type Sender, wantedSenders } from './deps.ts';

/** A person whom a channel did not reach may use it later, so it is tried again after this time. */
const UNREACHABLE_MS = 30 * DAY;
/** A refused message says nothing about the person, so the channel rests only until the next day. */
const REFUSED_MS = DAY;

/** The moment to store for an address that a channel has just failed to reach, so that it rests for the right time. */
export const unreachableSince = (now: Date, kind: 'undeliverable' | 'rejected'): Date =>
  kind === 'undeliverable' ? now : new Date(now.getTime() - (UNREACHABLE_MS - REFUSED_MS));

/** A sender that may carry a message to a person, with what is known of both; nothing is known in the sandbox. */
export interface Candidate {
  readonly sender: Sender;
  readonly known: KnownSender | null;
}

/** The candidates in the order in which they are tried, or why there is none. */
export type Candidates = {
  /** All that the client has connected. */
  readonly senders: readonly Sender[];
} & (
  | { readonly list: readonly [Candidate, ...Candidate[]]; readonly nobodyBecause: null }
  /**
   * `sender`: no sender of the client may send now, or those that have an address of the person are out of use.
   * `recipient`: none of its channels reaches the person.
   */
  | { readonly list: readonly []; readonly nobodyBecause: 'sender' | 'recipient' }
);

export interface CandidateQuestion {
  readonly phone: string;
  /** The channel by which the person wrote, which is tried first. */
  readonly answers?: string | null;
  /** The API may read the senders, and adds none that only the deployment's configuration names. */
  readonly readOnly?: boolean;
}

export const realNameOf = ({ channel }: Sender): RealChannel | null =>
  isRealChannel(channel.name) ? channel.name : null;

type CandidateDeps = Pick<MessagingDeps, 'personKeys' | 'sendersOf' | 'now'>;

/**
 * Returns the senders that may carry a message to the person, best first: the channel on which the person wrote, then
 * channels that have reached the person, then the client's own order. Only senders of the wanted channel count, unless
 * none of it reaches the person.
 */
export async function candidatesFor(
  tx: Tx,
  deps: CandidateDeps,
  debt: DebtContext,
  question: CandidateQuestion,
): Promise<Candidates> {
  const connected = await deps.sendersOf(tx, debt);
  // An answer goes where the person has written.
  const senders = (question.answers ?? null) === null ? wantedSenders(connected, debt) : connected;
  const found = await candidatesAmong(tx, deps, debt, { ...question, senders });
  if (found.nobodyBecause !== 'recipient' || senders.length === connected.length) return found;
  // That the wanted channel reaches nobody says nothing of the phone. Whether another one may be used, the policy decides.
  return candidatesAmong(tx, deps, debt, { ...question, senders: connected });
}

async function candidatesAmong(
  tx: Tx,
  deps: CandidateDeps,
  debt: DebtContext,
  { phone, answers = null, readOnly = false, senders }: CandidateQuestion & { readonly senders: readonly Sender[] },
): Promise<Candidates> {
  const [simulated] = senders.filter((sender) => realNameOf(sender) === null);
  if (simulated !== undefined) return { senders, list: [{ sender: simulated, known: null }], nobodyBecause: null };
  const key = {
    clientId: debt.clientId,
    personKey: deps.personKeys.person(debt.debtorTaxId),
    phoneKey: deps.personKeys.phone(phone),
  };
  const now = deps.now().getTime();
  const known = readOnly ? await sendersFor(tx, key, deps.now()) : await knownSenders(tx, key, senders, deps.now());
  const all = senders.flatMap((sender): Candidate[] => {
    const row = known.find(({ channel, senderId }) => channel === sender.channel.name && senderId === sender.id);
    if (row === undefined) return readOnly ? [{ sender, known: null }] : [];
    return [{ sender, known: row }];
  });
  // Another channel would reach whoever has the number that the person has left.
  const hasLeft = all.some(({ known: row }) => row?.movedAt != null);
  const reaching = all.filter(
    ({ sender, known: row }) =>
      reaches(sender, row, debt, now) &&
      !(hasLeft && sender.channel.capabilities.reaches === 'phone' && row?.movedAt == null),
  );
  const [first, ...others] = reaching
    .filter(({ known: row }) => !rests(row, now))
    .sort((one, other) => rank(other.sender, other.known, answers) - rank(one.sender, one.known, answers));
  if (first !== undefined) return { senders, list: [first, ...others], nobodyBecause: null };
  if (all.length === 0 || reaching.length > 0) return { senders, list: [], nobodyBecause: 'sender' };
  // A channel without an address of the person says nothing of the phone, which may be reached once a number that the
  // client has taken out of use is back.
  const isTried = all.some(({ sender }) => hasAddressOn(sender.channel, debt));
  const isOut = !isTried && (await hasDisconnected(tx, debt.clientId, numbersAmong(debt.channels ?? REAL_CHANNELS)));
  return { senders, list: [], nobodyBecause: isOut ? 'sender' : 'recipient' };
}

/** The channels that reach a phone, which each debt has. */
const numbersAmong = (channels: readonly RealChannel[]): RealChannel[] => channels.filter((name) => name !== 'email');

/** A sender of the deployment's configuration has no row before its first message. */
async function knownSenders(
  tx: Tx,
  key: Parameters<typeof sendersFor>[1],
  senders: readonly Sender[],
  now: Date,
): Promise<KnownSender[]> {
  const known = await sendersFor(tx, key, now);
  const missing = senders.filter(
    ({ channel, id }) => !known.some((row) => row.channel === channel.name && row.senderId === id),
  );
  if (missing.length === 0) return known;
  for (const sender of missing) {
    const channel = realNameOf(sender);
    if (channel === null || sender.id === null) continue;
    const accountId = sender.credentials?.accountId ?? null;
    await adoptSender(tx, { clientId: key.clientId, channel, senderId: sender.id, accountId, shownAs: sender.id });
  }
  return sendersFor(tx, key, now);
}

/**
 * Returns the senders that reach a person, best first, whether or not they may send now. `knownOf` returns what is known of
 * the address on a channel.
 */
export const sendersReaching = <Given extends Reaching>(
  senders: readonly Given[],
  debt: Pick<DebtContext, 'debtorEmail'>,
  knownOf: (sender: Given) => KnownAddress | null,
  now: number,
): Given[] =>
  senders
    .filter((sender) => reaches(sender, knownOf(sender), debt, now))
    .sort((one, other) => rank(other, knownOf(other), null) - rank(one, knownOf(one), null));

/** What tells whether a channel reaches an address. */
interface Reaching {
  readonly channel: Pick<MessagingChannel, 'name' | 'capabilities'>;
}
type KnownAddress = Pick<KnownSender, 'reachedAt' | 'unreachableAt' | 'wroteAt'>;

function reaches(
  { channel }: Reaching,
  known: KnownAddress | null,
  debt: Pick<DebtContext, 'debtorEmail'>,
  now: number,
): boolean {
  if (!hasAddressOn(channel, debt)) return false;
  const since = known?.unreachableAt?.getTime() ?? null;
  if (since === null || now - since > UNREACHABLE_MS) return true;
  return (known?.wroteAt?.getTime() ?? 0) > since;
}

/** A sender that cannot send is tried again after its pause, because nobody else may notice that it can. */
const rests = (known: KnownSender | null, now: number): boolean =>
  known !== null && known.state !== 'ready' && (known.pausedUntil === null || known.pausedUntil.getTime() > now);

/** Sorting keeps the client's order among candidates of the same rank. */
function rank(
  { channel }: Reaching,
  known: KnownAddress | null,
  answers: MessagingChannelName | string | null,
): number {
  if (channel.name === answers) return 2;
  return known !== null && known.reachedAt !== null ? 1 : 0;
}

/** Whether the channel lets the client write free text to the person now, in place of an approved template. */
export function mayWriteFreeText(
  { sender, known }: Candidate,
  deps: Pick<SharedDeps, 'policy' | 'now'>,
  { collectsFor }: Pick<DebtContext, 'collectsFor'>,
  phone: string,
): boolean {
  const { freeTextWindowMs, policyChannel } = sender.channel.capabilities;
  if (freeTextWindowMs === null) return true;
  const { holidays } = deps.policy;
  const pack = bindingPack(deps.policy.pack, collectsFor);
  const now = deps.now().getTime();
  const wroteAt = known?.wroteAt?.getTime() ?? null;
  const context = { pack, holidays, channel: policyChannel, phoneAreaCode: areaCodeOf(phone), now };
  return wroteAt !== null && now - wroteAt < freeTextWindowMs && mayWriteFreely(context, wroteAt);
}
