import { type QueryCreator, sql } from 'kysely';
import { OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { RECEIPT_DUTY_YEARS } from '../../../kernel/retention-periods.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor } from '../../debts/queries/creditor.ts';
import { MAX_QUITTANCE_BILLS } from '../rules/annual-quittance.ts';
import type { QuittanceFacts } from '../tables/annual-quittance.ts';

/** Returns the debt by which the person is known, with the creditor. */
export const debtOfQuittance = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .select(['debts.id', 'debts.debtorTaxId', 'debts.debtorName', 'debts.debtorPhone', 'debts.sandbox'])
    .select(['debts.clockOffsetMs', 'debts.erasedAt'])
    .select([
      nameOfCreditor('debts').as('creditorName'),
      cnpjOfCreditor('debts').as('creditorCnpj'),
      addressOfCreditor('debts').as('creditorAddress'),
    ])
    .where('debts.id', '=', debtId)
    .executeTakeFirst();

export type DebtOfQuittance = NonNullable<Awaited<ReturnType<typeof debtOfQuittance>>>;

/** Returns the debt by which a command finds the person; a real one before one of the sandbox. */
export const debtOfTaxId = (tx: Tx, { clientId, taxId }: { readonly clientId: string; readonly taxId: string }) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '=', taxId)
    .orderBy('sandbox')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

interface PersonOfYear {
  readonly clientId: string;
  readonly taxId: string;
  /** The key of the person, by which bills are found whose data was erased. */
  readonly personKey: string;
  readonly sandbox: boolean;
  readonly year: number;
}

/**
 * Returns the bills of a person that were due until the end of the year, each as its current row, and one more than a
 * document has where there are so many. Of those whose data was erased only what is owed counts.
 */
export const billsOfPerson = (tx: Tx, { clientId, taxId, personKey, sandbox, year }: PersonOfYear) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['id as debtId', 'identityId', 'invoiceId', 'description', 'originalAmountCentavos', 'dueDate', 'status'])
    .where('clientId', '=', clientId)
    .where((debt) =>
      debt.or([
        debt('debtorTaxId', '=', taxId),
        debt.and([
          debt('erasedPersonKey', '=', personKey),
          debt('status', '=', sql<'QUEUED'>`any(${OWED_DEBT_STATUSES}::text[])`),
        ]),
      ]),
    )
    .where('sandbox', '=', sandbox)
    .where('continuedBy', 'is', null)
    .where('dueDate', '<', `${year + 1}-01-01`)
    .orderBy('dueDate', 'desc')
    .orderBy('id')
    .limit(MAX_QUITTANCE_BILLS + 1)
    .execute();

const SHOWN = ['protocol', 'year', 'issuedAt', 'revokedAt', 'statement', 'debtId'] as const;

