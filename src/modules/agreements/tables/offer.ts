import { defineEntity, p } from '@mikro-orm/postgresql';
import { centavos, createdAt, id, instant, oneOf, writtenBy } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import type { Instalment } from '../rules/instalments.ts';
import { OFFER_KINDS, type OfferKind } from '../rules/offers.ts';
import type { OfferedDebt } from '../rules/standing-offers.ts';

/**
 * What made an offer: the client's policy, a person of the client's staff, or the policy as the answer to what the
 * debtor has proposed.
 */
export const OFFER_MAKERS = ['policy', 'staff', 'proposal'] as const;
export type OfferMaker = (typeof OFFER_MAKERS)[number];

/**
 * What was offered to a debtor about all debts that could be offered together. Apart from its acceptance a row never
 * changes. The person is the one of `debtId`, so that nothing here has to be erased.
 */
export const Offer = defineEntity({
  name: 'Offer',
  tableName: 'offers',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The debt for which offers were asked. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    sandbox: p.boolean(),
    /** The number by which the person accepts it in words. No two offers to one person have the same. */
    number: p.integer(),
    kind: p.text().$type<OfferKind>(),
    /** In the order in which money is credited to them. */
    debts: p.json<readonly OfferedDebt[]>(),
    totalCentavos: centavos(),
    discountCentavos: centavos(),
    entryCentavos: centavos(),
    instalments: p.json<readonly Instalment[]>(),
    /** The day of which it counts what is owed, and the last on which it can be accepted, by the debts' own clock. */
    madeOn: p.date(),
    validUntil: p.date(),
    madeBy: p.text().$type<OfferMaker>(),
    /** The version of the client's policy at that time. */
    policyVersion: p.integer(),
    acceptedAt: instant().nullable(),
    memberId: writtenBy(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'offers_debt', properties: ['debtId', 'number'] },
    { name: 'offers_client', properties: ['clientId'] },
  ],
  checks: [
    { name: 'offers_number_counts', expression: 'number > 0' },
    { name: 'offers_kind_known', expression: oneOf('kind', OFFER_KINDS) },
    { name: 'offers_made_by_known', expression: oneOf('made_by', OFFER_MAKERS) },
    { name: 'offers_total_positive', expression: 'total_centavos > 0' },
    { name: 'offers_discount_not_negative', expression: 'discount_centavos >= 0' },
  ],
  ...tenantTable(),
});
