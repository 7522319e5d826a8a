import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { PHONE_OF_MESSAGE } from '../../debts/queries/debt-phones.ts';
import type { ScoredDebt } from '../../debts/rules/score.ts';

/** The queued debts of a campaign behind a position, or one debt. */
type Page =
  | {
      readonly campaignId: string;
      /** The position of the last debt of the previous page. */
      readonly after: number;
      readonly limit: number;
      /** Null for a launched campaign. For a draft: its debts are counted as if it were launched so. */
      readonly launch: { readonly sandbox: boolean } | null;
    }
  | { readonly debtId: string };

/** A debt of a draft becomes a sandbox debt or a real one with the launch. */
const sameWorld = (page: Page) =>
  'debtId' in page || page.launch === null
    ? sql<boolean>`debts.sandbox = page.sandbox`
    : sql<boolean>`(debts.campaign_id = ${page.campaignId}::uuid or debts.sandbox = ${page.launch.sandbox}::boolean)`;

/**
 * Returns debts to score: those of a campaign that are queued, or will be by its launch, with what this client knows about the person from its other debts. An index on client and CPF
 * finds them.
 */
export const debtsToScore = (tx: Tx, page: Page) =>
  queriesIn(tx)
    .with('page', (query) => {
      const debts = query.selectFrom('debts').selectAll();
      if ('debtId' in page) return debts.where('id', '=', page.debtId);
      return debts
        .where('campaignId', '=', page.campaignId)
        .where('position', '>', page.after)
        .where('status', '=', page.launch === null ? 'QUEUED' : 'IMPORTED')
        .orderBy('position')
        .limit(page.limit);
    })
    .selectFrom('page')
    .crossJoinLateral((from) =>
      from
        .selectFrom('debts')
        .select(({ fn, selectFrom }) => [
          fn.countAll<number>().filterWhere('debts.status', '=', 'PAID').as('paidBefore'),
          fn
            .countAll<number>()
            .filterWhere('debts.status', 'not in', ['PAID', 'STOPPED', 'DISPUTED'])
            .as('unpaidBefore'),
          selectFrom('debt_events')
            .innerJoin('debts as promised', 'promised.id', 'debt_events.debtId')
            .select(({ fn }) => fn.countAll<number>().as('broken'))
            .whereRef('promised.clientId', '=', 'page.clientId')
            .whereRef('promised.debtorTaxId', '=', 'page.debtorTaxId')
            .whereRef('promised.id', '<>', 'page.id')
            .where('debt_events.kind', '=', 'status_changed')
            .where(sql`debt_events.data ->> 'from'`, '=', 'PROMISED')
            .where(sql`debt_events.data ->> 'to'`, '=', 'IN_COLLECTION')
            .$asScalar()
            .$notNull()
            .as('brokenPromises'),
        ])
        .whereRef('debts.clientId', '=', 'page.clientId')
        .whereRef('debts.debtorTaxId', '=', 'page.debtorTaxId')
        .whereRef('debts.id', '<>', 'page.id')
        .where(sameWorld(page))
        .as('other'),
    )
    .crossJoinLateral((from) =>
      from
        .selectFrom('debts')
        .innerJoin('messages', 'messages.debtId', 'debts.id')
        .select([
          sql<'read' | 'delivered' | 'failed' | null>`(array_agg(messages.delivery order by messages.created_at desc)
            filter (where messages.direction = 'out' and messages.delivery in ('read', 'delivered', 'failed')))[1]`.as(
            'lastDelivery',
          ),
          sql<boolean>`coalesce(bool_or(messages.direction = 'in'), false)`.as('hasAnswered'),
        ])
        .whereRef('debts.clientId', '=', 'page.clientId')
        .whereRef('debts.debtorPhone', '=', 'page.debtorPhone')
        .where(PHONE_OF_MESSAGE, '=', (message) => message.ref('page.debtorPhone'))
        .where(sameWorld(page))
        .as('talk'),
    )
    .select(['page.id as debtId', 'page.position', 'page.originalAmountCentavos as amountCentavos', 'page.dueDate'])
    .select(['page.debtorPhone', sql<boolean>`page.debtor_email is not null`.as('hasEmail')])
    .select(['other.paidBefore', 'other.unpaidBefore', 'other.brokenPromises', 'talk.lastDelivery', 'talk.hasAnswered'])
    .orderBy('page.position')
    .execute();

export const storeScores = (tx: Tx, scored: readonly Pick<ScoredDebt, 'debtId' | 'score' | 'reasons'>[]) =>
  queriesIn(tx)
    .updateTable('debts')
    .from(
      sql<{ id: string; score: number; reasons: ScoredDebt['reasons'] }>`unnest(
        ${scored.map(({ debtId }) => debtId)}::uuid[],
        ${scored.map(({ score }) => score)}::int[],
        ${scored.map(({ reasons }) => JSON.stringify(reasons))}::jsonb[]
      )`.as<'scored'>(sql`scored (id, score, reasons)`),
    )
    .set(({ ref }) => ({
      score: ref('scored.score'),
      scoreReasons: ref('scored.reasons'),
      scoredAt: sql<Date>`quita_now()`,
    }))
    .whereRef('debts.id', '=', 'scored.id')
    .execute();
