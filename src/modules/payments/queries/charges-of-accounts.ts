import { isOutside, type PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { goneBackOf } from '../rules/received-returns.ts';

/** Counts the open charges of each account of a client. An account has the key of its provider and id. */
export const openChargesByAccount = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('charges')
    .select(['provider', 'accountId'])
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('clientId', '=', clientId)
    .where('accountId', 'is not', null)
    .where('askAt', 'is not', null)
    .groupBy(['provider', 'accountId'])
    .execute();

interface ReceivedItem {
  readonly endToEndId: string;
  readonly providerPaymentId: string | null;
  readonly amountCentavos: number;
  readonly returnedCentavos: number;
}

/**
 * Tells payments that came to an account apart: `untold` are charges that are not known to be paid, or of which more has
 * gone back than is known; `returned` are payments without a charge that are recorded, and of which that is so; `orphans`
 * the ids of payments that no charge asked for and that nobody has recorded.
 */
export async function chargesOfReceived(
  tx: Tx,
  of: { readonly clientId: string; readonly provider: PaymentProviderName; readonly items: readonly ReceivedItem[] },
) {
  const { clientId, provider, items } = of;
  const keys = items.flatMap(({ providerPaymentId }) => providerPaymentId?.toLowerCase() ?? []);
  const rows = await queriesIn(tx)
    .selectFrom('charges')
    .select(['id', 'debtId', 'provider', 'accountId', 'providerPaymentId', 'providerPaymentKey', 'endToEndId'])
    .select(['paidCentavos', 'refundedCentavos'])
    .where('clientId', '=', clientId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('provider', '=', provider), eb('providerPaymentKey', '=', anyOf(keys, 'text'))]),
        eb(
          'endToEndId',
          '=',
          anyOf(
            items.map(({ endToEndId }) => endToEndId),
            'text',
          ),
        ),
      ]),
    )
    .execute();
  const charged = new Set(rows.map(({ providerPaymentKey }) => providerPaymentKey));
  const recorded = new Set(rows.map(({ endToEndId }) => endToEndId));
  const isKnown = ({ endToEndId, providerPaymentId }: ReceivedItem) =>
    recorded.has(endToEndId) || (providerPaymentId !== null && charged.has(providerPaymentId.toLowerCase()));
  const backByKey = new Map<string, number>();
  for (const { providerPaymentId, returnedCentavos } of items) {
    const key = providerPaymentId?.toLowerCase() ?? '';
    backByKey.set(key, (backByKey.get(key) ?? 0) + returnedCentavos);
  }
  return {
    untold: rows.flatMap(({ paidCentavos, refundedCentavos, providerPaymentId, provider: made, ...charge }) => {
      if (providerPaymentId === null || made !== provider) return [];
      const back = backByKey.get(providerPaymentId.toLowerCase()) ?? 0;
      return paidCentavos === 0 || back > refundedCentavos ? [{ ...charge, provider, providerPaymentId }] : [];
    }),
    returned: rows.flatMap(({ id, debtId, paidCentavos, refundedCentavos, endToEndId, ...charge }) => {
      const received = isOutside(charge) ? items.find((item) => item.endToEndId === endToEndId) : undefined;
      if (received === undefined || goneBackOf(paidCentavos, received) <= refundedCentavos) return [];
      return [{ id, debtId, endToEndId: received.endToEndId }];
    }),
    orphans: new Set(items.flatMap((item) => (isKnown(item) ? [] : [item.endToEndId]))),
  };
}
