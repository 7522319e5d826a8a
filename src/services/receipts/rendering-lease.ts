import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { CURRENT_TEMPLATE_VERSION } from '../../documents/receipt/render.ts';
import { makeProtocol, PROTOCOL_BYTES } from '../../domain/receipt-protocol.ts';
import type { RenderedReceipt } from '../../ports/receipt-renderer.ts';
import type { ReceiptState, SettledPayment } from './settled-payments.ts';

/** Longer than drawing a page of the slowest documents. After a crash, other processes may draw the receipts then. */
const LEASE_SECONDS = 60;

export interface Leased {
  readonly payment: SettledPayment;
  readonly receipt: ReceiptState;
}

export interface LeaseRequest {
  readonly lease: string;
  readonly now: Date;
  /**
   * Draws current receipts again unless they were drawn after this moment, so that two such calls at once draw each one
   * once.
   */
  readonly redrawOlderThan: Date | null;
}

const STATE = `
  id, charge_id as "paymentId", protocol, issued_at as "issuedAt", template_version as "templateVersion",
  revoked_at as "revokedAt", revoked_reason as "revokedReason", outdated`;

// A locked row is skipped, because another process is leasing, storing or revoking that receipt.
const LEASE_KNOWN = `
  with due as (
    select id as due_id from receipts
    where charge_id = any ($1) and shortened_at is null and (rendering_until is null or rendering_until <= now())
      and (pdf is null or outdated or template_version < ${CURRENT_TEMPLATE_VERSION} or rendered_at < $3)
    order by id for no key update skip locked
  )
  update receipts set rendering_by = $2, rendering_until = now() + make_interval(secs => ${LEASE_SECONDS})
  from due where id = due_id
  returning ${STATE}`;

// Covers both conflicts: a payment whose receipt another process has just leased, and a protocol that is taken.
const LEASE_NEW = `
  insert into receipts (id, client_id, debt_id, charge_id, protocol, facts, issued_at, revoked_at, revoked_reason,
    rendering_by, rendering_until)
  select id, client_id, debt_id, charge_id, protocol, facts, $9, revoked_at, revoked_reason,
    $10, now() + make_interval(secs => ${LEASE_SECONDS})
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::jsonb[], $7::timestamptz[], $8::text[])
    as new (id, client_id, debt_id, charge_id, protocol, facts, revoked_at, revoked_reason)
  order by charge_id
  on conflict do nothing
  returning ${STATE}`;
const TAKEN = 'select charge_id as "paymentId" from receipts where charge_id = any ($1)';

/**
 * Leases to this caller the receipts of these payments that have to be drawn. The others are current or leased
 * elsewhere.
 */
export async function leaseReceipts(
  em: EntityManager,
  payments: readonly SettledPayment[],
  request: LeaseRequest,
): Promise<Leased[]> {
  const byId = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const known = payments.filter(({ receipt }) => receipt !== null).map(({ paymentId }) => paymentId);
  const leased = await runInTransaction<ReceiptState & { paymentId: string }>(em, LEASE_KNOWN, [
    known,
    request.lease,
    request.redrawOlderThan,
  ]);
  let missing = payments.filter(({ receipt }) => receipt === null);
  while (missing.length > 0) {
    leased.push(...(await leaseNew(em, missing, request)));
    const taken = await runInTransaction<{ paymentId: string }>(em, TAKEN, [missing.map((one) => one.paymentId)]);
    const leasedPayments = new Set(taken.map(({ paymentId }) => paymentId));
    // A payment that still has no receipt got a protocol that was taken, so it gets another one.
    missing = missing.filter(({ paymentId }) => !leasedPayments.has(paymentId));
  }
  return leased.flatMap(({ paymentId, ...receipt }) => {
    const payment = byId.get(paymentId);
    return payment === undefined ? [] : [{ payment, receipt }];
  });
}

const leaseNew = (em: EntityManager, missing: readonly SettledPayment[], { now, lease }: LeaseRequest) =>
  runInTransaction<ReceiptState & { paymentId: string }>(em, LEASE_NEW, [
    missing.map(() => randomUUID()),
    missing.map(({ clientId }) => clientId),
    missing.map(({ debtId }) => debtId),
    missing.map(({ paymentId }) => paymentId),
    missing.map(() => makeProtocol(now.getUTCFullYear(), randomBytes(PROTOCOL_BYTES))),
    missing.map(({ facts }) => JSON.stringify(facts)),
    missing.map(({ revoked }) => revoked?.at ?? null),
    missing.map(({ revoked }) => revoked?.reason ?? null),
    now,
    lease,
  ]);

export interface Drawn {
  readonly id: string;
  readonly facts: SettledPayment['facts'];
  readonly rendered: RenderedReceipt;
}

export interface Stored {
  readonly id: string;
  readonly debtId: string;
  /** True when there was no drawn receipt before. */
  readonly issued: boolean;
}

// One statement replaces the bytes and writes the former hash to the audit log, so that neither happens alone.
const STORE = `
  with drawn as (
    select former.id, former.sha256 as former_sha256, former.template_version as former_version,
      new.pdf, new.sha256, new.facts
    from unnest($1::uuid[], $2::bytea[], $3::text[], $4::jsonb[]) as new (id, pdf, sha256, facts)
    join receipts former on former.id = new.id and former.rendering_by = $5
    for no key update of former
  ), stored as (
    update receipts set pdf = drawn.pdf, sha256 = drawn.sha256, facts = drawn.facts,
      template_version = ${CURRENT_TEMPLATE_VERSION}, rendered_at = clock_timestamp(), outdated = false,
      rendering_by = null, rendering_until = null
    from drawn where receipts.id = drawn.id
    returning receipts.id, receipts.client_id, receipts.debt_id, receipts.protocol, drawn.former_sha256,
      drawn.former_version, drawn.sha256
  ), audited as (
    insert into audit_log (client_id, actor, action, target, details)
    select client_id, $6, 'receipt_redrawn', protocol, jsonb_build_object(
      'formerSha256', former_sha256, 'formerTemplateVersion', former_version,
      'sha256', sha256, 'templateVersion', ${CURRENT_TEMPLATE_VERSION})
    from stored where former_sha256 <> sha256
  )
  select id, debt_id as "debtId", former_sha256 is null as issued from stored`;

/**
 * Stores the bytes of receipts that are still leased. A lease that was lost meanwhile (revocation, delay) stores
 * nothing.
 */
export const storeDrawn = (
  em: EntityManager,
  lease: string,
  drawn: readonly Drawn[],
  actor: 'client' | 'system',
): Promise<Stored[]> =>
  runInTransaction<Stored>(em, STORE, [
    drawn.map(({ id }) => id),
    drawn.map(({ rendered: { bytes } }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    drawn.map(({ rendered }) => rendered.sha256),
    drawn.map(({ facts }) => JSON.stringify(facts)),
    lease,
    actor,
  ]);

const RELEASE =
  'update receipts set rendering_by = null, rendering_until = null where id = any ($1) and rendering_by = $2';

export async function releaseLease(em: EntityManager, lease: string, ids: readonly string[]): Promise<void> {
  await runInTransaction(em, RELEASE, [ids, lease]);
}
