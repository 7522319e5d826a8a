import type { LateCharges, RecoveredBy } from '../../api/client.ts';
import { formatMoney } from '../../format.ts';
import { hasCharges } from '../../texts/components.ts';
import { RECOVERY } from '../../texts/recovery-figures.ts';
import { COMPONENT_NAMES } from '../../texts/server-names.ts';
import { Panel } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './recovery-figures.module.css';

interface ChargesPanelProps {
  readonly charged: LateCharges;
  readonly recoveredBy: RecoveredBy;
}

const PARTS = ['fine', 'interest', 'correction'] as const;

/** What late payment has added beside what came of it. Nothing is shown where nothing was added. */
export function ChargesPanel({ charged, recoveredBy }: ChargesPanelProps) {
  if (!hasCharges(charged)) return null;
  const added = PARTS.filter((part) => charged[part] !== 0 || recoveredBy[part] !== 0);
  return (
    <Panel title={RECOVERY.charges}>
      <Table
        caption={RECOVERY.chargesCaption}
        rows={(['principal', ...added] as const).map((part) => ({
          part,
          charged: part === 'principal' ? RECOVERY.nothing : formatMoney(charged[part]),
        }))}
        rowKey={({ part }) => part}
        columns={[
          { key: 'part', label: RECOVERY.part, cell: ({ part }) => COMPONENT_NAMES[part] },
          { key: 'charged', label: RECOVERY.charged, numeric: true, cell: (row) => row.charged },
          {
            key: 'recovered',
            label: RECOVERY.recoveredPart,
            numeric: true,
            cell: ({ part }) => formatMoney(recoveredBy[part]),
          },
        ]}
      />
      <p className={styles['after']}>{RECOVERY.chargesMethod}</p>
    </Panel>
  );
}
