import { useMemo } from 'react';
import type { GetDebtResult } from '../../api/client.ts';
import { DEBT } from '../../texts/debt.ts';
import { entriesOf, type Topic } from '../../timeline/entries.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import type { PlaceOfDebtor } from '../../timeline/zone.ts';
import { Chips } from '../../ui/chips.tsx';
import { Panel } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import styles from './debt.module.css';

const VIEWS = [
  { key: '', label: DEBT.all, topics: ['talk', 'decision', 'money', 'work'] },
  { key: 'conversa', label: DEBT.talk, topics: ['talk'] },
  { key: 'decisoes', label: DEBT.decision, topics: ['decision'] },
  { key: 'dinheiro', label: DEBT.money, topics: ['money'] },
] as const satisfies readonly { key: string; label: string; topics: readonly Topic[] }[];

type View = (typeof VIEWS)[number]['key'];

/** Everything that happened to a debt, in order, and what of it is asked for. */
export function History({ debt, place }: { readonly debt: GetDebtResult; readonly place: PlaceOfDebtor }) {
  const [{ ver }, change] = useFilters(['ver']);
  const view = VIEWS.find(({ key }) => key === ver) ?? VIEWS[0];
  const entries = useMemo(() => entriesOf(debt.timeline), [debt.timeline]);
  const shown = entries.filter(({ topic }) => (view.topics as readonly Topic[]).includes(topic));
  return (
    <Panel title={DEBT.history}>
      <div className={styles['views']}>
        <Chips<View> label={DEBT.views} options={VIEWS} chosen={view.key} onChoose={(key) => change({ ver: key })} />
      </div>
      {shown.length === 0 ? <p>{DEBT.viewEmpty}</p> : <Timeline entries={shown} place={place} debtId={debt.id} />}
    </Panel>
  );
}
