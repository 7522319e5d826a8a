import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { Event, GetDashboardResult } from '../../api/client.ts';
import { formatCount, formatMoney, formatPercent } from '../../format.ts';
import { HOME } from '../../texts/home.ts';
import { STATUS_GROUPS } from '../../texts/words.ts';
import { AgingBars } from '../../ui/charts/aging-bars.tsx';
import { StatusBar } from '../../ui/charts/status-bar.tsx';
import { Figures, Panel } from '../../ui/page.tsx';
import styles from './home.module.css';
import { LivePanel } from './live-panel.tsx';

/** Only this chart needs scales and paths, which are most of its file. */
const RecoveredChart = lazy(async () => ({
  default: (await import('../../ui/charts/recovered-chart.tsx')).RecoveredChart,
}));

/** The figures, charts and news of a company that has debts here. */
export default function Overview({
  data,
  events,
}: {
  readonly data: GetDashboardResult;
  readonly events: readonly Event[];
}) {
  return (
    <>
      <Totals data={data} />
      <div className={styles['columns']}>
        <Panel title={HOME.daily}>
          <Suspense fallback={<div className={styles['chart']} />}>
            <RecoveredChart days={data.daily} method={HOME.dailyMethod} />
          </Suspense>
        </Panel>
        <LivePanel events={events} />
      </div>
      <Panel title={HOME.statuses}>
        <StatusBar
          parts={STATUS_GROUPS.map(({ key, label, tone, statuses }) => ({
            key,
            label,
            tone,
            count: statuses.reduce((sum, status) => sum + data.debts.byStatus[status], 0),
          }))}
          href={(key) => `/dividas?grupo=${key}`}
          method={HOME.statusMethod}
        />
      </Panel>
      <Panel title={HOME.aging}>
        <AgingBars
          bands={data.aging.map(({ fromDays, toDays, debts, amount }) => ({
            label: HOME.band(fromDays, toDays),
            debts,
            amount,
          }))}
          method={HOME.agingMethod}
        />
      </Panel>
    </>
  );
}

function Totals({ data }: { readonly data: GetDashboardResult }) {
  const { amount, open, recoveryRate, waiting, promises } = data;
  const { outsideSequence } = open;
  return (
    <Figures
      items={[
        {
          label: HOME.recovered,
          value: formatMoney(amount.recovered),
          note: HOME.ofTotal(formatPercent(recoveryRate), formatMoney(amount.total)),
        },
        {
          label: HOME.open,
          value: formatMoney(open.amount),
          note:
            outsideSequence.debts === 0 ? (
              HOME.openNote(open.debts)
            ) : (
              <>
                {`${HOME.openNote(open.debts)}, `}
                <Link to="/dividas?situacao=OPTED_OUT,EXHAUSTED,UNREACHABLE">
                  {HOME.outsideSequence(outsideSequence.debts, formatMoney(outsideSequence.amount))}
                </Link>
              </>
            ),
        },
        {
          label: HOME.waiting,
          value: formatCount(waiting),
          note: waiting === 0 ? HOME.waitingNone : <Link to="/atendimento">{HOME.waitingLink}</Link>,
        },
        {
          label: HOME.promises,
          value: HOME.promisesValue(promises.open),
          note: HOME.promisesNote(promises.kept, promises.broken),
        },
      ]}
    />
  );
}
