import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { formatAgo, formatMoment, formatMoney } from '../../format.ts';
import { may } from '../../session/may.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { INBOX_REASON } from '../../texts/words.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Case, personsOf } from './cases.ts';
import styles from './queue.module.css';
import { useNow } from './use-now.ts';

/** Where the row of a case takes the focus. */
export const rowId = (id: string): string => `caso-${id}`;

interface RowProps {
  readonly one: Case;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  /** The name of the person stands above. */
  readonly ofGroup?: boolean;
  readonly now: number;
  readonly onMark: (marked: boolean) => void;
}

function Row({ one, href, isOpen, isMarked, ofGroup, now, onMark }: RowProps) {
  const { id, debt, reasons, since, lastMessage, snoozedUntil, sandbox, assignee, viewing, solved } = one;
  const name = inWrittenOrder(debt.debtorName);
  return (
    <li className={classNames(styles['row'], isOpen && styles['isOpen'], solved && styles['solved'])}>
      {may('work') && (
        <label className={styles['mark']}>
          <input
            type="checkbox"
            checked={isMarked && !solved}
            disabled={solved}
            onChange={(event) => onMark(event.currentTarget.checked)}
          />
          <span className="visually-hidden">{INBOX.mark(name)}</span>
        </label>
      )}
      <Link id={rowId(id)} to={href} className={styles['case']} aria-current={isOpen ? 'true' : undefined}>
        <bdi className={ofGroup ? 'visually-hidden' : styles['name']}>{name}</bdi>
        <span className={styles['who']}>
          <span className={styles['why']}>
            {solved ? INBOX.solved : reasons.map(({ reason }) => INBOX_REASON[reason]).join(' · ')}
          </span>
          <span className={styles['amount']}>{formatMoney(debt.originalAmount)}</span>
        </span>
        <span className={styles['words']}>
          {lastMessage === null ? INBOX.nothingWritten : <bdi>{inWrittenOrder(lastMessage.text)}</bdi>}
        </span>
        <span className={styles['when']}>
          {snoozedUntil === null ? INBOX.since(formatAgo(since, now)) : INBOX.until(formatMoment(snoozedUntil))}
          {sandbox && <span className={styles['test']}>{COMMON.test}</span>}
        </span>
        {(assignee !== undefined || viewing.length > 0) && (
          <span className={styles['when']}>
            {assignee !== undefined && <span>{INBOX.withMember(assignee.name)}</span>}
            {viewing.length > 0 && <span>{INBOX.viewing(viewing.map((each) => each.name))}</span>}
          </span>
        )}
      </Link>
    </li>
  );
}

/** The cases of one person under the person's name. They are shown when one of them is open, or when somebody asks. */
function Person({
  cases,
  isOpen,
  isMarked,
  onMark,
  children,
}: {
  readonly cases: readonly [Case, ...Case[]];
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  readonly onMark: (marked: boolean) => void;
  readonly children: ReactNode;
}) {
  const [asked, ask] = useState<boolean | null>(null);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    ask(null);
  }
  const shown = asked ?? isOpen;
  const rows = useId();
  const [first] = cases;
  const name = inWrittenOrder(first.debt.debtorName);
  return (
    <li className={styles['person']}>
      <div className={styles['row']}>
        {may('work') && (
          <label className={styles['mark']}>
            <input type="checkbox" checked={isMarked} onChange={(event) => onMark(event.currentTarget.checked)} />
            <span className="visually-hidden">{INBOX.markPerson(name)}</span>
          </label>
        )}
        <button
          type="button"
          className={styles['personHead']}
          aria-expanded={shown}
          aria-controls={shown ? rows : undefined}
          onClick={() => ask(!shown)}
        >
          <span className={styles['who']}>
            <bdi className={styles['name']}>{name}</bdi>
            <Icon name={shown ? 'up' : 'down'} />
          </span>
          <span className={styles['why']}>
            {`${INBOX.casesOfPerson(cases.length)} · ${INBOX_REASON[first.reasons[0]?.reason ?? 'human']}`}
          </span>
        </button>
      </div>
      {shown && (
        <ul id={rows} className={styles['rows']} aria-label={INBOX.casesOf(name)}>
          {children}
        </ul>
      )}
    </li>
  );
}

/** The cases in the order in which they should be taken. */
export function QueuePane({
  cases,
  added,
  openId,
  marked,
  hrefOf,
  onMark,
  onShowFresh,
  more,
}: {
  readonly cases: readonly Case[];
  readonly added: number;
  readonly openId: string | undefined;
  readonly marked: ReadonlySet<string>;
  readonly hrefOf: (id: string) => string;
  readonly onMark: (ids: readonly string[], marked: boolean) => void;
  readonly onShowFresh: () => void;
  readonly more: { readonly busy: boolean; readonly load: () => void } | null;
}) {
  const now = useNow();
  const waiting = cases.filter(({ solved }) => !solved).map(({ id }) => id);
  const row = (one: Case, ofGroup = false) => (
    <Row
      key={one.id}
      one={one}
      href={hrefOf(one.id)}
      isOpen={one.id === openId}
      isMarked={marked.has(one.id)}
      ofGroup={ofGroup}
      now={now}
      onMark={(isMarked) => onMark([one.id], isMarked)}
    />
  );
  return (
    <>
      <div className={styles['queueHead']}>
        {may('work') && (
          <label className={styles['markAll']}>
            <input
              type="checkbox"
              checked={waiting.length > 0 && waiting.every((id) => marked.has(id))}
              disabled={waiting.length === 0}
              onChange={(event) => onMark(waiting, event.currentTarget.checked)}
            />
            <span>{INBOX.markAll}</span>
          </label>
        )}
        {added > 0 && (
          <p className={styles['fresh']} role="status">
            <span>{INBOX.fresh(added)}</span>
            <Button small icon="refresh" onClick={onShowFresh}>
              {INBOX.showFresh}
            </Button>
          </p>
        )}
      </div>
      <ul className={styles['rows']}>
        {personsOf(cases).map((group) =>
          group.length === 1 ? (
            row(group[0])
          ) : (
            <Person
              key={group[0].personKey}
              cases={group}
              isOpen={group.some(({ id }) => id === openId)}
              isMarked={group.every(({ id, solved }) => solved || marked.has(id))}
              onMark={(isMarked) =>
                onMark(
                  group.filter(({ solved }) => !solved).map(({ id }) => id),
                  isMarked,
                )
              }
            >
              {group.map((one) => row(one, true))}
            </Person>
          ),
        )}
      </ul>
      {more !== null && (
        <p className={styles['more']}>
          <Button busy={more.busy} onClick={more.load}>
            {INBOX.more}
          </Button>
        </p>
      )}
    </>
  );
}
