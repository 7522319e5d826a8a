import { HOUR } from '../../../kernel/calendar.ts';
import { CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import type { SharedDeps } from '../../deps.ts';
import { type CheckedSender, MessagingError } from '../ports/messaging-channel.ts';
import { DUE_SENDERS, type DueSender, storeSenderFacts } from '../queries/channel-senders.ts';
import { failureText } from './attempt-to-send.ts';
import type { MessagingDeps } from './deps.ts';
import { tellOfMarketing } from './follow-category.ts';
import { approvingOf, refreshTemplates } from './product-templates.ts';
import { QUALITY_BLOCKED, startSender, stopRefused, stopSender } from './sender-state.ts';
import { type RealSender, realSendersOf } from './senders-of.ts';

const EVERY_MS = 6 * HOUR;
/** The senders of one run. The next one, an hour later, begins with those that have waited longest. */
const MAX_SENDERS = 500;
/** Channels that do not answer must not keep a run from its end. */
const MAX_RUN_MS = 8 * 60_000;
/** Senders are asked about one after the other on each of these lines, so that no channel gets many calls at once. */
const LINES = 4;

export type CheckDeps = Pick<SharedDeps, 'db' | 'now' | 'note' | 'workflows'> & Pick<MessagingDeps, 'sendersOf'>;

/**
 * Asks the channels about senders that were not checked for six hours and about those that do not work, and stores what
 * they say. So an expired token is noticed before a message needs it. Returns how many were asked about.
 */
export const checkSenders =
  (deps: CheckDeps) =>
  async (onProgress: () => void): Promise<number> => {
    const checkedBefore = new Date(deps.now().getTime() - EVERY_MS);
    const due = await deps.db.readPrepared({}, DUE_SENDERS, { checkedBefore, limit: MAX_SENDERS });
    const waiting = due.values();
    const endsAt = performance.now() + MAX_RUN_MS;
    let asked = 0;
    const line = async (): Promise<void> => {
      for (const sender of waiting) {
        if (performance.now() > endsAt) return;
        onProgress();
        if (await checkSender(deps, sender)) asked += 1;
      }
    };
    await Promise.all(Array.from({ length: LINES }, line));
    return asked;
  };

/** Returns false for a sender that the deployment has no credentials for. */
async function checkSender(deps: CheckDeps, due: DueSender): Promise<boolean> {
  const { clientId, channel, senderId } = due;
  const key = { clientId, channel, senderId };
  const db = deps.db.tenant(clientId);
  const sender = await findSender(deps, due);
  let checked: CheckedSender;
  try {
    if (sender === null) {
      // It is asked about again only after the others.
      await db.transactional((tx) => storeSenderFacts(tx, key, {}));
      return false;
    }
    checked = await sender.channel.checkCredentials(sender.credentials);
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    await db.transactional(async (tx) => {
      await storeSenderFacts(tx, key, {});
      await stopRefused(tx, deps, key, { kind: error.kind, failure: failureText(error) });
    });
    return true;
  }
  await db.transactional(async (tx) => {
    const { shownAs, peoplePerDay, quality = null } = checked;
    await storeSenderFacts(tx, key, { shownAs, peoplePerDay, quality, checkedAt: deps.now() });
    if (quality === 'blocked') await stopSender(tx, deps, key, { state: 'paused', reason: QUALITY_BLOCKED });
    else if (mayStart(due, deps.now())) await startSender(tx, deps, key);
  });
  await checkTemplates(deps, clientId, sender);
  return true;
}

/** Valid credentials do not end a pause early: the channel may have paused the sender for its messages. */
const mayStart = ({ state, pausedUntil }: DueSender, now: Date): boolean =>
  state === 'failing' || (state === 'paused' && (pausedUntil === null || pausedUntil <= now));

async function findSender(deps: CheckDeps, { clientId, channel, senderId }: DueSender): Promise<RealSender | null> {
  try {
    const senders = await deps.db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId));
    return senders.find(({ name, id }) => name === channel && id === senderId) ?? null;
  } catch (error) {
    if (!(error instanceof CredentialCipherError)) throw error;
    deps.note('The credentials of a sender cannot be decrypted: connect it again.', { clientId, channel });
    return null;
  }
}

async function checkTemplates(deps: CheckDeps, clientId: string, sender: RealSender): Promise<void> {
  const approving = approvingOf(sender);
  if (approving === null) return;
  try {
    await refreshTemplates(deps, clientId, approving);
    const account = { clientId, channel: sender.name, accountId: approving.accountId };
    await deps.db.tenant(clientId).transactional((tx) => tellOfMarketing(tx, deps, account));
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    deps.note('A channel did not say which templates it has approved.', { clientId, channel: sender.name });
  }
}
