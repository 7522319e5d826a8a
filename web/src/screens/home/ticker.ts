import type { Event } from '../../api/client.ts';

export type TickerKind =
  | 'paid'
  | 'disputed'
  | 'optedOut'
  | 'promised'
  | 'held'
  | 'wrote'
  | 'duplicate'
  | 'refunded'
  | 'receipt'
  | 'exhausted'
  | 'contacted'
  | 'imported'
  | 'campaign';

export interface TickerLine {
  readonly id: string;
  readonly kind: TickerKind;
  readonly at: string;
  readonly debtId: string | null;
  readonly campaignId: string | null;
  /** How many events of this kind the line gathers. */
  readonly count: number;
  readonly amount: number | null;
  readonly status: string | null;
  /** The clock of a simulated debtor runs on its own, so its time would only confuse. */
  readonly simulated: boolean;
}

const OF_STATUS: Readonly<Record<string, TickerKind>> = {
  DISPUTED: 'disputed',
  OPTED_OUT: 'optedOut',
  PROMISED: 'promised',
  ON_HOLD: 'held',
  EXHAUSTED: 'exhausted',
};

const OF_TYPE: Readonly<Record<string, TickerKind>> = {
  'debt.imported': 'imported',
  'debt.contacted': 'contacted',
  'debt.message_received': 'wrote',
  'payment.approved': 'paid',
  'payment.duplicate': 'duplicate',
  'payment.refunded': 'refunded',
  'receipt.issued': 'receipt',
  'campaign.status_changed': 'campaign',
};

/** What happens to many debts at once is one line. */
const GATHERED: ReadonlySet<TickerKind> = new Set(['contacted', 'imported']);

const kindOf = ({ type, data }: Event): TickerKind | undefined =>
  type === 'debt.status_changed' ? OF_STATUS[data.status] : OF_TYPE[type];

/** The lines of the ticker, from events of which the newest comes first. */
export function tickerLines(events: readonly Event[], most: number): TickerLine[] {
  const lines: TickerLine[] = [];
  for (const event of events) {
    const kind = kindOf(event);
    if (kind === undefined) continue;
    const last = lines.at(-1);
    if (last?.kind === kind && GATHERED.has(kind)) {
      lines[lines.length - 1] = { ...last, count: last.count + 1 };
      continue;
    }
    if (lines.length === most) break;
    const { id, at, debtId, campaignId, data } = event;
    lines.push({
      id,
      kind,
      at,
      debtId,
      campaignId,
      count: 1,
      amount: 'amount' in data ? data.amount : null,
      status: 'status' in data ? data.status : null,
      simulated: data.sandbox,
    });
  }
  return lines;
}
