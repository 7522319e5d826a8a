import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { Event, GetDashboardResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatMoney, formatPercent, formatTime } from '../../format.ts';
import { withParts } from '../../texts/components.ts';
import { HOME } from '../../texts/home.ts';
import { CAMPAIGN_STATUS, type CampaignStatus, STATUS_GROUPS } from '../../texts/words.ts';
import { agingBands } from '../../ui/charts/aging.ts';
import { AgingBars } from '../../ui/charts/aging-bars.tsx';
import { StatusBar } from '../../ui/charts/status-bar.tsx';
import { Figures, Panel } from '../../ui/page.tsx';
import { AgreementsPanel } from '../recovery-figures/agreements-panel.tsx';
import { ChargesPanel } from '../recovery-figures/charges-panel.tsx';
import styles from './home.module.css';
import { type TickerLine, tickerLines } from './ticker.ts';

const LINES = 8;

/** What has just happened, the newest first. */
function LivePanel({ events }: { readonly events: readonly Event[] }) {
  const lines = tickerLines(events, LINES);
  const names = useNames(lines);
  return (
    <Panel title={HOME.live}>
      {lines.length === 0 ? (
        <p className={styles['muted']}>{HOME.liveEmpty}</p>
      ) : (
        <ol className={styles['ticker']}>
          {lines.map((line) => (
            <li key={line.id}>
              {!line.simulated && <time dateTime={line.at}>{formatTime(line.at)}</time>}
              <TickerText line={line} names={names} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

type Names = ReadonlyMap<string, string>;

/** The feed has ids alone, so the names of the few shown debts and campaigns are asked for once. */
function useNames(lines: readonly TickerLine[]): Names {
  const debts = new Set(lines.filter(({ count }) => count === 1).flatMap(({ debtId }) => debtId ?? []));
  const campaigns = new Set(lines.flatMap(({ kind, campaignId }) => (kind === 'campaign' ? (campaignId ?? []) : [])));
  const debtNames = useQueries({
    queries: [...debts].map((id) => ({
      queryKey: ['name', id],
      queryFn: async () => [id, firstNames((await quita.getDebt({ path: { id } })).debtorName)] as const,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const campaignNames = useQueries({
    queries: [...campaigns].map((id) => ({
      queryKey: ['name', id],
      queryFn: async () => [id, (await quita.getCampaign({ path: { id } })).name] as const,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  return new Map([...debtNames, ...campaignNames].flatMap(({ data }) => (data === undefined ? [] : [data])));
}

/** `Ana S.`: enough to know who it is, on a screen that others may see. */
const firstNames = (name: string): string => {
  const [first = '', ...rest] = name.split(' ');
  const initial = rest.at(-1)?.at(0);
  return initial === undefined ? first : `${first} ${initial}.`;
};

function TickerText({ line, names }: { readonly line: TickerLine; readonly names: Names }) {
  const { kind, count, debtId, campaignId, amount, status } = line;
  if (kind === 'contacted' || kind === 'imported') return <span>{HOME.ticker[kind](count)}</span>;
  if (kind === 'campaign') {
    const word = CAMPAIGN_STATUS[status as CampaignStatus]?.label ?? status ?? '';
    const text = HOME.ticker.campaign(names.get(campaignId ?? '') ?? '', word);
    return <Link to={`/campanhas/${campaignId}`}>{text}</Link>;
  }
  const name = names.get(debtId ?? '') ?? HOME.ticker.somebody;
  const text = kind === 'paid' ? HOME.ticker.paid(name, formatMoney(amount ?? 0)) : HOME.ticker[kind](name);
  return <Link to={`/dividas/${debtId}`}>{text}</Link>;
}

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
        <AgingBars bands={agingBands(data.aging)} method={HOME.agingMethod} />
      </Panel>
      <AgreementsPanel agreements={data.agreements} />
      <ChargesPanel charged={data.charged} recoveredBy={data.recoveredBy} />
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
          note: withParts(HOME.ofTotal(formatPercent(recoveryRate), formatMoney(amount.total)), data),
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
