import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ListedReceipt } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatMoney, isHidden } from '../../format.ts';
import { useLive } from '../../live/use-live.ts';
import { COMMON } from '../../texts/common.ts';
import { RECEIPTS } from '../../texts/receipts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Empty, Loaded, Panel } from '../../ui/page.tsx';
import { Badge, TestBadge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useFilters } from '../../use-filters.ts';
import { useSearchText } from '../../use-search-text.ts';
import { useSettled } from '../../use-settled.ts';
import { monthsUntil } from './month.ts';
import styles from './receipts.module.css';
import { type ReceiptFilter, RedrawDialog } from './redraw.tsx';
import { verifyAddress } from './verify-address.ts';

/** Downloads all receipts of a month, or those of one campaign, as one file. */
function MonthDialog({
  campaign,
  onClose,
}: {
  readonly campaign: { readonly id: string; readonly name: string } | null;
  readonly onClose: () => void;
}) {
  const submit = useSubmit(async (form) => {
    const month = String(form.get('month'));
    const query = { month, ...(campaign !== null && { campaignId: campaign.id }) };
    // The generated client takes the answer for JSON unless it is told otherwise.
    const file: unknown = await quita.downloadReceipts({ query }, { parseAs: 'blob' });
    saveFile(file as Blob, `recibos-${month}.zip`);
    announce(RECEIPTS.downloaded);
    onClose();
  });
  return (
    <Dialog title={RECEIPTS.monthTitle} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <div className={styles['lead']}>
          <p>{RECEIPTS.monthText}</p>
          {campaign !== null && <p>{RECEIPTS.monthOfCampaign(campaign.name)}</p>}
        </div>
        <SelectField label={RECEIPTS.monthOfIssue} name="month" options={monthsUntil(new Date())} />
        <div className={styles['more']}>
          <Button type="submit" kind="primary" icon="download" busy={submit.busy}>
            {RECEIPTS.monthStart}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const COLUMNS: readonly Column<ListedReceipt>[] = [
  {
    key: 'debtor',
    label: RECEIPTS.debtor,
    cell: ({ debtId, debtorName, sandbox }) => (
      <>
        <Link to={`/dividas/${debtId}`}>{debtorName}</Link> {sandbox && <TestBadge />}
      </>
    ),
  },
  { key: 'kind', label: RECEIPTS.kind, cell: ({ kind }) => RECEIPTS.kinds[kind] },
  { key: 'amount', label: RECEIPTS.amount, numeric: true, cell: ({ amount }) => formatMoney(amount) },
  { key: 'issued', label: RECEIPTS.issued, cell: ({ issuedAt }) => formatMoment(issuedAt) },
  {
    key: 'protocol',
    label: RECEIPTS.protocol,
    cell: ({ protocol }) => <span className={styles['protocol']}>{protocol}</span>,
  },
  {
    key: 'state',
    label: RECEIPTS.state,
    cell: ({ revokedAt }) => (
      <Badge
        tone={revokedAt === null ? 'paid' : 'danger'}
        label={revokedAt === null ? RECEIPTS.valid : RECEIPTS.revoked}
      />
    ),
  },
  {
    key: 'open',
    label: RECEIPTS.document,
    cell: ({ protocol, url }) => {
      if (isHidden(url)) return '–';
      const verify = verifyAddress(url);
      return (
        <span className={styles['links']}>
          <a href={url} target="_blank" rel="noreferrer" aria-label={RECEIPTS.openOf(protocol)}>
            {RECEIPTS.open}
          </a>
          {verify !== null && (
            <a href={verify} target="_blank" rel="noreferrer" aria-label={RECEIPTS.verifyOf(protocol)}>
              {RECEIPTS.verify}
            </a>
          )}
        </span>
      );
    },
  },
];

/** The receipts that were issued, the newest first. */
export function ReceiptList() {
  useLive();
  const [{ campanha, de, ate }, change] = useFilters(['campanha', 'de', 'ate']);
  const [text, setText] = useSearchText();
  const q = useSettled(text.trim());
  const [dialog, open] = useState<'redraw' | 'month' | null>(null);
  const campaigns = useQuery({
    queryKey: ['campaigns', 'names'],
    queryFn: () => quita.listCampaigns({ query: { limit: 100 } }),
  });
  const filter: ReceiptFilter = {
    ...(q !== '' && { q }),
    ...(campanha !== '' && { campaignId: campanha }),
    ...(de !== '' && { from: de }),
    ...(ate !== '' && { to: ate }),
  };
  const query = useInfiniteQuery({
    queryKey: ['receipts', filter],
    queryFn: ({ pageParam }) =>
      quita.searchReceipts({ body: { ...filter, limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const isFiltered = Object.keys(filter).length > 0;
  const campaign = campaigns.data?.items.find(({ id }) => id === campanha) ?? null;
  const options = [
    { value: '', label: RECEIPTS.allCampaigns },
    ...(campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Panel
      title={RECEIPTS.receipts}
      actions={
        <div className={styles['buttons']}>
          <Button right="manage" small icon="download" onClick={() => open('month')}>
            {RECEIPTS.month}
          </Button>
          <Button right="manage" small icon="refresh" onClick={() => open('redraw')}>
            {isFiltered ? RECEIPTS.redrawShown : RECEIPTS.redraw}
          </Button>
        </div>
      }
    >
      <TextField
        label={RECEIPTS.search}
        type="search"
        placeholder={RECEIPTS.searchHint}
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      <div className={styles['filters']}>
        <SelectField
          label={RECEIPTS.campaign}
          options={options}
          value={campanha}
          onChange={(event) => change({ campanha: event.target.value })}
        />
        <DayField label={RECEIPTS.from} value={de} onDay={(day) => change({ de: day })} />
        <DayField label={RECEIPTS.to} value={ate} onDay={(day) => change({ ate: day })} />
      </div>
      <Loaded query={query} lines={8}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length > 0) {
            return (
              <Table caption={RECEIPTS.caption} columns={COLUMNS} rows={items} rowKey={({ paymentId }) => paymentId} />
            );
          }
          if (isFiltered) {
            return (
              <Empty
                icon="search"
                title={RECEIPTS.none}
                action={
                  <Button
                    onClick={() => {
                      setText('');
                      change({ campanha: '', de: '', ate: '' });
                    }}
                  >
                    {COMMON.clearFilters}
                  </Button>
                }
              />
            );
          }
          return (
            <Empty
              icon="receipt"
              title={RECEIPTS.emptyTitle}
              action={<ButtonLink to="/campanhas">{RECEIPTS.emptyAction}</ButtonLink>}
            >
              {RECEIPTS.emptyText}
            </Empty>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <div className={styles['more']}>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {RECEIPTS.older}
          </Button>
        </div>
      )}
      {dialog === 'redraw' && <RedrawDialog filter={filter} onClose={() => open(null)} />}
      {dialog === 'month' && <MonthDialog campaign={campaign} onClose={() => open(null)} />}
    </Panel>
  );
}
