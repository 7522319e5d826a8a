import { AppError } from '../../../kernel/errors.ts';
import type { Author } from '../../accounts/rules/author.ts';
import type { SharedDeps } from '../../deps.ts';
import { WORKERS_OF_DEBT } from '../queries/case-viewers.ts';
import { READ_DEBT } from '../queries/debt-lists.ts';
import type { ScoreReason } from '../rules/score.ts';
import type { ShownEntry } from '../rules/shown-entry.ts';
import { debtNow } from './clock.ts';
import { type DebtView, debtView } from './debt-view.ts';
import { readTimelinePage, type TimelinePage } from './read-timeline.ts';
import { pageOfPerson, rightsUrl } from './rights-link.ts';
import { workersView } from './view-case.ts';

/** A debt as an action on it answers. */
export interface DebtState extends DebtView {
  /** Until when staff have the conversation, by the debt's own clock; null when the agent has it. */
  readonly staffAnswersUntil: string | null;
  /** The debt's own time in the sandbox; null for a real debt. */
  readonly clock: string | null;
  readonly scoreReasons: ScoreReason[] | null;
  /** The person's page of rights; null once the person was erased. */
  readonly rightsUrl: string | null;
}

export interface DebtDetails extends DebtState {
  /** The latest entries, the oldest of them first. */
  readonly timeline: ShownEntry[];
  /** Where the earlier ones begin; null when these are all. */
  readonly timelineCursor: string | null;
  /** The member who has the case of the debt. */
  readonly assignee?: Author;
  /** The other members who have it open. */
  readonly viewing: readonly Author[];
}

interface OneDebt {
  readonly clientId: string;
  readonly debtId: string;
}

/** A longer timeline is read page by page. */
const LATEST_ENTRIES = 200;

type Deps = Pick<SharedDeps, 'db' | 'now' | 'cursors' | 'publicUrl'>;

async function rowOf({ db }: Pick<Deps, 'db'>, { clientId, debtId }: OneDebt) {
  const [row] = await db.readPrepared({ clientId }, READ_DEBT, { clientId, debtId });
  if (row === undefined) throw new AppError('not_found');
  return row;
}

type Row = Awaited<ReturnType<typeof rowOf>>;

/** Most debts have their page already, so that only one without it costs another transaction. */
async function pageOf({ db }: Pick<Deps, 'db'>, { clientId }: OneDebt, row: Row): Promise<string | null> {
  const { pageId, debtorTaxId, sandbox, erased } = row;
  if (pageId !== null) return pageId;
  return db.tenant(clientId).transactional((tx) => pageOfPerson(tx, { clientId, debtorTaxId, sandbox, erased }));
}

async function stateOf(deps: Pick<Deps, 'db' | 'now' | 'publicUrl'>, one: OneDebt, row: Row): Promise<DebtState> {
  const { now, publicUrl } = deps;
  const until = row.staffAnswersUntil;
  const ownNow = debtNow(row.clockOffsetMs, now().getTime());
  const isOver = until === null || until.getTime() <= ownNow;
  const staffAnswersUntil = isOver ? null : until.toISOString();
  const clock = row.sandbox ? new Date(ownNow).toISOString() : null;
  const pageId = await pageOf(deps, one, row);
  return {
    ...debtView(row),
    staffAnswersUntil,
    clock,
    scoreReasons: row.scoreReasons?.slice() ?? null,
    rightsUrl: pageId === null ? null : rightsUrl(publicUrl, pageId),
  };
}

export const readDebt =
  (deps: Deps) =>
  async ({ memberId = null, ...one }: OneDebt & { readonly memberId?: string | null }): Promise<DebtDetails> => {
    const { clientId, debtId } = one;
    const row = await rowOf(deps, one);
    const [state, { items, nextCursor }, [workers]] = await Promise.all([
      stateOf(deps, one, row),
      readTimelinePage(deps, { ...one, steps: row }, { limit: LATEST_ENTRIES }),
      deps.db.readPrepared({ clientId }, WORKERS_OF_DEBT, { debtId, memberId }),
    ]);
    return { ...state, timeline: items.toReversed(), timelineCursor: nextCursor, ...workersView(workers) };
  };

export const readDebtState =
  (deps: Pick<Deps, 'db' | 'now' | 'publicUrl'>) =>
  async (one: OneDebt): Promise<DebtState> =>
    stateOf(deps, one, await rowOf(deps, one));

/** Goes back from the newest entry. */
export const readTimeline =
  (deps: Pick<Deps, 'db' | 'cursors'>) =>
  async ({
    limit,
    cursor,
    ...one
  }: OneDebt & { readonly limit: number; readonly cursor?: string | undefined }): Promise<TimelinePage> =>
    readTimelinePage(deps, { ...one, steps: await rowOf(deps, one) }, { limit, cursor });
