import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  centavos,
  createdAt,
  id,
  instant,
  oneOf,
  updatedAt,
  writtenBy,
} from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, PUBLIC_RECEIPT_POLICY, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { ACCEPTED_BY, type AcceptedBy, STOP_REASONS, type StopReason } from '../rules/acceptance.ts';
import { AGREEMENT_STATUSES, type AgreementStatus, type SentNotice } from '../rules/agreement-state.ts';
import type { Instalment } from '../rules/instalments.ts';
import { AFTER_BREACH, type AfterBreach } from '../rules/offers-policy.ts';
import { Offer } from './offer.ts';

const tenancy = tenantTable();

/**
 * An offer that the debtor has accepted. Its amounts never change; a date changes only when the debtor moves it. The
 * debts that it is about are in `agreement_debts`.
 */
export const Agreement = defineEntity({
  name: 'Agreement',
  tableName: 'agreements',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The first of its debts, whose conversation has its notices and on which its codes stand. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    offerId: () => p.manyToOne(Offer).mapToPk().fieldName('offer_id'),
    sandbox: p.boolean(),
    /** The protocol of the Termo de Acordo. */
    protocol: p.text(),
    status: p.text().$type<AgreementStatus>(),
    totalCentavos: centavos(),
    discountCentavos: centavos(),
    instalments: p.json<readonly Instalment[]>(),
    breachAfterDays: p.integer(),
    afterBreach: p.text().$type<AfterBreach>(),
    /** How often the debtor may still move an instalment. */
    movesLeft: p.integer(),
    /** The notices that were sent, so that none is sent twice. */
    notices: p.json<readonly SentNotice[]>().defaultRaw(`'[]'::jsonb`),
    /** The debtor's day of the acceptance, by the debts' own clock. */
    agreedOn: p.date(),
    acceptedAt: instant(),
    acceptedBy: p.text().$type<AcceptedBy>(),
    memberId: writtenBy(),
    /** The message that accepted it, or the page on which it was accepted. */
    acceptedIn: p.uuid().nullable(),
    /** What the debtor was shown and accepted; empty once the debtor is erased, while the hash stays. */
    acceptedText: p.text(),
    acceptedTextHash: p.character().length(64),
    /** The phone in use then, masked; empty once the debtor is erased. */
    acceptedPhone: p.text(),
    stoppedBecause: p.text().$type<StopReason>().nullable(),
    /**
     * What was due before this day is due again from it. The column is named after the first reason, that money went back;
     * the others are in `AgreementFacts`, where it is `dueAgainOn`.
     */
    takenBackOn: p.date().nullable(),
    /** The moment, by the agreement's own clock, at which its workflow acts next; null while only an event continues it. */
    nextAt: instant().nullable(),
    endedAt: instant().nullable(),
    /** Why the client's staff cancelled it, in their words. */
    cancelReason: p.text().nullable(),
    /** The member who cancelled it: `ACTING_MEMBER`. */
    cancelledBy: p.uuid().nullable(),
    /** The Termo de Acordo, once it was drawn, and its hash. */
    pdf: p.blob().nullable(),
    sha256: p.character().length(64).nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    { name: 'agreements_protocol', properties: ['protocol'] },
    { name: 'agreements_offer', properties: ['offerId'] },
  ],
  indexes: [
    { name: 'agreements_client', properties: ['clientId', 'createdAt', 'id'] },
    { name: 'agreements_debt', properties: ['debtId'] },
    // It finds the agreements whose workflow should have worked.
    { name: 'agreements_due', properties: ['nextAt'], where: "status = 'ACTIVE' and next_at is not null" },
  ],
  checks: [
    { name: 'agreements_status_known', expression: oneOf('status', AGREEMENT_STATUSES) },
    { name: 'agreements_after_breach_known', expression: oneOf('after_breach', AFTER_BREACH) },
    { name: 'agreements_accepted_by_known', expression: oneOf('accepted_by', ACCEPTED_BY) },
    { name: 'agreements_stopped_because_known', expression: oneOf('stopped_because', STOP_REASONS) },
    { name: 'agreements_ended', expression: "(status = 'ACTIVE') = (ended_at is null)" },
    { name: 'agreements_total_positive', expression: 'total_centavos > 0' },
    { name: 'agreements_drawn_whole', expression: '(pdf is null) = (sha256 is null)' },
  ],
  ...tenancy,
  policies: [...tenancy.policies, PUBLIC_RECEIPT_POLICY, functionsPolicy('select')],
});
