import { Connection, Client as TemporalClient } from '@temporalio/client';
import proto from '@temporalio/proto';
import { Client } from 'pg';
import type { Facts, WorkflowFact } from './facts.ts';
import { readLog } from './log.ts';

export interface FactSources {
  /** The owner's URL of the database. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace?: string;
  /** The file of the fakes; without it only the rules about database and histories find anything. */
  readonly logFile?: string;
}

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;
const CODE_FAILURES = [
  Cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
];
const HISTORIES_AT_ONCE = 16;

/** Row security also binds the owner. The policies that lift it exist in the transaction of the reader only. */
const LET_READER_SEE = `do $$ declare name text; begin
  for name in select relname from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace
    and relname in ('debts', 'campaigns', 'charges', 'receipts', 'messages', 'payment_notifications', 'events',
      'webhook_deliveries', 'agreements', 'agreement_debts', 'contact_ledger', 'offers',
      'offer_policies') order by relname loop
    execute format('create policy checker_reads on %I to current_user using (true)', name);
  end loop;
end $$`;

const TABLES = {
  debts: `select debts.id, debts.client_id as "clientId", invoice_id as "invoiceId", debts.status,
      original_amount_centavos::float8 as "amountCentavos", campaigns.status as "campaignStatus"
    from debts join campaigns on campaigns.id = campaign_id`,
  charges: `select id, debt_id as "debtId", agreement_id as "agreementId", part_of as "partOf", provider_payment_id as "providerPaymentId",
      approved_at is not null as approved, paid_centavos::float8 as "paidCentavos",
      principal_centavos::float8 as "principalCentavos",
      (principal_centavos + fine_centavos + interest_centavos + correction_centavos)::float8 as "creditedCentavos",
      duplicate from charges`,
  receipts: `select debt_id as "debtId", charge_id as "chargeId", kind, protocol, pdf is not null as drawn,
      revoked_at is not null as revoked from receipts`,
  messages: `select id, client_id as "clientId", debt_id as "debtId", also_about as "alsoAbout", direction, purpose,
      delivery, channel_message_id as "channelMessageId", handled_at is not null or automatic as handled from messages`,
  bookings: `select message_id as "messageId", (extract(epoch from at) * 1000)::float8 as at from contact_ledger
    where kind = 'booking' and message_id is not null`,
  notifications: `select charge_id as "chargeId", handled_at is not null as handled from payment_notifications`,
  outbox: `select workflow_id as "workflowId", delivered_at is not null as delivered, last_error as error from outbox`,
  events: `select id, client_id as "clientId" from events`,
  deliveries: `
    select deliveries.client_id as "clientId", events.id as "eventId", state
    from webhook_deliveries as deliveries join events on events.seq = deliveries.event_seq`,
  agreements: `select id, client_id as "clientId", offer_id as "offerId", protocol, status,
      total_centavos::float8 as "totalCentavos", discount_centavos::float8 as "discountCentavos", instalments, breach_after_days as "breachAfterDays", after_breach as "afterBreach",
      (extract(epoch from accepted_at) * 1000)::float8 as "acceptedAt", accepted_in as "acceptedIn",
      (extract(epoch from ended_at) * 1000)::float8 as "endedAt",
      (select jsonb_agg(jsonb_build_object('debtId', debt_id, 'centavos', owed_centavos - discount_centavos,
          'owedCentavos', owed_centavos)
        order by position) from agreement_debts where agreement_id = agreements.id) as debts
    from agreements`,
  offers: `select id, client_id as "clientId", total_centavos::float8 as "totalCentavos",
      discount_centavos::float8 as "discountCentavos", entry_centavos::float8 as "entryCentavos", instalments, debts,
      made_on::text as "madeOn", valid_until::text as "validUntil", made_by as "madeBy",
      policy_version as "policyVersion" from offers`,
  policies: `select client_id as "clientId", version, policy from offer_policies`,
} as const;

type StoredFacts = Pick<Facts, keyof typeof TABLES>;

/** What the database has of a run, without Temporal's histories and the log of the fakes. */
export async function readDatabase(url: string): Promise<StoredFacts> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('begin isolation level repeatable read');
    await owner.query(LET_READER_SEE);
    const facts: Record<string, unknown> = {};
    for (const [name, statement] of Object.entries(TABLES)) facts[name] = (await owner.query(statement)).rows;
    await owner.query('rollback');
    return facts as unknown as StoredFacts;
  } finally {
    await owner.end();
  }
}

async function readWorkflows(address: string, namespace: string): Promise<readonly WorkflowFact[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new TemporalClient({ connection, namespace });
    const runs: { readonly workflowId: string; readonly runId: string; readonly status: string }[] = [];
    for await (const { workflowId, runId, status } of workflow.list())
      runs.push({ workflowId, runId, status: status.name });
    const facts: WorkflowFact[] = [];
    let next = 0;
    const read = async (): Promise<void> => {
      for (let run = runs[next++]; run !== undefined; run = runs[next++]) {
        const { workflowId, runId, status } = run;
        const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
        const causes = (events ?? []).map((event) => event.workflowTaskFailedEventAttributes?.cause);
        const codeFailures = causes.filter((cause) => cause != null && CODE_FAILURES.includes(cause)).length;
        const timers = new Set<string>();
        for (const event of events ?? []) {
          const started = event.timerStartedEventAttributes?.timerId;
          const ended = event.timerFiredEventAttributes?.timerId ?? event.timerCanceledEventAttributes?.timerId;
          if (started != null) timers.add(started);
          if (ended != null) timers.delete(ended);
        }
        facts.push({ workflowId, status, codeFailures, timers: timers.size });
      }
    };
    await Promise.all(Array.from({ length: HISTORIES_AT_ONCE }, read));
    return facts;
  } finally {
    await connection.close();
  }
}

/** Reads the database, Temporal's histories and the log of the fakes, and asks the product itself nothing. */
export async function loadFacts(sources: FactSources): Promise<Facts> {
  const { databaseUrl, temporalAddress, namespace = 'default', logFile } = sources;
  const stored = await readDatabase(databaseUrl);
  const workflows = await readWorkflows(temporalAddress, namespace);
  return { ...stored, workflows, log: logFile === undefined ? [] : readLog(logFile) };
}
