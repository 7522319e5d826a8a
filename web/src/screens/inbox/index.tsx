import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import { showsDebts } from '../../live/stale.ts';
import { useLive } from '../../live/use-live.ts';
import { onSessionChange, sessionState } from '../../session/session.ts';
import { useSession } from '../../session/use-session.ts';
import { INBOX } from '../../texts/inbox.ts';
import { INBOX_REASON, type InboxReason } from '../../texts/words.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded, PageHeader } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { useShortcuts } from '../../use-shortcuts.ts';
import type { Draft } from './answer.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { caseAfter, neighbour } from './cases.ts';
import { showChanged } from './changed-debt.ts';
import { OPEN_CASE } from './conversation.tsx';
import { type Done, HelpDialog } from './dialogs.tsx';
import { EmptyQueue, Filters, Keys } from './frame.tsx';
import styles from './inbox.module.css';
import { debtQuery, OpenCase } from './open-case.tsx';
import { QueuePane, rowId } from './queue-pane.tsx';
import { useQueue, type View, type Whose } from './use-queue.ts';

/** The answers that are being written, by their debt. They live in this tab's memory and are stored nowhere. */
const drafts = new Map<string, Draft>();
let owner: string | null = null;

/**
 * Returns the unsent answers of the member who is signed in; null while the screen of an ended session goes away. They outlast a session that ends by itself, so that
 * whoever signs in again goes on writing. A sign-out removes them, as does another member.
 */
function draftsOf(memberId: string | null): Map<string, Draft> {
  if (memberId !== null && owner !== memberId) {
    drafts.clear();
    owner = memberId;
  }
  return drafts;
}

onSessionChange(() => {
  const state = sessionState();
  if (state.kind === 'out' && state.reason !== 'ended') drafts.clear();
});

/** The width from which the queue stands beside the case that is open; the styles have the same. */
const WIDE = '(min-width: 901px)';

const useWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(WIDE).matches,
  );

const PATH = '/atendimento';
const VIEW_NAMES = { waiting: 'aguardando', snoozed: 'adiados' } as const;

const viewOf = (name: string): View =>
  name === VIEW_NAMES.waiting ? 'waiting' : name === VIEW_NAMES.snoozed ? 'snoozed' : 'open';

const WHOSE_NAMES = { me: 'minhas', none: 'sem-responsavel' } as const;

const whoseOf = (name: string): Whose => (name === WHOSE_NAMES.me ? 'me' : name === WHOSE_NAMES.none ? 'none' : '');

