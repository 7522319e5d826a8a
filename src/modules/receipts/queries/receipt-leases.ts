import { sql } from 'kysely';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { AuditActor } from '../../accounts/tables/audit-log.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';

/** The right to draw receipts. When it has expired, another process may take it. */
export interface Lease {
  readonly id: string;
  readonly seconds: number;
}

const endOf = ({ seconds }: Lease) => sql<Date>`quita_now() + make_interval(secs => ${seconds})`;

const STATE = [
  'receipts.id',
  'receipts.chargeId as paymentId',
  'receipts.protocol',
  'receipts.issuedAt',
  'receipts.templateVersion',
  'receipts.revokedAt',
  'receipts.revokedReason',
  'receipts.restoredAt',
  'receipts.outdated',
] as const;

interface LeaseOfKnown {
  readonly lease: Lease;
  readonly templateVersion: number;
  readonly redrawOlderThan: Date | null;
}

/**
 * Leases those receipts of these charges that have to be drawn. A locked row is skipped, because another process is
 * leasing, storing or revoking that receipt.
 */
export const leaseKnownReceipts = (
  tx: Tx,
  chargeIds: readonly string[],
  { lease, templateVersion, redrawOlderThan }: LeaseOfKnown,
) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (queries) =>
        queries
          .selectFrom('receipts')
          .select('id as dueId')
          .where('chargeId', '=', anyOf(chargeIds, 'uuid'))
          .where('shortenedAt', 'is', null)
          .where((receipt) => receipt.or([receipt('renderingUntil', 'is', null), receipt('renderingUntil', '<=', NOW)]))
          .where((receipt) =>
            receipt.or([
              receipt('pdf', 'is', null),
              receipt.ref('outdated'),
              receipt('templateVersion', '<', templateVersion),
              receipt('renderedAt', '<', redrawOlderThan),
            ]),
          )
          .orderBy('id')
          .forNoKeyUpdate()
          .skipLocked(),
    )
    .updateTable('receipts')
    .from('due')
    .set({ renderingBy: lease.id, renderingUntil: endOf(lease) })
    .whereRef('receipts.id', '=', 'due.dueId')
    .returning(STATE)
    .execute();

export type LeasedReceipt = Awaited<ReturnType<typeof leaseKnownReceipts>>[number];

export interface NewReceipt {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly chargeId: string;
  readonly kind: ReceiptKind;
  readonly protocol: string;
  readonly facts: ReceiptFacts;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
}

const NEW_RECEIPT = [
  'id',
  'clientId',
  'debtId',
  'chargeId',
  'kind',
  'protocol',
  'facts',
  'revokedAt',
  'revokedReason',
] as const satisfies readonly (keyof NewReceipt)[];

/**
 * Inserts receipts that are leased from their beginning. Both conflicts leave one out: another process has just leased
 * the receipt of the charge, or the protocol is taken.
 */