/** Returns the valid declaration of the same content. */
export const validQuittance = (
  tx: Tx,
  { clientId, contentHash }: { readonly clientId: string; readonly contentHash: string },
) =>
  queriesIn(tx)
    .selectFrom('annual_quittances')
    .select(['id', ...SHOWN])
    .where('clientId', '=', clientId)
    .where('contentHash', '=', contentHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();

export type StoredQuittance = NonNullable<Awaited<ReturnType<typeof validQuittance>>>;

interface NewQuittance {
  readonly clientId: string;
  readonly debtId: string;
  readonly year: number;
  readonly sandbox: boolean;
  readonly protocol: string;
  readonly chargeIds: readonly string[];
  readonly contentHash: string;
  readonly facts: QuittanceFacts;
  readonly statement: string;
  readonly issuedAt: Date;
}

export const insertQuittance = (tx: Tx, { chargeIds, facts, ...row }: NewQuittance) =>
  queriesIn(tx)
    .insertInto('annual_quittances')
    .values({ ...row, chargeIds: sql<string[]>`${chargeIds}::uuid[]`, facts: sql`${JSON.stringify(facts)}::jsonb` })
    .returning(['id', ...SHOWN])
    .executeTakeFirstOrThrow();

/** Revokes the declarations that a payment stands in. The document is drawn again, because it has to say so. */
export const revokeQuittancesOf = (
  tx: Tx,
  chargeId: string,
  { at, reason }: { readonly at: Date; readonly reason: RevokedReason },
) =>
  queriesIn(tx)
    .updateTable('annual_quittances')
    .set({ revokedAt: at, revokedReason: reason, pdf: null, sha256: null })
    .where(
      'clientId',
      '=',
      queriesIn(tx).selectFrom('charges').select('charges.clientId').where('charges.id', '=', chargeId),
    )
    .where(sql<boolean>`charge_ids @> array[${chargeId}::uuid]`)
    .where('revokedAt', 'is', null)
    .execute();

interface ByProtocol {
  readonly protocol: string;
}

/** Only the protocol is known, and row security allows this one declaration. */
export const QUITTANCE_BY_PROTOCOL = prepared('quittance_by_protocol', (queries, { protocol }: ByProtocol) =>
  queries.selectFrom('annual_quittances').select(['id', 'clientId']).where('protocol', '=', protocol),
);

export const quittanceDocument = (tx: Tx, id: string) =>
  queriesIn(tx)
    .selectFrom('annual_quittances')
    .select(['id', 'clientId', 'debtId', 'protocol', 'year', 'sandbox', 'facts', 'issuedAt', 'revokedAt'])
    .select(['revokedReason', 'pdf', 'sha256', 'shortenedAt'])
    .where('id', '=', id)
    .$narrowType<{ pdf: Buffer | null }>()
    .executeTakeFirstOrThrow();

export type QuittanceDocument = Awaited<ReturnType<typeof quittanceDocument>>;

/** Stores the document of a declaration that has none, unless it was revoked or shortened while it was drawn. */
export const storeQuittanceDocument = (
  tx: Tx,
  { id, revokedAt }: Pick<QuittanceDocument, 'id' | 'revokedAt'>,
  { pdf, sha256 }: { readonly pdf: Buffer; readonly sha256: string },
) =>
  queriesIn(tx)
    .updateTable('annual_quittances')
    .set({ pdf, sha256 })
    .where('id', '=', id)
    .where('pdf', 'is', null)
    .where('revokedAt', revokedAt === null ? 'is' : 'is not', null)
    .where('shortenedAt', 'is', null)
    .execute();

/** Like a receipt, the declaration is kept whole for as long as its debts might be claimed. */
const quittancesToShorten = (queries: QueryCreator<Tables>, at: Date) =>
  queries
    .selectFrom('debts')
    .innerJoin('annual_quittances', 'annual_quittances.debtId', 'debts.id')
    .where('debts.erasedPersonKey', 'is not', null)
    .where('annual_quittances.shortenedAt', 'is', null)
    .where(
      sql<Date>`(case when annual_quittances.sandbox then annual_quittances.issued_at
        else annual_quittances.issued_at + make_interval(years => ${sql.lit(RECEIPT_DUTY_YEARS)}) end)`,
      '<=',
      at,
    );

export const CLIENTS_WITH_QUITTANCES_TO_SHORTEN = prepared(
  'clients_with_quittances_to_shorten',
  (queries, params: { readonly at: Date }) =>
    quittancesToShorten(queries, params.at).select('annual_quittances.clientId').distinct(),
);

/** The creditor, the amounts and the dates stay, so that the protocol can still be verified. */
export async function shortenDueQuittances(
  tx: Tx,
  { clientId, at, limit }: { readonly clientId: string; readonly at: Date; readonly limit: number },
): Promise<readonly { readonly protocol: string }[]> {
  const shortened = await queriesIn(tx)
    .updateTable('annual_quittances')
    .set({
      shortenedAt: at,
      pdf: null,
      sha256: null,
      facts: sql<QuittanceFacts>`(facts - 'debtor') || jsonb_build_object(
        'bills', (select coalesce(jsonb_agg(bill - '{invoiceId,description}'::text[]), '[]')
          from jsonb_array_elements(facts -> 'bills') as bill),
        'earlierOwed', (select coalesce(jsonb_agg(bill - 'invoiceId'), '[]')
          from jsonb_array_elements(facts -> 'earlierOwed') as bill))`,
    })
    .where('id', 'in', () =>
      quittancesToShorten(queriesIn(tx), at)
        .select('annual_quittances.id')
        .where('debts.clientId', '=', clientId)
        .orderBy('annual_quittances.id')
        .limit(limit),
    )
    .returning('protocol')
    .execute();
  for (const { protocol } of shortened) {
    await addAudit(tx, { clientId, actor: 'system', action: 'annual_quittance_shortened', target: protocol });
  }
  return shortened;
}
