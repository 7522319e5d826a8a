import type { EntityManager } from '@mikro-orm/postgresql';
import { addAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { runInTransaction } from '../db/statement.ts';
import type { DebtStatus } from '../domain/debt-status.ts';

/** Nothing more is asked of the debtor. In every other status the data is needed to collect, or to leave the person alone. */
const CLOSED: readonly DebtStatus[] = ['PAID', 'EXHAUSTED', 'STOPPED'];

export interface ErasedDebt {
  readonly id: string;
  readonly clientId: string;
  readonly status: DebtStatus;
}

export interface Erasure {
  readonly erased: readonly ErasedDebt[];
  /** Still open, and left as they are. */
  readonly refused: readonly ErasedDebt[];
}

const FIND = {
  name: 'find_debts_of_person',
  text: `select id, client_id as "clientId", status from debts where debtor_cpf = $1 order by client_id, id`,
};

const ERASE_DEBTS = `
  update debts set debtor_name = '(dados apagados)', debtor_phone = '', debtor_cpf = '', debtor_email = null,
    erased_at = current_timestamp(3), updated_at = current_timestamp(3)
  where client_id = $1 and debtor_cpf = $2 and status = any ($3::text[])
  returning id, client_id as "clientId", status`;

/** What was said in both directions names the person. Each takes the ids of debts. */
const ERASE_WORDS = [
  `update messages set text = '', document = null where debt_id = any ($1::uuid[])`,
  `update sandbox_outbox set recipient = '', text = '', document = null where debt_id = any ($1::uuid[])`,
  `update sandbox_acts set text = null where debt_id = any ($1::uuid[])`,
];

async function eraseOf(em: EntityManager, clientId: string, cpf: string): Promise<ErasedDebt[]> {
  const erased = await runInTransaction<ErasedDebt>(em, ERASE_DEBTS, [clientId, cpf, CLOSED]);
  if (erased.length === 0) return erased;
  const ids = erased.map(({ id }) => id);
  for (const statement of ERASE_WORDS) await runInTransaction(em, statement, [ids]);
  return erased;
}

/**
 * A data subject's request (LGPD art. 18 VI), for operators: over all clients, so it needs the worker's login. Amounts,
 * dates and protocols stay, which the law asks to be kept; so does what forbids to contact the person again.
 */
export const eraseDebtor =
  ({ db }: { readonly db: Pick<Database, 'read' | 'tenant'> }) =>
  async (cpf: string): Promise<Erasure> => {
    const found = await db.read<ErasedDebt>({}, FIND, [cpf]);
    const erased: ErasedDebt[] = [];
    for (const clientId of new Set(found.map((debt) => debt.clientId))) {
      const ofClient = await db.tenant(clientId).transactional(async (em) => {
        const done = await eraseOf(em, clientId, cpf);
        const details = {
          erased: done.length,
          refused: found.filter((debt) => debt.clientId === clientId).length - done.length,
        };
        await addAudit(em, { clientId, actor: 'operator', action: 'privacy_erased', details });
        return done;
      });
      erased.push(...ofClient);
    }
    const gone = new Set(erased.map(({ id }) => id));
    return { erased, refused: found.filter(({ id }) => !gone.has(id)) };
  };
