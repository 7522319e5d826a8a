import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatDate, formatDay, formatMoment, formatTime } from '../format.ts';
import { may } from '../session/may.ts';
import { TIMELINE } from '../texts/timeline-texts.ts';
import { RULE, wordOf } from '../texts/words.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { actorOf, byDay, type Entry, type StepEntry, saidOf, signed, type VerdictEntry } from './entries.ts';
import { MessageBubble, PlainText } from './message-bubble.tsx';
import styles from './timeline.module.css';
import type { PlaceOfDebtor } from './zone.ts';

const summaryOf = ({ allowed, rules, ruleIds = [] }: VerdictEntry): string =>
  allowed
    ? TIMELINE.allowed(ruleIds.length || rules.length)
    : rules.length === 0
      ? TIMELINE.blockedPlain
      : TIMELINE.blocked(rules);

/** What the contact policy said, in one line that opens to the rules behind it. */
function VerdictLine({ entry, zone }: { readonly entry: VerdictEntry; readonly zone: string }) {
  const { allowed, rules, ruleIds = [], notBefore, pack, at } = entry;
  return (
    <details className={classNames(styles['verdict'], !allowed && styles['blocked'])}>
      <summary>
        <Icon name={allowed ? 'check' : 'stop'} size={16} />
        <span>{summaryOf(entry)}</span>
        <time dateTime={at}>{formatTime(at, zone)}</time>
      </summary>
      {notBefore !== null && <p>{TIMELINE.notBefore(formatMoment(notBefore, zone))}</p>}
      <p>{TIMELINE.ruleIds}</p>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>{wordOf(RULE, rule)}</li>
        ))}
      </ul>
      {ruleIds.length > 0 && (
        <p className={styles['ids']}>
          <code>{ruleIds.join(' ')}</code>
        </p>
      )}
      <p>
        {pack !== undefined && `${TIMELINE.pack(pack.id, pack.version, pack.ownVersion ?? null)} `}
        {may('review') && <Link to="/regras">{TIMELINE.seeRules}</Link>}
      </p>
    </details>
  );
}

interface LineProps {
  readonly debtId: string;
  readonly zone: string;
  /** What a screen adds to a step, such as the buttons of a receipt. */
  readonly stepActions?: ((entry: StepEntry) => ReactNode) | undefined;
}

function Line({ entry, debtId, zone, stepActions }: LineProps & { readonly entry: Entry }) {
  const time = <time dateTime={entry.at}>{signed(actorOf(entry), formatTime(entry.at, zone))}</time>;
  switch (entry.kind) {
    case 'message_sent':
    case 'message_received':
      return <MessageBubble entry={entry} debtId={debtId} zone={zone} />;
    case 'verdict':
      return <VerdictLine entry={entry} zone={zone} />;
    case 'note':
      return (
        <div className={styles['note']}>
          <p className={styles['head']}>
            <Icon name="note" size={16} />
            <strong>{TIMELINE.note}</strong>
            {time}
          </p>
          {entry.text === '' ? <p className={styles['quiet']}>{TIMELINE.erased}</p> : <PlainText text={entry.text} />}
        </div>
      );
    default: {
      const { icon, text, detail = null } = saidOf(entry);
      return (
        <div className={styles['step']}>
          <Icon name={icon} size={16} />
          <span>
            {text}
            {detail !== null && <span className={styles['detail']}>{detail}</span>}
          </span>
          {time}
          {stepActions?.(entry)}
        </div>
      );
    }
  }
}

/** The entries of a debt, day by day, at the place and by the clock of the debtor. */
export function Timeline({
  entries,
  place: { zone, place },
  ...line
}: { readonly entries: readonly Entry[]; readonly place: PlaceOfDebtor } & Omit<LineProps, 'zone'>) {
  if (entries.length === 0) return <p className={styles['quiet']}>{TIMELINE.empty}</p>;
  return (
    <>
      <p className={styles['quiet']}>{TIMELINE.zone(place)}</p>
      <ol className={styles['days']} aria-label={TIMELINE.label}>
        {byDay(entries, (at) => formatDate(at, zone)).map(({ day, entries: ofDay }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Days are only added at the end.
          <li key={index}>
            <p className={styles['day']}>
              <time dateTime={ofDay[0]!.at} title={day}>
                {formatDay(ofDay[0]!.at, zone)}
              </time>
            </p>
            <ol className={styles['entries']}>
              {ofDay.map((entry) => (
                <li key={entry.key}>
                  <Line entry={entry} zone={zone} {...line} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </>
  );
}
