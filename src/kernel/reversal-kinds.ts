import { DAY } from './calendar.ts';

/** Why money of a payment goes back: the creditor gives it back, or a bank takes it. */
export const REVERSAL_KINDS = ['refund', 'med_fraude', 'med_operacional', 'med_pix_automatico', 'chargeback'] as const;
export type ReversalKind = (typeof REVERSAL_KINDS)[number];

/** The receiver may contest a return by the MED for so long (IN BCB 766/2026, from 1 September 2026). */
const MED_CONTEST_DAYS = 80;

/** Returns until when the creditor may contest a return at its bank; null for what cannot be contested there. */
export const contestUntilOf = (kind: ReversalKind, at: Date | null): Date | null =>
  at !== null && kind.startsWith('med_') ? new Date(at.getTime() + MED_CONTEST_DAYS * DAY) : null;

/** Money of a charge of the simulated bank that went back. */
export interface SandboxReversal {
  readonly id: string;
  readonly kind: ReversalKind;
  readonly amountCentavos: number;
  /** ISO 8601, because it is stored as JSON. */
  readonly at: string;
}
