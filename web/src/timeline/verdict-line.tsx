import { Link } from 'wouter';
import { formatMoment, formatTime } from '../format.ts';
import { TIMELINE } from '../texts/timeline.ts';
import { RULE, wordOf } from '../texts/words.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import type { VerdictEntry } from './entries.ts';
import styles from './timeline.module.css';

const summaryOf = ({ allowed, rules, ruleIds = [] }: VerdictEntry): string =>
  allowed
    ? TIMELINE.allowed(ruleIds.length || rules.length)
    : rules.length === 0
      ? TIMELINE.blockedPlain
      : TIMELINE.blocked(rules);

/** What the contact policy said, in one line that opens to the rules behind it. */
export function VerdictLine({ entry, zone }: { readonly entry: VerdictEntry; readonly zone: string }) {
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
        <Link to="/regras">{TIMELINE.seeRules}</Link>
      </p>
    </details>
  );
}
