import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { forgetAgreements } from '../../agreements/queries/forget-agreements.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { eraseDebtNotes } from '../../debts/queries/debt-notes.ts';
import { deletePersonRequests } from '../../debts/queries/person-requests.ts';
import { deleteDebtorPages } from '../../debts/queries/persons.ts';
import { eraseWords } from '../../evidence/queries/evidence-lines.ts';
import { forgetPayer } from '../../payments/queries/received-payments.ts';
import { refuseWaitingDeliveries } from '../../receipts/queries/receipt-deliveries.ts';
import { shortenReceipts } from '../../receipts/use-cases/shorten-receipts.ts';
import { eraseRights, keepWaiting } from '../../rights/queries/rights-requests.ts';
import {
  DEBTS_OF_PERSON,
  deleteOldContacts,
  eraseChannelData,
  eraseDebts,
  eraseMessages,
  eraseNotes,
  erasePhones,
  eraseSandboxActs,
  eraseSandboxOutbox,
  receiptsOfDebts,
  TAX_ID_OF_DEBT,
} from '../queries/erasure.ts';

/**
 * In these statuses nothing more is asked of the debtor. In any other, the data is needed to collect, or not to contact
 * the person.
 */
export const CLOSED: readonly DebtStatus[] = ['PAID', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'];

export type ErasedDebt = Awaited<ReturnType<typeof eraseDebts>>[number];

export interface RefusedDebt extends ErasedDebt {
  /** `open`: the status is not closed. `busy`: a message is not handled yet, or the receipt is not issued yet. */
  readonly because: 'open' | 'busy';
}

/** The receipt of an erased debt. */
export type KeptReceipt = Awaited<ReturnType<typeof receiptsOfDebts>>[number];

export interface Erasure {
  readonly erased: readonly ErasedDebt[];
  /** Debts that were not changed. */
  readonly refused: readonly RefusedDebt[];
  readonly receipts: readonly KeptReceipt[];
}

interface Person {
  readonly taxId: string;
  readonly key: string;
}

async function eraseOf(tx: Tx, clientId: string, { taxId, key }: Person): Promise<ErasedDebt[]> {
  // This is a separate statement, so that the next one sees what was committed while the locks were waited for.
  await lockDebtsOfPerson(tx, { clientId, debtorTaxId: taxId });
  const erased = await eraseDebts(tx, clientId, { taxId, key, statuses: CLOSED });
  if (erased.length === 0) return erased;
  const ids = erased.map(({ id }) => id);
  await erasePhones(tx, ids);
  await eraseChannelData(tx, ids);
  await eraseWords(tx, ids);
  await eraseMessages(tx, ids);
  await eraseNotes(tx, ids);
  await eraseDebtNotes(tx, ids);
  await forgetAgreements(tx, taxId, ids);
  await eraseSandboxOutbox(tx, ids);
  await eraseSandboxActs(tx, ids);
  await refuseWaitingDeliveries(tx, { debtIds: ids });
  await deleteOldContacts(tx, ids);
  await forgetPayer(tx, clientId, taxId, ids);
  await keepWaiting(tx, taxId, ids);
  await eraseRights(tx, ids);
  await deleteDebtorPages(tx, clientId, taxId);
  await deletePersonRequests(tx, clientId, taxId);
  return erased;
}

export interface ErasureDeps {
  readonly db: Pick<Database, 'readPrepared' | 'tenant'>;
  readonly now: () => Date;
  readonly personKeys: Pick<PersonKeys, 'person'>;
}

/**
 * Fulfils a data subject's request (LGPD art. 18 VI). Operators run it over all clients, so it needs the operator's
 * database login. Amounts, dates and protocols stay because the law requires them. Suppressions stay because they
 * forbid further contact. A key made of the CPF or CNPJ stays so that a paid debt is recognised when it is imported again.
 * `docs/privacy.md` lists all.
 */
export const eraseDebtor =
  (deps: ErasureDeps) =>
  async (taxId: string): Promise<Erasure> => {
    const { db, personKeys } = deps;
    const person = { taxId, key: personKeys.person(taxId) };
    const found = await db.readPrepared({}, DEBTS_OF_PERSON, { taxId });
    const erased: ErasedDebt[] = [];
    for (const clientId of new Set(found.map((debt) => debt.clientId))) {
      const ofClient = await db.tenant(clientId).transactional(async (tx) => {
        const done = await eraseOf(tx, clientId, person);
        const all = found.filter((debt) => debt.clientId === clientId).length;
        const details = { erased: done.length, refused: all - done.length };
        await addAudit(tx, { clientId, actor: 'operator', action: 'privacy_erased', details });
        return done;
      });
      erased.push(...ofClient);
    }
    await shortenReceipts(deps)();
    const erasedIds = new Set(erased.map(({ id }) => id));
    const left = found.filter(({ id }) => !erasedIds.has(id));
    return {
      erased,
      refused: left.map((debt) => ({ ...debt, because: CLOSED.includes(debt.status) ? 'busy' : 'open' })),
      receipts: await receiptsOf(deps, erased),
    };
  };

export interface AskedErasure {
  readonly clientId: string;
  /** A debt of the person. Its CPF or CNPJ tells which one, so that no request and no history has to hold it. */
  readonly debtId: string;
}

/**
 * Erases what an owner has asked for, with the client of the owner alone. A worker does it, because the API may delete
 * nothing that is evidence. The request may come twice: the debt of an erased person names nobody any more.
 */
export const eraseAsAsked =
  (deps: ErasureDeps) =>
  async ({ clientId, debtId }: AskedErasure): Promise<void> => {
    const { db, personKeys } = deps;
    const [debt] = await db.readPrepared({ clientId }, TAX_ID_OF_DEBT, { debtId });
    const taxId = debt?.debtorTaxId ?? '';
    if (taxId !== '') {
      const person = { taxId, key: personKeys.person(taxId) };
      await db.tenant(clientId).transactional(async (tx) => {
        const erased = await eraseOf(tx, clientId, person);
        const details = { erased: erased.length };
        await addAudit(tx, { clientId, actor: 'system', action: 'privacy_erased', details });
      });
    }
    await shortenReceipts(deps)();
  };

async function receiptsOf({ db }: ErasureDeps, erased: readonly ErasedDebt[]): Promise<KeptReceipt[]> {
  const receipts: KeptReceipt[] = [];
  for (const [clientId, debts] of Map.groupBy(erased, (debt) => debt.clientId)) {
    const ids = debts.map(({ id }) => id);
    receipts.push(...(await db.tenant(clientId).transactional((tx) => receiptsOfDebts(tx, ids))));
  }
  return receipts;
}
