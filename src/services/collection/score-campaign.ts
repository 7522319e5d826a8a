import { runInTransaction } from '../../db/statement.ts';
import { DAY, localDate, startOfDay } from '../../domain/calendar.ts';
import type { ScoreInput } from '../../domain/score.ts';
import type { CollectionDeps } from './deps.ts';

const PAGE = 1_000;
const MOBILE = /^\+55\d{2}9\d{8}$/;

interface Row {
  readonly debtId: string;
  readonly position: number;
  readonly amountCentavos: number;
  readonly dueDate: string;
  readonly debtorPhone: string;
  readonly hasEmail: boolean;
  readonly paidBefore: number;
  readonly unpaidBefore: number;
  readonly brokenPromises: number;
  readonly lastDelivery: ScoreInput['lastDelivery'];
  readonly hasAnswered: boolean;
}

// Reads what this client knows about the person from its other debts. An index on (client, CPF) finds them.
const READ = `
  with page as (
    select * from debts where campaign_id = $1 and position > $2 and status = 'QUEUED'
    order by position limit ${PAGE}
  )
  select page.id as "debtId", page.position, page.original_amount_centavos as "amountCentavos",
    page.due_date as "dueDate", page.debtor_phone as "debtorPhone", page.debtor_email is not null as "hasEmail",
    other.paid as "paidBefore", other.unpaid as "unpaidBefore", other.broken as "brokenPromises",
    talk.delivery as "lastDelivery", talk.answered as "hasAnswered"
  from page
  cross join lateral (
    select count(*) filter (where status = 'PAID')::int as paid,
      count(*) filter (where status not in ('PAID', 'STOPPED', 'DISPUTED'))::int as unpaid,
      (select count(*)::int from debt_events e join debts d on d.id = e.debt_id
        where d.client_id = page.client_id and d.debtor_cpf = page.debtor_cpf and d.id <> page.id
          and e.kind = 'status_changed' and e.data ->> 'from' = 'PROMISED' and e.data ->> 'to' = 'IN_COLLECTION') as broken
    from debts where client_id = page.client_id and debtor_cpf = page.debtor_cpf and id <> page.id
      and sandbox = page.sandbox
  ) as other
  cross join lateral (
    select
      (array_agg(m.delivery order by m.created_at desc)
        filter (where m.direction = 'out' and m.delivery in ('read', 'delivered', 'failed')))[1] as delivery,
      coalesce(bool_or(m.direction = 'in'), false) as answered
    from debts d join messages m on m.debt_id = d.id
    where d.client_id = page.client_id and d.debtor_phone = page.debtor_phone and d.sandbox = page.sandbox
  ) as talk
  order by page.position`;

const STORE = `
  update debts set score = scored.score, score_reasons = scored.reasons, scored_at = current_timestamp(3)
  from unnest($1::uuid[], $2::int[], $3::jsonb[]) as scored (id, score, reasons)
  where debts.id = scored.id`;

const inputOf = (row: Row, today: string): ScoreInput => ({
  debtId: row.debtId,
  amountCentavos: row.amountCentavos,
  daysOverdue: Math.round((startOfDay(today, 0) - startOfDay(row.dueDate, 0)) / DAY),
  paidBefore: row.paidBefore,
  unpaidBefore: row.unpaidBefore,
  brokenPromises: row.brokenPromises,
  hasMobile: MOBILE.test(row.debtorPhone),
  hasEmail: row.hasEmail,
  lastDelivery: row.lastDelivery,
  hasAnswered: row.hasAnswered,
});

/** Stores the score of every queued debt with its reasons, page by page. The function is idempotent. */
export const scoreCampaign =
  (deps: Pick<CollectionDeps, 'db' | 'agent' | 'now'>) =>
  async (task: { readonly clientId: string; readonly campaignId: string }, heartbeat: () => void): Promise<void> => {
    const today = localDate(deps.now().getTime(), -3);
    for (let after = 0; ; ) {
      const rows = await deps.db
        .tenant(task.clientId)
        .transactional((em) => runInTransaction<Row>(em, READ, [task.campaignId, after]));
      const last = rows.at(-1);
      if (last === undefined) return;
      const scored = await deps.agent.score(rows.map((row) => inputOf(row, today)));
      await deps.db
        .tenant(task.clientId)
        .transactional((em) =>
          runInTransaction(em, STORE, [
            scored.map(({ debtId }) => debtId),
            scored.map(({ score }) => score),
            scored.map(({ reasons }) => JSON.stringify(reasons)),
          ]),
        );
      after = last.position;
      heartbeat();
    }
  };
