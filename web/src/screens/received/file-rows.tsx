import { useState } from 'react';
import { Link } from 'wouter';
import type { SettlementFileResult } from '../../api/client.ts';
import { formatCount, formatDate, formatMoney } from '../../format.ts';
import { RECEIVED } from '../../texts/received.ts';
import type { Tone } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Figures } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './received.module.css';

type Item = SettlementFileResult['items'][number];
type State = Item['state'];

const TONE: Readonly<Record<State, Tone>> = {
  settled: 'paid',
  matched: 'paid',
  ambiguous: 'waiting',
  unmatched: 'waiting',
  known: 'ended',
  invalid: 'danger',
};

const COLUMNS: readonly Column<Item>[] = [
  { key: 'row', label: RECEIVED.row, numeric: true, cell: ({ row }) => formatCount(row) },
  {
    key: 'state',
    label: RECEIVED.state,
    wide: true,
    cell: ({ state, code }) => (
      <>
        <Badge tone={TONE[state]} label={RECEIVED.states[state]} />
        {code !== null && ` ${RECEIVED.codeOf(code)}`}
      </>
    ),
  },
  { key: 'invoice', label: RECEIVED.invoice, cell: ({ invoiceId }) => <bdi>{invoiceId ?? '–'}</bdi> },
  {
    key: 'amount',
    label: RECEIVED.amount,
    numeric: true,
    cell: ({ amount }) => (amount === null ? '–' : formatMoney(amount)),
  },
  {
    key: 'paidAt',
    label: RECEIVED.paidAt,
    short: true,
    cell: ({ paidAt }) => (paidAt === null ? '–' : formatDate(paidAt)),
  },
  {
    key: 'debt',
    label: RECEIVED.debt,
    cell: ({ debtId, row }) =>
      debtId === null ? (
        '–'
      ) : (
        <Link to={`/dividas/${debtId}`}>
          {RECEIVED.openDebt}
          <span className="visually-hidden">{RECEIVED.openDebtOf(row)}</span>
        </Link>
      ),
  },
];

/** Drawing more at once makes a cheap machine stutter. */
const MOST = 100;

/** The figures of a file, and its rows by what becomes of them. */
export function FileRows({ result }: { readonly result: SettlementFileResult }) {
  const [chosen, choose] = useState<State | 'all'>('all');
  const [most, setMost] = useState(MOST);
  const { items, matched, ambiguous, unmatched } = result;
  const count = (state: State): number => items.filter((item) => item.state === state).length;
  const states = (Object.keys(TONE) as State[]).filter((state) => count(state) > 0);
  const shown = items.filter(({ state }) => chosen === 'all' || state === chosen);
  return (
    <>
      <Figures
        items={[
          { label: RECEIVED.figures.matched, value: formatCount(matched), note: formatMoney(result.amount) },
          { label: RECEIVED.figures.ambiguous, value: formatCount(ambiguous) },
          { label: RECEIVED.figures.unmatched, value: formatCount(unmatched) },
          { label: RECEIVED.figures.known, value: formatCount(count('known')) },
          { label: RECEIVED.figures.invalid, value: formatCount(count('invalid')) },
        ]}
      />
      {states.length > 1 && (
        <Chips<State | 'all'>
          label={RECEIVED.filter}
          options={[
            { key: 'all', label: RECEIVED.states.all, count: items.length },
            ...states.map((state) => ({ key: state, label: RECEIVED.states[state], count: count(state) })),
          ]}
          chosen={chosen}
          onChoose={(key) => {
            choose(key);
            setMost(MOST);
          }}
        />
      )}
      {shown.length > 0 && (
        <Table
          caption={RECEIVED.rows}
          columns={COLUMNS}
          rows={shown.slice(0, most)}
          rowKey={(item) => String(items.indexOf(item))}
        />
      )}
      {shown.length > most && (
        <div className={styles['buttons']}>
          <Button small onClick={() => setMost(most + MOST)}>
            {RECEIVED.more(Math.min(MOST, shown.length - most))}
          </Button>
        </div>
      )}
    </>
  );
}
