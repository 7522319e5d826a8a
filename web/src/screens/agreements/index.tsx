import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { AgreementBadge } from '../../agreements/agreement.tsx';
import { nextInstalment } from '../../agreements/plan.ts';
import type { Agreement } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatMoney, formatPlainDate } from '../../format.ts';
import { useLive } from '../../live/use-live.ts';
import { AGREEMENT_STATUS, INSTALMENT_STATUS } from '../../texts/agreement-words.ts';
import { AGREEMENTS } from '../../texts/agreements.ts';
import { COMMON } from '../../texts/common.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Empty, Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import { Badge, TestBadge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useFilters } from '../../use-filters.ts';
import styles from './agreements.module.css';

const nameOf = ({ debtorName }: Agreement): string => inWrittenOrder(debtorName) || AGREEMENTS.erased;

function Next({ agreement }: { readonly agreement: Agreement }) {
  const next = nextInstalment(agreement);
  if (next === undefined) return AGREEMENTS.nextNone;
  return (
    <span className={styles['next']}>
      {`${formatMoney(next.amount)}, ${formatPlainDate(next.dueDate)}`}
      {next.status === 'LATE' && <Badge {...INSTALMENT_STATUS.LATE} />}
    </span>
  );
}

const COLUMNS: readonly Column<Agreement>[] = [
  {
    key: 'person',
    label: AGREEMENTS.person,
    cell: (agreement) => (
      <>
        <Link to={`/acordos/${agreement.id}`}>{nameOf(agreement)}</Link> {agreement.sandbox && <TestBadge />}
      </>
    ),
  },
  { key: 'status', label: AGREEMENTS.status, cell: ({ status }) => <AgreementBadge status={status} /> },
  { key: 'total', label: AGREEMENTS.total, numeric: true, cell: ({ total }) => formatMoney(total) },
  { key: 'paid', label: AGREEMENTS.paid, numeric: true, cell: ({ paid }) => formatMoney(paid) },
  { key: 'next', label: AGREEMENTS.next, cell: (agreement) => <Next agreement={agreement} /> },
  { key: 'accepted', label: AGREEMENTS.acceptedAt, short: true, cell: ({ acceptedAt }) => formatDate(acceptedAt) },
  {
    key: 'debts',
    label: AGREEMENTS.debts,
    cell: (agreement) => (
      <span className={styles['debts']}>
        {agreement.debtIds.map((id, at) => (
          <Link key={id} to={`/dividas/${id}`}>
            {AGREEMENTS.debt(at + 1, agreement.debtIds.length)}
            <span className="visually-hidden">{AGREEMENTS.debtOf(nameOf(agreement))}</span>
          </Link>
        ))}
      </span>
    ),
  },
];

const isStatus = (text: string): text is Agreement['status'] => text in AGREEMENT_STATUS;

/** The agreements with the debtors, the newest first. */
export default function Agreements() {
  useLive();
  const [{ situacao, campanha }, change] = useFilters(['situacao', 'campanha']);
  const campaigns = useQuery({
    queryKey: ['campaigns', 'names'],
    queryFn: () => quita.listCampaigns({ query: { limit: 100 } }),
  });
  const filter = {
    ...(isStatus(situacao) && { status: situacao }),
    ...(campanha !== '' && { campaignId: campanha }),
  };
  const query = useInfiniteQuery({
    queryKey: ['agreements', 'list', filter],
    queryFn: ({ pageParam }) =>
      quita.listAgreements({ query: { ...filter, limit: 50, ...(pageParam !== '' && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return (
    <>
      <PageHeader title={AGREEMENTS.title}>{AGREEMENTS.lead}</PageHeader>
      <Panel>
        <div className={styles['filters']}>
          <SelectField
            label={AGREEMENTS.status}
            options={[
              { value: '', label: AGREEMENTS.all },
              ...Object.entries(AGREEMENT_STATUS).map(([value, { label }]) => ({ value, label })),
            ]}
            value={isStatus(situacao) ? situacao : ''}
            onChange={({ target }) => change({ situacao: target.value })}
          />
          <SelectField
            label={AGREEMENTS.campaign}
            options={[
              { value: '', label: AGREEMENTS.allCampaigns },
              ...(campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={campanha}
            onChange={({ target }) => change({ campanha: target.value })}
          />
        </div>
        <Loaded query={query} lines={8}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length > 0) {
              return <Table caption={AGREEMENTS.caption} columns={COLUMNS} rows={items} rowKey={({ id }) => id} />;
            }
            return Object.keys(filter).length > 0 ? (
              <Empty
                icon="search"
                title={AGREEMENTS.none}
                action={<Button onClick={() => change({ situacao: '', campanha: '' })}>{COMMON.clearFilters}</Button>}
              />
            ) : (
              <Empty
                icon="agreement"
                title={AGREEMENTS.emptyTitle}
                action={<ButtonLink to="/ofertas">{AGREEMENTS.emptyAction}</ButtonLink>}
              >
                {AGREEMENTS.emptyText}
              </Empty>
            );
          }}
        </Loaded>
        {query.hasNextPage && (
          <div className={styles['more']}>
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {AGREEMENTS.older}
            </Button>
          </div>
        )}
      </Panel>
    </>
  );
}
