import { useQuery } from '@tanstack/react-query';
import type { GetSettlementsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatMoney, formatPlainDate } from '../../format.ts';
import { mayReadFiles } from '../../session/may.ts';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { RECEIPTS } from '../../texts/receipts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { saveFile } from '../../ui/download.ts';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useFilters } from '../../use-filters.ts';
import { monthOf } from './month.ts';
import styles from './receipts.module.css';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv';

type Row = GetSettlementsResult['totals'] & { readonly date: string };

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'day',
    label: RECEIPTS.day,
    cell: ({ date }) => (date === '' ? <strong>{RECEIPTS.total}</strong> : formatPlainDate(date)),
  },
  { key: 'payments', label: RECEIPTS.payments, numeric: true, cell: ({ payments }) => formatCount(payments) },
  { key: 'amount', label: RECEIPTS.received, numeric: true, cell: ({ amount }) => formatMoney(amount) },
  { key: 'refunds', label: RECEIPTS.refunds, numeric: true, cell: ({ refunds }) => formatCount(refunds) },
  { key: 'refunded', label: RECEIPTS.refunded, numeric: true, cell: ({ refunded }) => formatMoney(refunded) },
  { key: 'receipts', label: RECEIPTS.receipts, numeric: true, cell: ({ receipts }) => formatCount(receipts) },
];

/** What came in day by day, for the accountant. */
export default function Settlements() {
  const sandboxOnly = useSandboxOnly();
  const [filters, change] = useFilters(['inicio', 'fim', 'teste']);
  const month = monthOf(new Date());
  const period = { from: filters.inicio || month.from, to: filters.fim || month.to };
  const isTest = sandboxOnly === true || filters.teste === 'sim';
  const query = { ...period, sandbox: isTest ? 'true' : 'false' } as const;
  const report = useQuery({
    queryKey: ['receipts', 'settlements', query],
    queryFn: () => quita.getSettlements({ query }),
    enabled: sandboxOnly !== undefined,
  });
  return (
    <Panel title={RECEIPTS.settlements} actions={mayReadFiles() && <Downloads query={query} />}>
      {sandboxOnly === false && (
        <Chips
          label={RECEIPTS.world}
          options={[
            { key: '', label: RECEIPTS.real },
            { key: 'sim', label: RECEIPTS.test },
          ]}
          chosen={isTest ? 'sim' : ''}
          onChoose={(key) => change({ teste: key })}
        />
      )}
      <div className={styles['filters']}>
        <DayField label={RECEIPTS.periodFrom} required value={period.from} onDay={(day) => change({ inicio: day })} />
        <DayField label={RECEIPTS.periodTo} required value={period.to} onDay={(day) => change({ fim: day })} />
      </div>
      <Loaded query={report} lines={8}>
        {({ days, totals }) => {
          const filled = days.filter(({ payments, refunds, receipts }) => payments + refunds + receipts > 0);
          return (
            <>
              {filled.length === 0 ? (
                <p>{RECEIPTS.settlementsNone}</p>
              ) : (
                <Table
                  caption={RECEIPTS.settlementsCaption}
                  columns={COLUMNS}
                  rows={[...filled, { ...totals, date: '' }]}
                  rowKey={({ date }) => date}
                />
              )}
              <p className={styles['muted']}>{RECEIPTS.settlementsHow}</p>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Downloads({
  query,
}: {
  readonly query: { readonly from: string; readonly to: string; readonly sandbox: 'true' | 'false' };
}) {
  const download = async (type: string, ending: string): Promise<void> => {
    // The generated client takes the answer for JSON unless it is told otherwise.
    const file: unknown = await quita.getSettlements({ query }, { headers: { accept: type }, parseAs: 'blob' });
    saveFile(file as Blob, `recebimentos-${query.from}-${query.to}.${ending}`);
    announce(RECEIPTS.downloaded);
  };
  const csv = useSubmit(() => download(CSV, 'csv'));
  const xlsx = useSubmit(() => download(XLSX, 'xlsx'));
  return (
    <div className={styles['buttons']}>
      <ProblemSummary failed={csv.failed ?? xlsx.failed} />
      <Button small icon="download" busy={csv.busy} onClick={() => void csv.run()}>
        {RECEIPTS.csv}
      </Button>
      <Button small icon="download" busy={xlsx.busy} onClick={() => void xlsx.run()}>
        {RECEIPTS.xlsx}
      </Button>
    </div>
  );
}
