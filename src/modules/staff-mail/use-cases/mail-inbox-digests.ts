import { randomUUID } from 'node:crypto';
import { type Mail, type Mailer, MailerError } from '../../../kernel/ports/mailer.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  addresseeOfDigest,
  bookDigest,
  countOpenItems,
  type DigestOwner,
  DUE_DIGESTS,
  freeDigest,
  hasRecentDigest,
  lockDigests,
} from '../../debts/queries/inbox-digests.ts';
import { INBOX_PATH } from '../../debts/rules/inbox-reasons.ts';
import type { SharedDeps } from '../../deps.ts';
import { type InboxDigestInput, inboxDigestEmail } from '../texts/inbox-digest-email.ts';

/** The shortest time between two digests of a client. */
const EVERY_SECONDS = 15 * 60;
/** What happens within this time is told together, because the first of many items is rarely alone. */
const GATHER_SECONDS = 20;
/** The clients of one run. The next run, a minute later, begins with those that have waited longest. */
const MAX_DIGESTS = 500;

export interface DigestDeps extends Pick<SharedDeps, 'db' | 'now' | 'publicUrl' | 'note'> {
  /** Null where e-mail is off: then the inbox alone has the items. Mails about sandbox debts reach no mail server. */
  readonly mailerOf: (debts: { readonly sandbox: boolean }) => Mailer | null;
}

/** Mails to each client whose digest is due what waits for its staff, and returns how many mails were sent. */
export const mailInboxDigests =
  (deps: DigestDeps) =>
  async (onProgress: () => void): Promise<number> => {
    const due = await deps.db.readPrepared({}, DUE_DIGESTS, {
      gatherSeconds: GATHER_SECONDS,
      everySeconds: EVERY_SECONDS,
      live: deps.mailerOf({ sandbox: false }) !== null,
      limit: MAX_DIGESTS,
    });
    let sent = 0;
    let isServerDown = false;
    for (const owner of due) {
      onProgress();
      if (isServerDown && !owner.sandbox) continue;
      const outcome = await mailDigest(deps, owner);
      if (outcome === 'sent') sent += 1;
      // The clients share one mail server, so the others would only wait for it to time out again.
      if (outcome === 'server_down') isServerDown = true;
    }
    return sent;
  };

type Outcome = 'sent' | 'nothing' | 'refused' | 'not_sent' | 'server_down';

/**
 * The items are booked before the mail is sent, and freed only if it certainly was not. After a crash in between, or an
 * uncertain outcome, they count as told: no digest is repeated, and the items stay in the inbox.
 */
async function mailDigest(deps: DigestDeps, owner: DigestOwner): Promise<Outcome> {
  const mailer = deps.mailerOf(owner);
  if (mailer === null) return 'nothing';
  const { clientId } = owner;
  const mail = await deps.db.tenant(clientId).transactional((tx) => bookMail(tx, deps, owner));
  if (mail === null) return 'nothing';
  try {
    await mailer.send(mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    if (error.kind === 'unknown_outcome') return 'sent';
    if (error.kind === 'rejected') {
      deps.note('A digest of the inbox was refused by the mail server for good.', { clientId, digestId: mail.id });
      return 'refused';
    }
    await deps.db.tenant(clientId).transactional((tx) => freeDigest(tx, mail.id, clientId));
    const concernsOneMail = error.kind === 'retryable' && error.smtpStatus !== undefined;
    return concernsOneMail ? 'not_sent' : 'server_down';
  }
}

/** Returns null when another run has just told everything, or no address is left. */
async function bookMail(tx: Tx, deps: DigestDeps, owner: DigestOwner): Promise<Mail | null> {
  const { clientId, sandbox } = owner;
  await lockDigests(tx, clientId);
  if (await hasRecentDigest(tx, owner, EVERY_SECONDS)) return null;
  const client = await addresseeOfDigest(tx, clientId);
  if (client === undefined) return null;
  const id = randomUUID();
  const told: InboxDigestInput['told'] = await bookDigest(tx, owner, id);
  if (told.length === 0) return null;
  const open = await countOpenItems(tx, owner);
  const email = inboxDigestEmail({ told, open, sandbox, inboxUrl: `${deps.publicUrl}${INBOX_PATH}` });
  // Nobody has proved the contact address, so real mail goes there only for a company that the operator has verified.
  const to = sandbox || client.verified ? (client.contactEmail ?? client.email) : client.email;
  return { id, to, ...email, context: { clientId, debtId: null, purpose: 'inbox_digest', at: deps.now() } };
}
