import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { OUTCOMES, type Outcome, RIGHTS_KINDS, type RightsKind } from '../rules/rights-request.ts';

/**
 * What a person asked of a client on the page of their rights. An erasure empties the texts; the row is deleted with the
 * timeline of its debt.
 */
export const RightsRequest = defineEntity({
  name: 'RightsRequest',
  tableName: 'rights_requests',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The debt that it is about, or one that stands for the person. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    kind: p.text().$type<RightsKind>(),
    protocol: p.text(),
    /** In the person's words. */
    text: p.text(),
    /** In real time, also for a sandbox debt, as all of it. */
    createdAt: createdAt(),
    /** The last day of the law; null for what was done at once. */
    dueAt: instant().nullable(),
    answeredAt: instant().nullable(),
    outcome: p.text().$type<Outcome>().nullable(),
    answer: p.text().nullable(),
    /** The names of the data that was corrected with the answer. */
    changed: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** The member who answered. It stays when the member leaves. */
    answeredBy: p.uuid().nullable(),
    /** When the mail that confirms it was handed to the mail server, or booked for that. */
    confirmedAt: instant().nullable(),
    /** The same of the mail that tells of the answer. */
    toldAt: instant().nullable(),
  },
  indexes: [
    { name: 'rights_requests_debt', properties: ['debtId', 'createdAt'] },
    { name: 'rights_requests_client', properties: ['clientId', 'createdAt', 'id'] },
    { name: 'rights_requests_unconfirmed', properties: ['createdAt'], where: 'confirmed_at is null' },
    {
      name: 'rights_requests_untold',
      properties: ['answeredAt'],
      where: 'told_at is null and answered_at is not null',
    },
  ],
  uniques: [{ name: 'rights_requests_protocol', properties: ['protocol'] }],
  checks: [
    { name: 'rights_requests_kind_known', expression: oneOf('kind', RIGHTS_KINDS) },
    { name: 'rights_requests_outcome_known', expression: oneOf('outcome', OUTCOMES) },
    { name: 'rights_requests_answered', expression: '(answered_at is null) = (outcome is null)' },
  ],
  ...tenantTable(),
});
