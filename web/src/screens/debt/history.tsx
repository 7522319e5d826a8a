import { type ReactNode, useMemo, useState } from 'react';
import type { GetDebtResult } from '../../api/client.ts';
import { formatMoment } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { entriesOf, type StepEntry, type Topic, topicOf } from '../../timeline/entries.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import { useTimeline } from '../../timeline/use-timeline.ts';
import type { PlaceOfDebtor } from '../../timeline/zone.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import styles from './debt.module.css';

const VIEWS = [
  { key: '', label: DEBT.all, topics: ['talk', 'decision', 'money', 'work'] },
  { key: 'conversa', label: DEBT.talk, topics: ['talk'] },
  { key: 'decisoes', label: DEBT.decision, topics: ['decision'] },
  { key: 'dinheiro', label: DEBT.money, topics: ['money'] },
] as const satisfies readonly { key: string; label: string; topics: readonly Topic[] }[];

type View = (typeof VIEWS)[number]['key'];

/** Drawing more at once makes a cheap phone stutter; few debts have so many. */
const NEWEST = 200;

/** Everything that happened to a debt, in order, and what of it is asked for. */
export function History({
  debt,
  place,
  isTest,
  stepActions,
}: {
  readonly debt: GetDebtResult;
  readonly place: PlaceOfDebtor;
  readonly isTest: boolean;
  readonly stepActions: (entry: StepEntry) => ReactNode;
}) {
  const [{ ver }, change] = useFilters(['ver']);
  const [most, setMost] = useState(NEWEST);
  const view = VIEWS.find(({ key }) => key === ver) ?? VIEWS[0];
  const { timeline, hasOlder, isReading, readOlder } = useTimeline(debt);
  const entries = useMemo(() => entriesOf(timeline), [timeline]);
  const ofView = entries.filter((entry) => (view.topics as readonly Topic[]).includes(topicOf(entry)));
  const older = Math.max(0, ofView.length - most);
  const shown = ofView.slice(older);
  const last = entries.at(-1);
  return (
    <Panel title={DEBT.history}>
      {isTest && last !== undefined && (
        <Note tone="test">{DEBT.simulatorClock(formatMoment(last.at, place.zone))}</Note>
      )}
      <div className={styles['views']}>
        <Chips<View> label={DEBT.views} options={VIEWS} chosen={view.key} onChoose={(key) => change({ ver: key })} />
      </div>
      {(older > 0 || hasOlder) && (
        <p className={styles['older']}>
          <Button
            small
            busy={isReading}
            onClick={() => {
              if (older < NEWEST && hasOlder) readOlder();
              setMost(most + NEWEST);
              announce(DEBT.olderShown);
            }}
          >
            {older > 0 ? DEBT.older(older) : DEBT.olderUnread}
          </Button>
        </p>
      )}
      {shown.length === 0 ? (
        <p>{DEBT.viewEmpty}</p>
      ) : (
        <Timeline entries={shown} place={place} debtId={debt.id} stepActions={stepActions} />
      )}
    </Panel>
  );
}
