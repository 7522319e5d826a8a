import { Link } from 'wouter';
import type { Event, GetDashboardResult } from '../../api/client.ts';
import { formatCount, formatMoney, formatPercent } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { useDashboard, useSandboxOnly } from '../../shell/use-dashboard.ts';
import { HOME } from '../../texts/home.ts';
import { STATUS_GROUPS } from '../../texts/words.ts';
import { AgingBars } from '../../ui/charts/aging-bars.tsx';
import { RecoveredChart } from '../../ui/charts/recovered-chart.tsx';
import { StatusBar } from '../../ui/charts/status-bar.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Figures, Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { FirstRun } from './first-run.tsx';
import styles from './home.module.css';
import { LivePanel } from './live-panel.tsx';

export default function Home() {
  const sandboxOnly = useSandboxOnly();
  const [{ teste }, changeFilters] = useFilters(['teste']);
  const real = useDashboard(sandboxOnly === false ? false : undefined);
  const test = useDashboard(sandboxOnly === undefined ? undefined : true);
  const shown = sandboxOnly === true || teste === 'sim' ? test : real;
  const isEmpty = (test.data?.debts.total ?? 0) + (real.data?.debts.total ?? 0) === 0;
  const { IN_COLLECTION = 0, QUEUED = 0 } = shown.data?.debts.byStatus ?? {};
  const events = useLive(IN_COLLECTION + QUEUED > 0 ? PACE.running : PACE.still);
  const isKnown = test.data !== undefined && (sandboxOnly === true || real.data !== undefined);
  if (isKnown && isEmpty) return <FirstRun />;
  return (
    <>
      <PageHeader
        title={HOME.title}
        actions={
          sandboxOnly === false &&
          (test.data?.debts.total ?? 0) > 0 && (
            <Chips
              label={HOME.world}
              options={[
                { key: '', label: HOME.real },
                { key: 'sim', label: HOME.test },
              ]}
              chosen={teste === 'sim' ? 'sim' : ''}
              onChoose={(key) => changeFilters({ teste: key })}
            />
          )
        }
      >
        {HOME.zone}
      </PageHeader>
      <Loaded query={shown} lines={10}>
        {(data) => <Overview data={data} events={events} />}
      </Loaded>
    </>
  );
}

function Overview({ data, events }: { readonly data: GetDashboardResult; readonly events: readonly Event[] }) {
  return (
    <>
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