export const insertLeasedReceipts = (
  tx: Tx,
  receipts: readonly NewReceipt[],
  { lease, issuedAt }: { readonly lease: Lease; readonly issuedAt: Date },
) =>
  queriesIn(tx)
    .insertInto('receipts')
    .columns([...NEW_RECEIPT, 'issuedAt', 'renderingBy', 'renderingUntil'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<NewReceipt>`unnest(
          ${receipts.map(({ id }) => id)}::uuid[],
          ${receipts.map(({ clientId }) => clientId)}::uuid[],
          ${receipts.map(({ debtId }) => debtId)}::uuid[],
          ${receipts.map(({ chargeId }) => chargeId)}::uuid[],
          ${receipts.map(({ kind }) => kind)}::text[],
          ${receipts.map(({ protocol }) => protocol)}::text[],
          ${receipts.map(({ facts }) => JSON.stringify(facts))}::jsonb[],
          ${receipts.map(({ revokedAt }) => revokedAt)}::timestamptz[],
          ${receipts.map(({ revokedReason }) => revokedReason)}::text[])`.as<'given'>(
          sql`given(id, client_id, debt_id, charge_id, kind, protocol, facts, revoked_at, revoked_reason)`,
        ),
      )
        .select(NEW_RECEIPT)
        .select([
          sql<Date>`${issuedAt}::timestamptz`.as('issuedAt'),
          sql<string>`${lease.id}::uuid`.as('renderingBy'),
          endOf(lease).as('renderingUntil'),
        ])
        .orderBy('chargeId'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(STATE)
    .execute();

/** Returns those of the charges that have a receipt, be it issued or only leased. */
export const chargesWithReceipt = (tx: Tx, chargeIds: readonly string[]) =>
  queriesIn(tx).selectFrom('receipts').select('chargeId').where('chargeId', '=', anyOf(chargeIds, 'uuid')).execute();

export interface DrawnReceipt {
  readonly id: string;
  /** A payment that settled its debt when the drawing began may be a part by now. */
  readonly kind: ReceiptKind;
  readonly pdf: Buffer;
  readonly sha256: string;
  readonly facts: ReceiptFacts;
}

/**
 * Stores the documents of receipts that are still leased. A lease that was lost meanwhile (revocation, delay) stores
 * nothing. One statement replaces the bytes and writes the former hash to the audit log, so that neither happens alone.
 */
export const storeDocuments = (
  tx: Tx,
  drawn: readonly DrawnReceipt[],
  by: { readonly leaseId: string; readonly templateVersion: number; readonly actor: AuditActor },
) =>
  queriesIn(tx)
    .with('drawn', (queries) =>
      queries
        .selectFrom(
          sql<DrawnReceipt>`unnest(
            ${drawn.map(({ id }) => id)}::uuid[],
            ${drawn.map(({ kind }) => kind)}::text[],
            ${drawn.map(({ pdf }) => pdf)}::bytea[],
            ${drawn.map(({ sha256 }) => sha256)}::text[],
            ${drawn.map(({ facts }) => JSON.stringify(facts))}::jsonb[])`.as<'given'>(
            sql`given(id, kind, pdf, sha256, facts)`,
          ),
        )
        .innerJoin('receipts as former', (join) =>
          join.onRef('former.id', '=', 'given.id').on('former.renderingBy', '=', by.leaseId),
        )
        .select(['former.id', 'former.sha256 as formerSha256', 'former.templateVersion as formerVersion'])
        .select(['given.kind', 'given.pdf', 'given.sha256', 'given.facts'])
        .forNoKeyUpdate('former'),
    )
    .with('stored', (queries) =>
      queries
        .updateTable('receipts')
        .from('drawn')
        .set((drawnReceipt) => ({
          kind: drawnReceipt.ref('drawn.kind'),
          pdf: drawnReceipt.ref('drawn.pdf'),
          sha256: drawnReceipt.ref('drawn.sha256'),
          facts: drawnReceipt.ref('drawn.facts'),
          templateVersion: by.templateVersion,
          renderedAt: sql<Date>`clock_timestamp()`,
          outdated: false,
          renderingBy: null,
          renderingUntil: null,
        }))
        .whereRef('receipts.id', '=', 'drawn.id')
        .returning(['receipts.id', 'receipts.clientId', 'receipts.debtId', 'receipts.protocol'])
        .returning(['drawn.formerSha256', 'drawn.formerVersion', 'drawn.sha256']),
    )
    .with('audited', (queries) =>
      queries
        .insertInto('audit_log')
        .columns(['clientId', 'actor', 'action', 'target', 'details'])
        .expression(({ selectFrom }) =>
          selectFrom('stored')
            .select([
              'clientId',
              sql<AuditActor>`${by.actor}::text`.as('actor'),
              sql<string>`'receipt_redrawn'`.as('action'),
              'protocol',
              sql`jsonb_build_object(
                'formerSha256', former_sha256, 'formerTemplateVersion', former_version,
                'sha256', sha256, 'templateVersion', ${by.templateVersion}::int)`.as('details'),
            ])
            .whereRef('formerSha256', '<>', 'sha256'),
        ),
    )
    .selectFrom('stored')
    .select(['id', 'debtId', sql<boolean>`former_sha256 is null`.as('issued')])
    .execute();

export const releaseLeases = (tx: Tx, leaseId: string, receiptIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('receipts')
    .set({ renderingBy: null, renderingUntil: null })
    .where('id', '=', anyOf(receiptIds, 'uuid'))
    .where('renderingBy', '=', leaseId)
    .execute();
