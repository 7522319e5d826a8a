import { toReais } from '../../../kernel/money.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { undecidedReceived } from '../queries/received-payments.ts';
import type { PaymentDeps } from './deps.ts';

export interface OrphanView {
  readonly id: string;
  readonly amount: number;
  readonly paidAt: string;
  readonly endToEndId: string | null;
}

interface ListOrphans {
  readonly clientId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const position = ([at, id]: readonly unknown[]) =>
  typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isUuid(id) ? { at, id } : null;

/** Lists the payments that came to an account of the client without a charge, the newest first. */
export const listOrphans =
  ({ db }: Pick<PaymentDeps, 'db'>) =>
  async ({ clientId, limit, cursor }: ListOrphans): Promise<Page<OrphanView>> => {
    const after = readCursor(cursor, position) ?? undefined;
    const rows = await db
      .tenant(clientId)
      .transactional((tx) => undecidedReceived(tx, { clientId, after, limit: limit + 1 }));
    const view = ({ id, amountCentavos, paidAt, endToEndId }: (typeof rows)[number]): OrphanView => ({
      id,
      amount: toReais(amountCentavos),
      paidAt: paidAt.toISOString(),
      endToEndId,
    });
    return pageOf(rows, limit, view, ({ createdAt, id }) => writeCursor(createdAt.toISOString(), id));
  };
