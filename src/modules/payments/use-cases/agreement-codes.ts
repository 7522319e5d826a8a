import { randomUUID } from 'node:crypto';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { agreedRest } from '../../agreements/rules/agreement-state.ts';
import { dayOfAgreement, statesOf } from '../../agreements/use-cases/read-agreements.ts';
import { loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { chargesOfAgreement } from '../queries/agreement-charges.ts';
import { insertCharge } from '../queries/charges.ts';
import { CHARGE_LIFETIME_MS, LEAST_TIME_TO_PAY_MS } from '../rules/charge-lifetime.ts';
import type { PaymentDeps } from './deps.ts';
import { type LiveCharge, requestCharge } from './find-or-make-charge.ts';

/** Returns the payable code of an agreement, and makes one where there is none; null when nothing is to be paid. */
export const findOrMakeAgreementCode =
  (deps: PaymentDeps) =>
  async (request: {
    readonly clientId: string;
    readonly agreementId: string;
    /** What is open of the next instalment, or the whole rest. */
    readonly what: 'next' | 'rest';
  }): Promise<LiveCharge | null> => {
    const { clientId, agreementId, what } = request;
    const account = await deps.accountFor({
      clientId,
      sandbox: await deps.db
        .tenant(clientId)
        .transactional(async (tx) => (await readAgreement(tx, agreementId))?.sandbox ?? false),
    });
    const prepared = await deps.db.tenant(clientId).transactional(async (tx) => {
      const seen = await readAgreement(tx, agreementId);
      if (seen === undefined) return null;
      await lockDebts(tx, [seen.debtId]);
      const agreement = await readAgreement(tx, agreementId);
      const debt = await loadDebt(tx, seen.debtId);
      if (agreement?.status !== 'ACTIVE' || debt === null) return null;
      const now = deps.now();
      const today = dayOfAgreement(agreement, now.getTime());
      const next = statesOf(agreement, today).find(({ openCentavos }) => openCentavos > 0);
      if (next === undefined) return null;
      const instalment = what === 'next' ? next.number : null;
      const amountCentavos = what === 'next' ? next.openCentavos : agreedRest(agreement);
      const live = (await chargesOfAgreement(tx, agreementId)).find(
        (one) =>
          one.status === 'PENDING' &&
          one.supersededAt === null &&
          one.instalment === instalment &&
          one.amountCentavos === amountCentavos &&
          one.expiresAt.getTime() - now.getTime() > LEAST_TIME_TO_PAY_MS,
      );
      if (live !== undefined) return { debt, live };
      const charge = await insertCharge(tx, {
        id: randomUUID(),
        clientId,
        debtId: agreement.debtId,
        agreementId,
        instalment,
        provider: account.provider.name,
        accountId: account.accountId,
        amountCentavos,
        askedOn: today,
        expiresAt: new Date(now.getTime() + CHARGE_LIFETIME_MS),
        createdAt: now,
      });
      return { debt, charge };
    });
    if (prepared === null) return null;
    const { id, providerPaymentId, brCode, amountCentavos, expiresAt } =
      prepared.live ?? (await requestCharge(deps, prepared, account));
    return providerPaymentId === null || brCode === null
      ? null
      : { id, providerPaymentId, brCode, amountCentavos, expiresAt };
  };
