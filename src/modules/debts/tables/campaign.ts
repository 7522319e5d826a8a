import { defineEntity, p } from '@mikro-orm/postgresql';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../../../kernel/campaign-status.ts';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { CAMPAIGN_EVENT_TRIGGERS } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { ContactHours } from '../../policy/rules/campaign-settings.ts';
import type { SequenceStep } from '../../policy/rules/collection-sequence.ts';
import type { DueReminders } from '../../policy/rules/reminder-days.ts';
import { ON_PARTIAL, type OnPartial } from '../rules/debt-payments.ts';

/** Its function is in `src/platform/database/routines/verification.sql`. Nobody real reads the sender of a campaign in the sandbox. */
const SENDER_TRIGGER = {
  name: 'campaigns_sender_named',
  timing: 'after' as const,
  events: ['insert' as const, 'update' as const],
  forEach: 'row' as const,
  expression:
    'create trigger "campaigns_sender_named" after insert or update of sender_name on "campaigns" for each row when (new.sender_name is not null and new.sandbox is not true) execute function end_verification_of_sender()',
};

const tenancy = tenantTable();

export const Campaign = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    name: p.text(),
    status: p.text().$type<CampaignStatus>(),
    /** Whether the campaign is collected in the sandbox; null until the launch decides. Examples are so from the start. */
    sandbox: p.boolean().nullable(),
    /** The channels of its messages in the order in which they are tried; null for all that the client has. */
    channels: p.array<RealChannel>().columnType('text[]').nullable(),
    /** Its own contacts; null for those of the deployment's sequence. */
    sequence: p.json<readonly SequenceStep[]>().nullable(),
    /** Its own hours, which only narrow those of the policy. */
    contactHours: p.json<ContactHours>().nullable(),
    /** The days before a due date on which its debtors are reminded; null for none. */
    reminders: p.json<DueReminders>().nullable(),
    /** The name by which its messages call the creditor; null for the client's name. */
    senderName: p.text().nullable(),
    /** What follows when a debtor has paid a part: the client decides (`hold`), or the rest is collected. */
    onPartial: p.text().$type<OnPartial>().default('hold'),
    /** Whether the simulated clocks are held: an agreement that is accepted meanwhile begins with a held one. */
    clocksHeld: p.boolean().default(false),
    launchedAt: instant().nullable(),
    /** The member who launched it: `ACTING_MEMBER`. */
    launchedBy: p.uuid().nullable(),
    /** The number of the last event that its client was told. */
    eventCount: p.bigint('number').default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // A debt refers to both columns, so that it is of the client of its campaign.
  uniques: [{ name: 'campaigns_id_client', properties: ['id', 'clientId'] }],
  indexes: [{ name: 'campaigns_client_created', properties: ['clientId', 'createdAt', 'id'] }],
  checks: [
    { name: 'campaigns_status_known', expression: oneOf('status', CAMPAIGN_STATUSES) },
    { name: 'campaigns_on_partial_known', expression: oneOf('on_partial', ON_PARTIAL) },
    {
      name: 'campaigns_channels_known',
      expression: `channels <@ array[${REAL_CHANNELS.map((name) => `'${name}'`).join(', ')}]`,
    },
  ],
  triggers: [...CAMPAIGN_EVENT_TRIGGERS, SENDER_TRIGGER],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
