import { randomUUID } from 'node:crypto';
import { DAY } from '../../../kernel/calendar.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { RowOf } from '../../../platform/database/queries/builder.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { PaymentProviderError, type ReceivedPayment } from '../ports/payment-provider.ts';
import { chargesOfReceived } from '../queries/charges-of-accounts.ts';
import {
  DUE_ACCOUNTS,
  STORE_READING,
  STORE_READING_FAILED,
  setCertificateWarned,
  TAKE_ACCOUNT,
} from '../queries/payment-accounts.ts';
import { insertReceived } from '../queries/received-payments.ts';
import { askNoLaterThan } from '../queries/reconciliation.ts';
import { keyOfEndToEnd } from '../rules/received-key.ts';
import { leftOfReceived } from '../rules/received-returns.ts';
import { accountPauseMs } from '../rules/reconciliation.ts';
import { askAndApply } from './apply-answer.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';
import { followReturnsOfReceived } from './follow-returns-of-received.ts';
import { isOwnNotificationAddress, pixNotificationAddress } from './pix-notification-address.ts';

const MINUTE = 60_000;
/** Nobody waits longer than this for a payment of which no notification told. */
const READ_EVERY_MS = 15 * MINUTE;
/** A bank may show a payment a while after it was made. */
const OVERLAP_MS = 2 * 60 * MINUTE;
/** Longer than one reading of an account. A process that dies loses nothing but this time. */
const LEASE_MS = 5 * MINUTE;
const MAX_ACCOUNTS = 20;
const MAX_PAGES = 50;
/** No account gets more than so many pages within it. A bank that says so is asked again later. */
const SHORTEST_PERIOD_MS = MINUTE;
/** A bank takes a payment back within so many days, with the time that it takes to decide. */
const RETURNED_WITHIN_MS = 120 * DAY;
const MAX_PAGES_OF_RETURNS = 200;

type DueAccount = RowOf<typeof DUE_ACCOUNTS>;

/**
 * Reads the payments that came to the accounts of clients, so that one without a notification is found, and one without a
 * charge is shown to the client. Says when a bank tells another address of payments. Returns how many payments were found
 * that nobody had told of.
 */
export const watchAccounts = (deps: PaymentDeps) => async (): Promise<number> => {
  let found = 0;
  for (const account of await deps.db.runUnscoped(DUE_ACCOUNTS, { dueBy: deps.now(), limit: MAX_ACCOUNTS })) {
    const leasedUntil = new Date(deps.now().getTime() + LEASE_MS);
    const { clientId, id } = account;
    const [taken] = await deps.db.writePrepared({ clientId }, TAKE_ACCOUNT, { id, seen: account.listAt, leasedUntil });
    if (taken !== undefined) found += await watch(deps, account, leasedUntil);
  }
  return found;
};

async function watch(deps: PaymentDeps, due: DueAccount, leasedUntil: Date): Promise<number> {
  const { clientId, id, provider: name, accountId } = due;
  const now = deps.now();
  if (!due.replaced) await warnOfCertificate(deps, due, now);
  try {
    const account = await deps.accountOf({ clientId, provider: name, accountId });
    const { found: paid, until } = await readOn(deps, due, account, now);
    const found = paid + (isNewDay(due.listedUntil, now) ? await readReturns(deps, due, account, now) : 0);
    const problem = due.replaced ? null : await problemOfNotifications(deps, due, account);
    const isBehind = until < now;
    const nextAt = isBehind ? now : new Date(now.getTime() + READ_EVERY_MS);
    await deps.db.writePrepared({ clientId }, STORE_READING, { id, leasedUntil, nextAt, until, problem });
    return found;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const kind = error.kind === 'unauthorized' ? 'refused' : 'unavailable';
    const { retryAfterSeconds } = error;
    const pauseMs = accountPauseMs({ kind, failures: due.askFailures + 1, retryAfterSeconds });
    const nextAt = new Date(now.getTime() + Math.max(pauseMs, READ_EVERY_MS));
    const problem = kind === 'refused' ? 'credentials_refused' : 'unavailable';
    await deps.db.writePrepared({ clientId }, STORE_READING_FAILED, { id, leasedUntil, nextAt, problem });
    return 0;
  }
}

/** So many days before its end the client is told of a certificate. */
const WARNED_DAYS = [1, 7, 30];

async function warnOfCertificate(deps: PaymentDeps, due: DueAccount, now: Date): Promise<void> {
  const { id, clientId, certificateExpiresAt, certificateWarnedDays: before } = due;
  if (certificateExpiresAt === null) return;
  const leftDays = (certificateExpiresAt.getTime() - now.getTime()) / DAY;
  const days = WARNED_DAYS.find((limit) => leftDays <= limit);
  if (days === undefined || (before !== null && before <= days)) return;
  await deps.db.tenant(clientId).transactional(async (tx) => {
    if (!(await setCertificateWarned(tx, { id, days, before }))) return;
    const mail = { clientId, requestId: randomUUID(), kind: 'certificate_ending', about: id } as const;
    await addOutbox(tx, deps.workflows.mailClient(mail));
  });
}

interface Reading {
  readonly from: Date;
  readonly to: Date;
  readonly onlyReturned?: true;
}