const isReason = (text: string): text is InboxReason => text in INBOX_REASON;
const withSearch = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`);

/** Where a case in the queue is, and otherwise what is open, takes the focus. */
function focusCase(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowId(id));
  const target = row?.checkVisibility() ? row : (document.getElementById(OPEN_CASE) ?? document.querySelector('h1'));
  target?.focus();
}

export default function Inbox() {
  const { id } = useParams<{ id?: string }>();
  const [, navigate] = useLocation();
  const search = useSearch();
  const [{ visao, motivo, quem }] = useFilters(['visao', 'motivo', 'quem']);
  const view: View = viewOf(visao);
  const reason = isReason(motivo) ? motivo : '';
  const whose = whoseOf(quem);
  const queue = useQueue(view, reason, whose);
  const queries = useQueryClient();
  const wide = useWide();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [help, setHelp] = useState(false);
  const [focusOn, setFocusOn] = useState<{ readonly id: string | undefined } | null>(null);
  const session = useSession();
  const drafts = draftsOf(session.kind === 'in' ? session.member.id : null);
  useLive();

  const { cases } = queue;
  const hrefOf = (debtId: string): string => withSearch(`${PATH}/${debtId}`, search);
  const first = cases[0]?.id;
  // Beside the queue there is room for a case, so the first one is open.
  useEffect(() => {
    if (wide && id === undefined && queue.current && first !== undefined) {
      navigate(withSearch(`${PATH}/${first}`, search), { replace: true });
    }
  }, [wide, id, queue.current, first, search, navigate]);
  useEffect(() => {
    if (focusOn !== null) focusCase(focusOn.id);
  }, [focusOn]);

  const open = (next: string): void => {
    navigate(hrefOf(next), { replace: id !== undefined });
    setFocusOn({ id: next });
  };
  const go = (step: 1 | -1): void => {
    const next = neighbour(cases, id, step);
    if (next !== undefined) open(next.id);
  };
  useShortcuts({ j: () => go(1), k: () => go(-1), '?': () => setHelp(true) });

  const show = (nextView: View, nextReason: InboxReason | '', nextWhose: Whose): void => {
    const next = new URLSearchParams();
    if (nextView !== 'open') next.set('visao', VIEW_NAMES[nextView]);
    if (nextReason !== '') next.set('motivo', nextReason);
    if (nextWhose !== '') next.set('quem', WHOSE_NAMES[nextWhose]);
    setMarked(new Set());
    navigate(withSearch(PATH, next.toString()), { replace: true });
  };

  /** Goes on to the next case after a decision about these, and says so. */
  const goOn = async (decided: readonly string[], said: string): Promise<void> => {
    void queries.invalidateQueries({ predicate: showsDebts });
    const fresh = await queue.decide(decided);
    setMarked((before) => new Set([...before].filter((one) => !decided.includes(one))));
    const stays = id === undefined || !decided.includes(id);
    if (stays || fresh.some((one) => one.id === id)) {
      setFocusOn({ id });
      return announce(stays ? said : `${said} ${INBOX.stillWaits}`);
    }
    const next = caseAfter(cases, fresh, id);
    if (next !== undefined) await queries.prefetchQuery(debtQuery(next.id));
    const none = INBOX.none[view];
    announce(`${said} ${next === undefined ? none : INBOX.next(inWrittenOrder(next.debt.debtorName))}`);
    navigate(next === undefined ? withSearch(PATH, search) : hrefOf(next.id), { replace: true });
    setFocusOn({ id: next?.id });
  };
  const finish = async ({ debt, said, decided }: Done): Promise<void> => {
    if (id === undefined) return;
    if (debt !== null) showChanged(queries, debt);
    if (decided) return goOn([id], said);
    await queries.invalidateQueries({ queryKey: ['debt', id] });
    announce(said);
  };

  /** A list of some member's cases has lost the one that was given away. */
  const assigned = async (said: string): Promise<void> => {
    if (whose !== '' && id !== undefined) return goOn([id], said);
    await queries.invalidateQueries({ queryKey: ['inbox'] });
    announce(said);
  };

  const isEmpty = queue.current && cases.length === 0;
  return (
    <div className={styles['screen']} data-open={id === undefined ? undefined : 'true'} data-fills-window>
      <PageHeader
        title={INBOX.title}
        actions={<Filters view={view} reason={reason} whose={whose} counts={queue.counts} onChange={show} />}
      />
      <BulkBar
        cases={cases.filter((one) => marked.has(one.id) && !one.solved)}
        onUnmark={() => setMarked(new Set())}
        onDone={goOn}
        onRead={() => setFocusOn({ id })}
      />
      {isEmpty && id === undefined ? (
        <EmptyQueue view={view} reason={reason} whose={whose} onClear={() => show('open', '', '')} />
      ) : (
        <div className={styles['panes']}>
          <section className={styles['queue']} aria-label={INBOX.queue} aria-busy={!queue.current}>
            <Loaded query={queue.query} lines={6}>
              {() =>
                isEmpty ? (
                  <EmptyQueue view={view} reason={reason} whose={whose} onClear={() => show('open', '', '')} />
                ) : (
                  <QueuePane
                    cases={cases}
                    added={queue.added}
                    openId={id}
                    marked={marked}
                    hrefOf={hrefOf}
                    onMark={(ids, isMarked) =>
                      setMarked((before) => {
                        const next = new Set(before);
                        for (const one of ids) isMarked ? next.add(one) : next.delete(one);
                        return next;
                      })
                    }
                    onShowFresh={queue.showFresh}
                    more={
                      queue.query.hasNextPage
                        ? { busy: queue.query.isFetchingNextPage, load: () => void queue.query.fetchNextPage() }
                        : null
                    }
                  />
                )
              }
            </Loaded>
          </section>
          {id === undefined ? (
            <p className={styles['choose']}>{INBOX.choose}</p>
          ) : (
            <>
              <Link to={withSearch(PATH, search)} className={styles['back']}>
                <Icon name="left" />
                {INBOX.backToQueue}
              </Link>
              <OpenCase
                key={id}
                id={id}
                onAssigned={assigned}
                cases={cases}
                hrefOf={hrefOf}
                drafts={drafts}
                onDone={finish}
              />
            </>
          )}
        </div>
      )}
      {!(isEmpty && id === undefined) && <Keys onHelp={() => setHelp(true)} />}
      {help && <HelpDialog onClose={() => setHelp(false)} />}
    </div>
  );
}
