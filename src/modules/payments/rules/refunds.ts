import { DAY } from '../../../kernel/calendar.ts';
import { REVERSAL_KINDS, type ReversalKind } from '../../../kernel/reversal-kinds.ts';

/** `asked`: by the client's staff; `excess`: what was more than was owed. The others came unasked. */
export const REFUND_KINDS = ['asked', 'excess', ...REVERSAL_KINDS] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

export const REFUND_STATES = ['pending', 'done', 'failed'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** Why money that was to go back has stayed. */
export const REFUND_FAILURES = [
  'refused',
  'not_made',
  'account_gone',
  'credentials_refused',
  'payment_unknown',
] as const;
export type RefundFailure = (typeof REFUND_FAILURES)[number];

/** Money that goes back, as a provider tells of it: because the creditor gives it back, or because a bank takes it. */
export interface ProviderReversal {
  /** The id that the caller gave to a refund, or the provider's own. */
  readonly id: string;
  readonly kind: ReversalKind;
  readonly state: RefundState;
  readonly amountCentavos: number;
  readonly at: Date | null;
  /** Until when the creditor may contest it; null for what cannot be contested. */
  readonly contestUntil: Date | null;
}

export interface KnownRefund {
  readonly id: string;
  readonly kind: RefundKind;
  readonly state: RefundState;
  readonly amountCentavos: number;
  readonly providerRefundId: string | null;
}

interface Paid {
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBackAt: Date | null;
}

const sumOf = (refunds: readonly KnownRefund[], state: RefundState): number =>
  refunds
    .filter((one) => one.state === state && one.kind !== 'chargeback')
    .reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);

/**
 * Returns how much of a payment can still be given back: what was paid, less what went back and what is going back. What is
 * done may be known before the provider's sum has it, so the larger of the two counts.
 */
export function leftToRefund({ paidCentavos, refundedCentavos, chargedBackAt }: Paid, refunds: readonly KnownRefund[]) {
  if (chargedBackAt !== null) return 0;
  return Math.max(0, paidCentavos - Math.max(refundedCentavos, sumOf(refunds, 'done')) - sumOf(refunds, 'pending'));
}

export const refundUntil = (paidAt: Date, refundDays: number): Date => new Date(paidAt.getTime() + refundDays * DAY);

/** An adapter may write a UUID without its dashes, because its bank allows none. */
const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase();

const isOwn = ({ kind }: Pick<KnownRefund, 'kind'>): boolean => kind === 'asked' || kind === 'excess';

/** Whether a provider's return is a known one. */
const isSame = (refund: KnownRefund, { id }: ProviderReversal): boolean =>
  refund.providerRefundId === null
    ? isOwn(refund) && plainId(refund.id) === plainId(id)
    : plainId(refund.providerRefundId) === plainId(id);

/** Returns what the provider tells of a refund; null when it does not list it. */
export const tracedBy = (refund: KnownRefund, reversals: readonly ProviderReversal[]): ProviderReversal | null =>
  reversals.find((one) => isSame(refund, one)) ?? null;

/** Clocks of others may differ from ours by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * Returns a return that must be the trace of a refund whose answer was lost: of the same amount, made since it was sent
 * first, and of no other refund. A provider does not say how long it keeps the key of a request.
 */
export const lostTrace = (
  refund: KnownRefund & { readonly triedAt: Date | null },
  all: readonly KnownRefund[],
  reversals: readonly ProviderReversal[],
): ProviderReversal | null =>
  reversals.find(
    (one) =>
      one.kind === 'refund' &&
      one.state !== 'failed' &&
      one.amountCentavos === refund.amountCentavos &&
      refund.triedAt !== null &&
      one.at !== null &&
      one.at.getTime() >= refund.triedAt.getTime() - CLOCKS_DIFFER_MS &&
      !all.some((known) => isSame(known, one)),
  ) ?? null;

export interface ChangedRefund {
  readonly refund: KnownRefund;
  readonly reversal: ProviderReversal;
}

/**
 * Returns how a refund of which the provider has answered stands. A provider may answer about it before the payment shows
 * it; the money has gone back once the payment shows it, so that the sum of what went back is never behind the refund.
 */
export function standingOf(
  refund: KnownRefund,
  all: readonly KnownRefund[],
  {
    reversals,
    refundedCentavos,
  }: { readonly reversals: readonly ProviderReversal[]; readonly refundedCentavos: number },
  answered: ProviderReversal | null,
): ProviderReversal | null {
  const listed = tracedBy(refund, reversals);
  if (listed !== null) return listed;
  const others = all.filter(({ id }) => id !== refund.id);
  const id = answered?.id ?? refund.providerRefundId;
  if (id !== null && refundedCentavos >= sumOf(others, 'done') + refund.amountCentavos) {
    const { amountCentavos } = refund;
    return { id, kind: 'refund', state: 'done', amountCentavos, at: answered?.at ?? null, contestUntil: null };
  }
  return answered?.state === 'done' ? null : answered;
}

/** What a report about a payment says of its returns that is not stored yet. */
export interface ToldReversals {
  /** Returns of which nothing was known, and that were not asked for. */
  readonly unasked: readonly ProviderReversal[];
  readonly changed: readonly ChangedRefund[];
}

/**
 * Compares the returns of a report with the known ones. What may be the trace of a refund that is under way is not taken
 * for one that nobody asked for. A refund of ours that is done stays done, and one that counts as failed may have gone
 * through all the same; a bank may give back what it took.
 */
export function compareReversals(
  known: readonly (KnownRefund & { readonly triedAt: Date | null })[],
  reversals: readonly ProviderReversal[],
): ToldReversals {
  const unasked: ProviderReversal[] = [];
  const changed: ChangedRefund[] = [];
  for (const reversal of reversals) {
    const refund = known.find((one) => isSame(one, reversal));
    if (refund === undefined) {
      const underWay = known.some(
        (one) =>
          isOwn(one) && one.state === 'pending' && one.providerRefundId === null && lostTrace(one, known, [reversal]),
      );
      if (!underWay && reversal.amountCentavos > 0 && reversal.state !== 'failed') unasked.push(reversal);
    } else if (refund.state !== reversal.state && mayBecome(refund, reversal)) {
      changed.push({ refund, reversal });
    }
  }
  return { unasked, changed };
}

const mayBecome = (refund: KnownRefund, { state }: ProviderReversal): boolean =>
  refund.state === 'pending' || state === 'done' || !isOwn(refund);

/** A return that a bank made and that the client has to hear of. */
export interface UnaskedReturn {
  readonly kind: ReversalKind;
  readonly contestUntil: Date | null;
}

/** Returns the return that is told: of several the one whose term ends first. */
export function toldReturn({ unasked, changed }: ToldReversals): UnaskedReturn | null {
  const done = [...unasked, ...changed.filter(({ refund }) => !isOwn(refund)).map(({ reversal }) => reversal)].filter(
    ({ state }) => state === 'done',
  );
  const termOf = ({ contestUntil }: UnaskedReturn) => contestUntil?.getTime() ?? Number.POSITIVE_INFINITY;
  return done.toSorted((one, other) => termOf(one) - termOf(other))[0] ?? null;
}

const FIRST_WAIT_MS = 2 * 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Returns how long to wait before a refund is asked about again: ever longer, at most six hours. */
export const refundWaitMs = (tries: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(Math.max(0, tries - 1), 20));
