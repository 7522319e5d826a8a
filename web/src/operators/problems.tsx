import { Link } from 'wouter';
import type { ReadClientAsOperatorResult } from '../api/client.ts';
import { formatAgo, formatCount, formatDate, formatMoment } from '../format.ts';
import { COMMON } from '../texts/common.ts';
import { aboutName, BACKLOG_NAMES, OPERATORS, PROBLEM_NAMES } from '../texts/operators.ts';
import { Badge } from '../ui/status.tsx';
import { type Column, Table } from '../ui/table.tsx';

type Problem = ReadClientAsOperatorResult['problems'][number] & {
  readonly clientId?: string;
  readonly clientName?: string;
};

const KIND: Column<Problem> = {
  key: 'kind',
  label: OPERATORS.problem,
  cell: ({ kind }) => <Badge {...PROBLEM_NAMES[kind]} />,
};
const ABOUT: Column<Problem> = { key: 'about', label: OPERATORS.where, cell: ({ about }) => aboutName(about) };
const COMPANY: Column<Problem> = {
  key: 'company',
  label: OPERATORS.company,
  wide: true,
  cell: ({ clientId, clientName }) => <Link to={`/empresas/${clientId}`}>{clientName}</Link>,
};
/** A certificate has the day on which it ends in place of the moment since when it fails. */
const whenOf = ({ kind, since }: Problem): string =>
  kind === 'certificate_ending' ? formatDate(since) : formatMoment(since);

/** What fails or ends, of one company or of all with their names. */
export function Problems({
  caption,
  problems,
  when,
  ofAll = false,
}: {
  readonly caption: string;
  readonly problems: readonly Problem[];
  readonly when: string;
  readonly ofAll?: boolean;
}) {
  const columns = [
    KIND,
    ...(ofAll ? [COMPANY] : []),
    ABOUT,
    { key: 'when', label: when, short: true, cell: whenOf },
  ] satisfies Column<Problem>[];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={problems}
      rowKey={({ kind, about, since, clientId }) => [kind, about, since, clientId].join(' ')}
    />
  );
}

type Waiting = ReadClientAsOperatorResult['backlog'][number];

const COLUMNS: readonly Column<Waiting>[] = [
  { key: 'kind', label: OPERATORS.kind, cell: ({ kind }) => BACKLOG_NAMES[kind] },
  { key: 'waiting', label: OPERATORS.waiting, numeric: true, cell: ({ waiting }) => formatCount(waiting) },
  {
    key: 'oldest',
    label: OPERATORS.oldest,
    short: true,
    cell: ({ waiting, oldestSeconds }) =>
      waiting === 0 ? COMMON.none : formatAgo(new Date(-oldestSeconds * 1_000).toISOString(), 0),
  },
];

/** How much waits, and for how long. */
export const Backlog = ({ rows }: { readonly rows: readonly Waiting[] }) => (
  <Table caption={OPERATORS.backlog} columns={COLUMNS} rows={rows} rowKey={({ kind }) => kind} />
);
