import fc from 'fast-check';
import type { ReportedState } from '../src/modules/debts/rules/debt-payments.ts';
import type { ProviderCharge } from '../src/modules/payments/ports/payment-provider.ts';
import type { LiveCharge } from '../src/modules/payments/use-cases/find-or-make-charge.ts';

const some = fc.nat(20);
const part = fc.constantFrom<number>(0.3, 0.5, 1, 2);
/** How many days ago the money came; learned today, as everything else is. */
export const daysAgo = fc.constantFrom(0, 0, 3, 40);

/** What the debtor, the client and the bank do about the money of an agreement. */
export const moneyDeeds = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('code' as const),
      what: fc.constantFrom('next' as const, 'rest' as const, 'ofDebts' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record(
      { kind: fc.constant('pay' as const), code: some, part, daysAgo },
      { requiredKeys: ['kind', 'code', 'part'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { kind: fc.constant('record' as const), debt: some, part, daysAgo },
      { requiredKeys: ['kind', 'debt', 'part'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      payment: some,
      part: fc.constantFrom<number>(0.2, 0.5, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('chargeBack' as const, 'reverse' as const), payment: some }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), payment: some, which: some }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      event: fc.constantFrom('broken' as const, 'cancelled' as const),
    }),
  },
);
export type MoneyDeed = typeof moneyDeeds extends fc.Arbitrary<infer One> ? One : never;

/** A payment of a code as its bank knows it, with every state that the bank has answered. */
export interface CodePayment {
  readonly code: LiveCharge;
  /** Null where the bank does not say when it was paid. */
  readonly paidAt: Date | null;
  readonly states: ReportedState[];
  /** The newest state that was reported to the service; -1 for none. */
  heard: number;
}

/** What the bank answers about a code that was paid. */
export const reportOfCode = (
  { code, paidAt }: Pick<CodePayment, 'code' | 'paidAt'>,
  state: ReportedState,
): ProviderCharge => ({
  providerPaymentId: code.providerPaymentId,
  status: state.chargedBack || state.refundedCentavos >= state.paidCentavos ? 'CANCELLED' : 'APPROVED',
  rawStatus: 'any',
  statusDetail: null,
  amountCentavos: code.amountCentavos,
  paidAmountCentavos: state.paidCentavos,
  refundedCentavos: state.refundedCentavos,
  currency: 'BRL',
  externalReference: code.id,
  paidAt,
  endToEndId: null,
  expiresAt: null,
  updatedAt: new Date(state.at ?? 0),
  chargedBack: state.chargedBack,
  instruments: [],
  settlements: [],
  reversals: [],
});
