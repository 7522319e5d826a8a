/** The rules about money, computed from what debtors paid at the provider. */
import { type Facts, groupBy, type Rule } from './facts.ts';
import { ofKind } from './log.ts';

/** The charges that may settle their debt: of an agreement's money that is what each debt has got. */
const ofDebts = (facts: Facts) => facts.charges.filter(({ approved, agreementId }) => approved && agreementId === null);

const isPaidDebt = (facts: Facts): ReadonlySet<string> => new Set(ofDebts(facts).map(({ debtId }) => debtId));

export const everyPaymentSettledOnce: Rule = (facts) => {
  const charges = new Map(facts.charges.map((charge) => [charge.providerPaymentId ?? '', charge]));
  const payments = groupBy(ofKind(facts.log, 'payment_made'), ({ providerPaymentId }) => providerPaymentId);
  const debts = new Map(facts.debts.map((debt) => [debt.id, debt]));
  const missing = [...payments].flatMap(([id, [payment]]) => {
    const charge = charges.get(id);
    const centavos = payment?.centavos ?? 0;
    if (charge === undefined || !charge.approved) return [`payment ${id} of ${centavos} centavos is not settled`];
    if (charge.paidCentavos !== centavos)
      return [`payment ${id} was ${centavos} centavos, and ${charge.paidCentavos} are settled`];
    // What the debts get of an agreement's money is a rule of its own.
    if (charge.agreementId !== null) return [];
    const status = debts.get(charge.debtId)?.status;
    return status === 'PAID' ? [] : [`payment ${id} settled debt ${charge.debtId}, which is ${status ?? 'gone'}`];
  });
  const ids = new Set(facts.charges.filter(({ providerPaymentId: id }) => payments.has(id ?? '')).map(({ id }) => id));
  const invented = facts.charges
    .filter(({ id, approved, partOf }) => (partOf !== null || approved) && !ids.has(partOf ?? id))
    .map(({ id }) => `charge ${id} is approved, and nobody has paid it`);
  const counted = [...groupBy(ofDebts(facts), ({ debtId }) => debtId)].flatMap(([debtId, group]) => {
    const first = group.filter(({ duplicate }) => !duplicate).length;
    return first === 1 ? [] : [`debt ${debtId} has ${first} payments that count, of ${group.length}`];
  });
  const unpaid = facts.debts
    .filter(({ id, status }) => status === 'PAID' && !isPaidDebt(facts).has(id))
    .map(({ id }) => `debt ${id} is PAID without a payment`);
  return [...missing, ...invented, ...counted, ...unpaid];
};

export const everySettlementHasOneReceipt: Rule = (facts) => {
  const valid = facts.receipts.filter(({ revoked }) => !revoked);
  const byCharge = groupBy(valid, ({ chargeId }) => chargeId);
  const settling = facts.charges.filter(({ approved, duplicate }) => approved && !duplicate);
  const expected = new Set(settling.map(({ id }) => id));
  const protocols = groupBy(facts.receipts, ({ protocol }) => protocol);
  return [
    ...settling
      .filter(({ id }) => byCharge.get(id)?.length !== 1)
      .map(({ id }) => `payment ${id} has ${byCharge.get(id)?.length ?? 0} receipts`),
    ...valid
      .filter(({ chargeId }) => !expected.has(chargeId))
      .map(({ protocol, chargeId }) => `receipt ${protocol} belongs to ${chargeId}, which settled nothing`),
    ...valid.filter(({ drawn }) => !drawn).map(({ protocol }) => `receipt ${protocol} was never drawn`),
    ...[...protocols].filter(([, group]) => group.length > 1).map(([protocol]) => `protocol ${protocol} is used twice`),
  ];
};

/** A debtor gets the receipt of a debt once. One whose sending is uncertain is not repeated, so none is possible. */
export const noReceiptSentTwice: Rule = (facts) => {
  const receipts = facts.messages.filter(({ purpose }) => purpose === 'receipt');
  const taken = new Set(ofKind(facts.log, 'message_taken').map(({ messageId }) => messageId));
  const arrived = groupBy(
    receipts.filter(({ id }) => taken.has(id)),
    ({ debtId }) => debtId,
  );
  const told = new Set(receipts.filter(({ delivery }) => delivery !== 'failed').map(({ debtId }) => debtId));
  return [
    ...[...arrived]
      .filter(([, group]) => group.length > 1)
      .map(([debtId, group]) => `the receipt of debt ${debtId} was sent ${group.length} times`),
    ...[...isPaidDebt(facts)]
      .filter((debtId) => !told.has(debtId))
      .map((debtId) => `the receipt of debt ${debtId} was never sent`),
  ];
};
