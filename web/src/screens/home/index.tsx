import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { GetDashboardResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatMoney, formatPercent } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { HOME } from '../../texts/home.ts';
import { STATUS_GROUPS } from '../../texts/words.ts';
import { AgingBars } from '../../ui/charts/aging-bars.tsx';
import { RecoveredChart } from '../../ui/charts/recovered-chart.tsx';
import { StatusBar } from '../../ui/charts/status-bar.tsx';
import { Figures, Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import { FirstRun } from './first-run.tsx';
import styles from './home.module.css';
import { LivePanel } from './live-panel.tsx';

export default function Home() {
  const dashboard = useQuery({ queryKey: ['dashboard'], queryFn: () => quita.getDashboard() });
  const runs = (dashboard.data?.debts.byStatus.IN_COLLECTION ?? 0) + (dashboard.data?.debts.byStatus.QUEUED ?? 0) > 0;
  const events = useLive(runs ? PACE.running : PACE.still);
  if (dashboard.data === undefined && dashboard.error === null) {
    return (
      <>
        <PageHeader title={HOME.title} />
        <Loaded query={dashboard} lines={8}>
          {() => null}
        </Loaded>
      </>
    );
  }
  return (
    <Loaded query={dashboard}>
      {(data) =>
        data.debts.total === 0 ? (
          <FirstRun />
        ) : (
          <>
            <PageHeader title={HOME.title}>{HOME.zone}</PageHeader>
            <Totals data={data} />
            <div className={styles['columns']}>
              <Panel title={HOME.daily}>
                <RecoveredChart days={data.daily} method={HOME.dailyMethod} />
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
        )
      }
    </Loaded>
  );
}

function Totals({ data }: { readonly data: GetDashboardResult }) {
  const { amount, recoveryRate, waiting, promises } = data;
  return (
    <Figures
      items={[
        { label: HOME.recovered, value: formatMoney(amount.recovered), note: HOME.ofTotal(formatMoney(amount.total)) },
        { label: HOME.rate, value: formatPercent(recoveryRate), note: HOME.rateNote },
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
