import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Event } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoney, formatTime } from '../../format.ts';
import { HOME } from '../../texts/home.ts';
import { CAMPAIGN_STATUS, type CampaignStatus } from '../../texts/words.ts';
import { Panel } from '../../ui/page.tsx';
import styles from './home.module.css';
import { type TickerLine, tickerLines } from './ticker.ts';

const LINES = 8;

/** What has just happened, the newest first. */
export function LivePanel({ events }: { readonly events: readonly Event[] }) {
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
