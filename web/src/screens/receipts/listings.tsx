import { Link } from 'wouter';
import type { BureauListing } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatLastDay, formatPlainDate } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { LISTING_STATES, LISTINGS } from '../../texts/listings.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Panel } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Badge, TestBadge } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';

const COLUMNS: readonly Column<BureauListing>[] = [
  {
    key: 'person',
    label: LISTINGS.person,
    cell: ({ debtId, debtorName, sandbox }) => (
      <>
        <Link to={`/dividas/${debtId}`}>{inWrittenOrder(debtorName)}</Link> {sandbox && <TestBadge />}
      </>
    ),
  },
  { key: 'bureau', label: LISTINGS.bureau, cell: ({ bureau }) => <bdi>{inWrittenOrder(bureau)}</bdi> },
  { key: 'at', label: LISTINGS.at, short: true, cell: ({ at }) => formatPlainDate(at) },
  {
    key: 'state',
    label: LISTINGS.state,
    cell: ({ state }) => <Badge tone={LISTING_STATES[state].tone} label={LISTING_STATES[state].label} />,
  },
  {
    key: 'due',
    label: LISTINGS.dueAt,
    short: true,
    cell: ({ state, dueAt }) => (dueAt === null || state === 'removed' ? COMMON.none : formatLastDay(dueAt)),
  },
];

/** All that the company has recorded at bureaus, the newest first. */
export default function Listings() {
  return (
    <Panel>
      <p>{LISTINGS.lead}</p>
      <PagedTable
        queryKey={['debts', 'listings']}
        read={(query) => quita.listNegativations({ query })}
        caption={LISTINGS.reportTitle}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        none={LISTINGS.reportNone}
      />
    </Panel>
  );
}
