import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ListCampaignsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatDate, formatMoney, formatPercent } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { CAMPAIGNS } from '../../texts/campaigns.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Empty, Loaded, PageHeader } from '../../ui/page.tsx';
import { CampaignStatusBadge, TestBadge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useExample } from '../../use-example.ts';
import { useFilters } from '../../use-filters.ts';
import styles from './campaigns.module.css';

/** Asks for the name alone; the next step is the spreadsheet. */
function NewCampaign({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const { id } = await quita.createCampaign({ body: { name: textOf(form, 'name') } }, { idempotencyKey: true });
    announce(CAMPAIGNS.made);
    void queries.invalidateQueries({ queryKey: ['campaigns'] });
    navigate(`/campanhas/${id}/importar`);
  });
  return (
    <Dialog title={CAMPAIGNS.create} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <TextField
          label={CAMPAIGNS.name}
          hint={CAMPAIGNS.nameHint}
          name="name"
          autoComplete="off"
          maxLength={200}
          required
          error={submit.errorAt('/name')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {CAMPAIGNS.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Item = ListCampaignsResult['items'][number];

const waitingOf = ({ statistics }: Item): number =>
  (statistics?.debts.byStatus.ON_HOLD ?? 0) + (statistics?.debts.byStatus.DISPUTED ?? 0);

const COLUMNS: readonly Column<Item>[] = [
  {
    key: 'name',
    label: CAMPAIGNS.name,
    cell: ({ id, name }) => (
      <Link to={`/campanhas/${id}`} className={styles['name']}>
        {name}
      </Link>
    ),
  },
  {
    key: 'status',
    label: CAMPAIGNS.status,
    cell: ({ status, sandbox }) => (
      <span className={styles['badges']}>
        <CampaignStatusBadge status={status} />
        {sandbox === true && <TestBadge />}
      </span>
    ),
  },
  {
    key: 'progress',
    label: CAMPAIGNS.debts,
    cell: ({ statistics }) => {
      const total = statistics?.debts.total ?? 0;
      const paid = statistics?.debts.byStatus.PAID ?? 0;
      return (
        <div className={styles['paid']}>
          <span>{CAMPAIGNS.progress(paid, total)}</span>
          <progress className={styles['progress']} max={Math.max(1, total)} value={paid} aria-hidden="true" />
        </div>
      );
    },
  },
  {
    key: 'open',
    label: CAMPAIGNS.open,
    numeric: true,
    cell: ({ statistics }) => formatMoney(statistics?.amount.total ?? 0),
  },
  {
    key: 'recovered',
    label: CAMPAIGNS.recovered,
    numeric: true,
    cell: ({ statistics }) => formatMoney(statistics?.amount.recovered ?? 0),
  },
  {
    key: 'rate',
    label: CAMPAIGNS.rate,
    numeric: true,
    desk: true,
    cell: ({ statistics }) => formatPercent(statistics?.recoveryRate ?? 0),
  },
  { key: 'waiting', label: CAMPAIGNS.waiting, numeric: true, cell: (item) => formatCount(waitingOf(item)) },
  { key: 'created', label: CAMPAIGNS.created, short: true, desk: true, cell: ({ createdAt }) => formatDate(createdAt) },
];

export default function Campaigns() {
  const [{ criar, ver }, changeFilters] = useFilters(['criar', 'ver']);
  const [creating, setCreating] = useState(criar !== '');
  const close = (): void => {
    setCreating(false);
    changeFilters({ criar: '' });
  };
  const example = useExample();
  const query = useInfiniteQuery({
    queryKey: ['campaigns', 'list'],
    queryFn: ({ pageParam }) =>
      quita.listCampaigns({ query: { include: 'statistics', limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const archived = items.filter(({ status }) => status === 'ARCHIVED');
  const isArchive = ver === 'arquivadas';
  const listed = isArchive ? archived : items.filter(({ status }) => status !== 'ARCHIVED');
  const runs = items.some(({ status }) => status === 'RUNNING');
  useLive(runs ? PACE.running : PACE.still);
  const create = (
    <Button right="manage" kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {CAMPAIGNS.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={CAMPAIGNS.title} actions={items.length > 0 && create} />
      <ProblemSummary failed={example.failed} />
      <Loaded query={query}>
        {() =>
          items.length === 0 ? (
            <Empty
              icon="campaign"
              title={CAMPAIGNS.emptyTitle}
              action={
                <div className={styles['actions']}>
                  {create}
                  <Button right="manage" icon="test" busy={example.busy} onClick={() => void example.run()}>
                    {CAMPAIGNS.example}
                  </Button>
                </div>
              }
            >
              {CAMPAIGNS.emptyText}
            </Empty>
          ) : (
            <>
              {archived.length > 0 && (
                <Chips
                  label={CAMPAIGNS.which}
                  options={[
                    { key: '', label: CAMPAIGNS.inUse },
                    { key: 'arquivadas', label: CAMPAIGNS.archived, count: archived.length },
                  ]}
                  chosen={isArchive ? 'arquivadas' : ''}
                  onChoose={(key) => changeFilters({ ver: key })}
                />
              )}
              {listed.length === 0 ? (
                <p className={styles['none']}>{isArchive ? CAMPAIGNS.noneArchived : CAMPAIGNS.noneInUse}</p>
              ) : (
                <Table caption={CAMPAIGNS.caption} columns={COLUMNS} rows={listed} rowKey={({ id }) => id} />
              )}
              {query.hasNextPage && (
                <div className={styles['more']}>
                  <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {CAMPAIGNS.more}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
      {creating && may('manage') && <NewCampaign onClose={close} />}
    </>
  );
}
