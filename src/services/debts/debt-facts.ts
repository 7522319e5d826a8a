import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientAddress } from '../../db/entities/client.ts';
import { latestMessages } from '../../db/queries/messages.ts';
import type { DebtFacts, Situation, Turn } from '../../ports/collection-agent.ts';
import type { SharedDeps } from '../shared/deps.ts';
import type { DebtContext } from './debt-context.ts';

export const checkoutUrl = (publicUrl: string, debtId: string): string => `${publicUrl}/checkout/${debtId}`;

export const addressLine = ({ street, number, district, city, state, postalCode }: ClientAddress): string =>
  `${street}, ${number}, ${district}, ${city}/${state}, CEP ${postalCode}`;

const SITUATIONS: Partial<Record<DebtContext['status'], Situation>> = {
  PAID: 'paid',
  OPTED_OUT: 'opted_out',
  EXHAUSTED: 'exhausted',
  STOPPED: 'closed',
};

/** Returns all facts that a text about this debt may contain. */
export function factsOf(
  debt: DebtContext,
  { publicUrl, receiptLinks }: Pick<SharedDeps, 'publicUrl' | 'receiptLinks'>,
  brCode: string | null = null,
): DebtFacts {
  return {
    debtId: debt.id,
    debtorName: debt.debtorName,
    creditor: {
      name: debt.clientName,
      cnpj: debt.clientCnpj,
      address: debt.clientAddress === null ? null : addressLine(debt.clientAddress),
      email: debt.contactEmail,
    },
    amountCentavos: debt.amountCentavos,
    dueDate: debt.dueDate,
    invoiceId: debt.invoiceId,
    checkoutUrl: checkoutUrl(publicUrl, debt.id),
    brCode,
    receiptUrl: debt.receiptProtocol === null ? null : receiptLinks.downloadUrl(debt.receiptProtocol),
    situation: SITUATIONS[debt.status] ?? 'open',
  };
}

const LATEST_TURNS = 20;

/** Returns the latest messages, oldest first, without received messages that are not handled yet. */
export async function readTurns(em: EntityManager, debtId: string): Promise<Turn[]> {
  const rows = await latestMessages(em, debtId, LATEST_TURNS);
  return rows.map(({ direction, text, at }) => ({
    from: direction === 'in' ? 'debtor' : 'creditor',
    text,
    at: at.getTime(),
  }));
}
