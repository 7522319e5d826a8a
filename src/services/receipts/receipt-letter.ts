import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import type { OutgoingDocument } from '../../ports/outgoing.ts';
import type { DebtContext } from '../debts/debt-context.ts';
import type { ReceiptDeps } from './deps.ts';

/** The content and the recipient of a delivery. */
export interface ReceiptLetter {
  readonly debt: DebtContext;
  readonly debtorEmail: string | null;
  readonly protocol: string;
  readonly paidCentavos: number;
  readonly document: OutgoingDocument;
  readonly verifyUrl: string;
}

const READ = `
  select r.protocol, r.pdf, d.debtor_email as "debtorEmail",
    (r.facts #>> '{payment,amountCentavos}')::bigint as "paidCentavos"
  from receipts r join debts d on d.id = r.debt_id where r.id = $1 and r.pdf is not null`;

export const receiptFilename = (protocol: string): string => `termo-de-quitacao-${protocol}.pdf`;

export async function readLetter(
  em: EntityManager,
  { receiptLinks }: Pick<ReceiptDeps, 'receiptLinks'>,
  debt: DebtContext,
  receiptId: string,
): Promise<ReceiptLetter | null> {
  const [row] = await runInTransaction<{
    protocol: string;
    pdf: Buffer;
    debtorEmail: string | null;
    paidCentavos: number;
  }>(em, READ, [receiptId]);
  if (row === undefined) return null;
  const { protocol, pdf, debtorEmail, paidCentavos } = row;
  return {
    debt,
    debtorEmail,
    protocol,
    paidCentavos,
    document: {
      filename: receiptFilename(protocol),
      contentType: 'application/pdf',
      content: pdf,
      url: receiptLinks.downloadUrl(protocol),
    },
    verifyUrl: receiptLinks.verifyUrl(protocol),
  };
}
