import type { ChannelUsage } from '../../api/client.ts';
import { formatCount, formatMoney } from '../../format.ts';
import { USAGE } from '../../texts/channel-usage.ts';
import { Note } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './account.module.css';

/** What a number of WhatsApp has delivered this month, and what it costs. */
export function Usage({ usage }: { readonly usage: ChannelUsage }) {
  const { month, messages, freeMessages, total } = usage;
  const { eachMonth, used, isEnding } = freeMessages;
  const shown = messages.filter(({ kind, free, paid }) => kind === 'service' || kind === 'utility' || free + paid > 0);
  return (
    <div className={styles['usage']}>
      <Table
        caption={USAGE.caption(month)}
        captionShown
        rows={shown}
        rowKey={({ kind }) => kind}
        columns={[
          { key: 'kind', label: USAGE.kind, cell: ({ kind }) => USAGE.kinds[kind] },
          { key: 'free', label: USAGE.free, numeric: true, cell: ({ free }) => formatCount(free) },
          { key: 'paid', label: USAGE.paid, numeric: true, cell: ({ paid }) => formatCount(paid) },
          {
            key: 'total',
            label: USAGE.cost,
            numeric: true,
            cell: ({ total: cost }) => (cost === null ? USAGE.unknown : formatMoney(cost)),
          },
        ]}
      />
      <p className={styles['muted']}>
        {eachMonth > 0 && `${USAGE.used(used, eachMonth)} `}
        {total === null ? USAGE.totalUnknown : USAGE.total(formatMoney(total))}
      </p>
      {isEnding && <Note tone="warning">{used < eachMonth ? USAGE.ending : USAGE.usedUp}</Note>}
    </div>
  );
}
