import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, instant, updatedAt } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import { PERSON_REQUESTS, type PersonRequest as RequestName } from '../rules/person-requests.ts';

const NAMES = PERSON_REQUESTS.map((name) => `'${name}'`).join(', ');

/**
 * What a person has asked of a client, or told it: it holds for all debts that the client has of the person, also for
 * those of a campaign that is launched later. The moments are those of the person's debt whose clock is furthest ahead.
 * The row is deleted when the person's data is erased.
 */
export const PersonRequest = defineEntity({
  name: 'PersonRequest',
  tableName: 'person_requests',
  properties: {
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id').primary(),
    debtorTaxId: p.text().primary(),
    sandbox: p.boolean().primary(),
    /** The promised date, in the debtor's time zone. A contact after that date deletes it. */
    promisedFor: p.date().nullable(),
    /** When the person said that the Pix is paid. A payment and the client's decision delete it. */
    saidPaidAt: instant().nullable(),
    /** Until when the client's staff have the conversation; the agent is silent until then. */
    staffAnswersUntil: instant().nullable(),
    /** When and by which channel the person wants to be written to, within what the law allows. */
    preference: p.json<DebtorPreference>().nullable(),
    /** What waits for a decision of the client. Nothing is sent about any debt of the person before. */
    requests: p.array<RequestName>().columnType('text[]').defaultRaw(`'{}'`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  checks: [{ name: 'person_requests_known', expression: `requests <@ array[${NAMES}]` }],
  ...tenantTable(),
});