/** Reads a period in pages, and says whether it has no more of them than `maxPages`. */
async function read(
  deps: PaymentDeps,
  due: DueAccount,
  { provider, credentials }: PaymentAccount,
  period: Reading,
  maxPages: number,
): Promise<{ readonly found: number; readonly isWhole: boolean }> {
  let found = 0;
  let page: string | null = null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const received = await provider.listReceived({ ...period, page }, credentials);
    found += await apply(deps, due, received.items);
    page = received.next;
    if (page === null) return { found, isWhole: true };
    // A shorter period is read instead, which has these payments too. Nobody reads the returns of a shorter one.
    if (period.onlyReturned !== true && pages + 1 + received.pagesLeft > maxPages) break;
  }
  return { found, isWhole: false };
}

/**
 * Reads from a while before the end of the last reading. A period with more pages than one run reads is halved until it has
 * no more, because a bank fills its pages in an order of its own: what was read of such a period says nothing of the rest.
 */
async function readOn(
  deps: PaymentDeps,
  due: DueAccount,
  account: PaymentAccount,
  to: Date,
): Promise<{ readonly found: number; readonly until: Date }> {
  const from = new Date(due.listedUntil.getTime() - OVERLAP_MS);
  let [found, end] = [0, to.getTime()];
  for (;;) {
    const period = await read(deps, due, account, { from, to: new Date(end) }, MAX_PAGES);
    found += period.found;
    if (period.isWhole) break;
    const lengthMs = end - from.getTime();
    if (lengthMs <= SHORTEST_PERIOD_MS) {
      throw new PaymentProviderError('retryable', 'the bank has more payments of a moment than can be read');
    }
    end = from.getTime() + Math.floor(lengthMs / 2);
  }
  // The next run begins where this one ended, at the latest, also within the time that is read twice.
  return { found, until: new Date(Math.min(end + OVERLAP_MS, to.getTime())) };
}

const isNewDay = (before: Date, now: Date): boolean =>
  Math.floor(before.getTime() / DAY) !== Math.floor(now.getTime() / DAY);

/**
 * Once a day the payments of the last months are read of which something has gone back: a bank may take one back long
 * after it was settled, and its notification may be lost.
 */
async function readReturns(deps: PaymentDeps, due: DueAccount, account: PaymentAccount, to: Date): Promise<number> {
  const from = new Date(to.getTime() - RETURNED_WITHIN_MS);
  return (await read(deps, due, account, { from, to, onlyReturned: true }, MAX_PAGES_OF_RETURNS)).found;
}

/** Asks about charges of which no notification told, and stores what came without one and has not gone back. */
async function apply(deps: PaymentDeps, due: DueAccount, items: readonly ReceivedPayment[]): Promise<number> {
  const { clientId, provider } = due;
  const inClient = deps.db.tenant(clientId);
  const known = await inClient.transactional((tx) => chargesOfReceived(tx, { clientId, provider, items }));
  let found = 0;
  for (const charge of known.untold) if (await askAboutUntold(deps, clientId, charge)) found += 1;
  await followReturnsOfReceived(deps, clientId, items, known.returned);
  const orphans = items.filter((item) => known.orphans.has(item.endToEndId) && leftOfReceived(item) > 0);
  const stored = await inClient.transactional((tx) =>
    insertReceived(
      tx,
      orphans.map(({ endToEndId, paidAt, ...received }) => ({
        id: randomUUID(),
        clientId,
        source: 'bank',
        key: keyOfEndToEnd(endToEndId),
        amountCentavos: leftOfReceived(received),
        paidAt,
        method: 'pix',
        state: 'unmatched',
        endToEndId,
        invoiceId: null,
        taxId: null,
      })),
    ),
  );
  return found + stored.size;
}

type Untold = Awaited<ReturnType<typeof chargesOfReceived>>['untold'][number];

/**
 * Asks about one charge. One that cannot be asked about says nothing of the account that is read: an earlier account of the
 * client may have made it, which is not kept any more. It must not keep the payments after it from being found.
 */
async function askAboutUntold(deps: PaymentDeps, clientId: string, charge: Untold): Promise<boolean> {
  const now = deps.now();
  const { id, debtId } = charge;
  const momentOf = ({ clockOffsetMs }: { readonly clockOffsetMs: number }) => debtNow(clockOffsetMs, now.getTime());
  try {
    return (await askAndApply(deps, { clientId, debtId }, charge, momentOf)) === 'changed';
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    // The reconciliation asks about an open code until the provider answers; a return is read again on the next day.
    await deps.db.tenant(clientId).transactional((tx) => askNoLaterThan(tx, id, now));
    return false;
  }
}

/** A newer key or host of this service makes a newer address, which the bank is told. Another one is the client's doing. */
async function problemOfNotifications(
  { publicUrl, webhookSecrets }: PaymentDeps,
  { id }: DueAccount,
  { provider, credentials }: PaymentAccount,
): Promise<'notifications_elsewhere' | null> {
  const [address, newest] = [
    await provider.notificationAddress(credentials),
    pixNotificationAddress(publicUrl, id, webhookSecrets),
  ];
  if (address === newest) return null;
  if (address !== null && !isOwnNotificationAddress(address, id)) return 'notifications_elsewhere';
  await provider.registerNotifications(newest, credentials);
  return null;
}
