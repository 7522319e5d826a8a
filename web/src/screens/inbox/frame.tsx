import { may } from '../../session/may.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { INBOX_REASON, type InboxReason } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Empty } from '../../ui/page.tsx';
import { useShortcutsOn } from '../../use-shortcuts.ts';
import styles from './inbox.module.css';
import type { Queue, View, Whose } from './use-queue.ts';

/** The views of the queue and the reasons in it, with their counts. */
export function Filters({
  view,
  reason,
  whose,
  counts,
  onChange,
}: {
  readonly view: View;
  readonly reason: InboxReason | '';
  readonly whose: Whose;
  readonly counts: Queue['counts'];
  readonly onChange: (view: View, reason: InboxReason | '', whose: Whose) => void;
}) {
  const reasons = (Object.keys(INBOX_REASON) as InboxReason[]).filter(
    (one) => one === reason || (counts?.[one] ?? 0) > 0,
  );
  // The counts also have the sums over all reasons of two views.
  const total = (Object.keys(INBOX_REASON) as InboxReason[]).reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
  return (
    <div className={styles['filters']}>
      <Chips
        label={INBOX.views}
        options={[
          { key: 'open', label: INBOX.open },
          { key: 'waiting', label: INBOX.waiting },
          { key: 'snoozed', label: INBOX.snoozed },
        ]}
        chosen={view}
        onChoose={(next) => onChange(next, '', whose)}
      />
      {may('work') && (
        <label className={styles['reason']}>
          <span>{INBOX.whose}</span>
          <select value={whose} onChange={(event) => onChange(view, '', event.target.value as Whose)}>
            <option value="">{INBOX.everybodys}</option>
            <option value="me">{INBOX.mine}</option>
            <option value="none">{INBOX.nobodys}</option>
          </select>
        </label>
      )}
      {reasons.length > 0 && (
        <label className={styles['reason']}>
          <span>{INBOX.reasons}</span>
          <select value={reason} onChange={(event) => onChange(view, event.target.value as InboxReason | '', whose)}>
            <option value="">{INBOX.reasonWithCount(INBOX.all, total)}</option>
            {reasons.map((one) => (
              <option key={one} value={one}>
                {INBOX.reasonWithCount(INBOX_REASON[one], counts?.[one] ?? 0)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** Why the queue is empty: nothing waits, nothing of this filter, no answer of a debtor is awaited, or nothing is snoozed. */
export function EmptyQueue({
  view,
  reason,
  whose,
  onClear,
}: {
  readonly view: View;
  readonly reason: InboxReason | '';
  readonly whose: Whose;
  readonly onClear: () => void;
}) {
  if (reason !== '' || whose !== '') {
    return (
      <Empty
        icon="search"
        title={reason !== '' ? INBOX.emptyReason : whose === 'me' ? INBOX.emptyMine : INBOX.emptyNobodys}
        action={<Button onClick={onClear}>{COMMON.clearFilters}</Button>}
      />
    );
  }
  if (view === 'waiting') {
    return (
      <Empty icon="check" title={INBOX.emptyWaiting} action={<Button onClick={onClear}>{INBOX.showOpen}</Button>}>
        {INBOX.emptyWaitingText}
      </Empty>
    );
  }
  if (view === 'snoozed') {
    return (
      <Empty icon="snooze" title={INBOX.emptySnoozed} action={<Button onClick={onClear}>{INBOX.showOpen}</Button>}>
        {INBOX.emptySnoozedText}
      </Empty>
    );
  }
  return (
    <Empty icon="check" title={INBOX.emptyTitle}>
      {INBOX.emptyText}
    </Empty>
  );
}

/** The keys of the screen, while they are on. */
export function Keys({ onHelp }: { readonly onHelp: () => void }) {
  if (!useShortcutsOn()) return null;
  return (
    <footer className={styles['footer']}>
      <ul aria-label={INBOX.keys}>
        {INBOX.keyList.slice(0, -1).map(([key, meaning]) => (
          <li key={key}>
            <kbd>{key}</kbd> {meaning}
          </li>
        ))}
      </ul>
      <Button small kind="quiet" onClick={onHelp}>
        <kbd>{'?'}</kbd> {INBOX.help}
      </Button>
    </footer>
  );
}
