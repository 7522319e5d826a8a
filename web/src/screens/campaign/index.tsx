import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Campaign, GetCampaignStatisticsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatFineMoney, formatMoment, formatMoney, formatPercent } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { CAMPAIGN } from '../../texts/campaign.ts';
import { withParts } from '../../texts/components.ts';
import { STATUS_GROUPS } from '../../texts/words.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { StatusBar } from '../../ui/charts/status-bar.tsx';
import { Empty, Figures, Loaded, Note, PageHeader, Panel } from '../../ui/page.tsx';
import { CampaignStatusBadge, TestBadge } from '../../ui/status.tsx';
import { useFilters } from '../../use-filters.ts';
import { DebtsTable } from '../debts-table/index.tsx';
import { FILTER_NAMES, groupOf, statusesOf, statusValues } from '../debts-table/search.ts';
import { AgreementsPanel } from '../recovery-figures/agreements-panel.tsx';
import { ChargesPanel } from '../recovery-figures/charges-panel.tsx';
import { Actions } from './actions.tsx';
import styles from './campaign.module.css';
import { statusParts, waitingDebts } from './open-debts.ts';

const COST_STALE_MS = 60_000;

export default function CampaignScreen() {
  const { id = '' } = useParams<{ id: string }>();
  const campaign = useQuery({
    queryKey: ['campaign', id],
    queryFn: () => quita.getCampaign({ path: { id } }),
    placeholderData: undefined,
  });
  const statistics = useQuery({
    queryKey: ['statistics', id],
    queryFn: () => quita.getCampaignStatistics({ path: { id } }),
    placeholderData: undefined,
  });
  // What the messages cost is read from each of them, so it does not follow every change.
  const cost = useQuery({
    queryKey: ['campaign-cost', id],
    queryFn: async () => (await quita.getCampaignStatistics({ path: { id }, query: { include: 'cost' } })).cost,
    staleTime: COST_STALE_MS,
    placeholderData: undefined,
  });
  useLive(campaign.data?.status === 'RUNNING' ? PACE.running : PACE.still);
  return (
    <>
      <BackLink to="/campanhas">{CAMPAIGN.back}</BackLink>
      {campaign.isError && campaign.data === undefined && <PageHeader title={CAMPAIGN.title} />}
      <Loaded query={campaign} lines={10}>
        {(shown) => (
          <>
            <Head campaign={shown} statistics={statistics.data} />
            <Loaded query={statistics} lines={10}>
              {(figures) => (
                <>
                  {shown.status === 'DRAFT' && figures.debts.total > 0 && <Note>{CAMPAIGN.draftNote}</Note>}
                  <Overview campaignId={id} figures={figures} cost={cost.data} />
                </>
              )}
            </Loaded>
            {/* The table waits for the figures above it, so that it does not move when they come. */}
            {!statistics.isPending && (
              <>
                <h2 className={styles['heading']}>{CAMPAIGN.list}</h2>
                <DebtsTable campaignId={id} nothingYet={<NothingYet campaign={shown} />} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Head({
  campaign,
  statistics,
}: {
  readonly campaign: Campaign;
  readonly statistics: GetCampaignStatisticsResult | undefined;
}) {
  const { name, status, sandbox, launchedAt, launchedBy } = campaign;
  return (
    <>
      <PageHeader
        title={name}
        badges={
          <>
            <CampaignStatusBadge status={status} />
            {sandbox === true && <TestBadge />}
          </>
        }
        actions={may('manage') && <Actions campaign={campaign} statistics={statistics} />}
      >
        {launchedAt !== null && CAMPAIGN.launched(formatMoment(launchedAt), launchedBy?.name)}
      </PageHeader>
      {sandbox === true && <Note tone="test">{CAMPAIGN.test}</Note>}
    </>
  );
}

function Overview({
  campaignId,
  figures,
  cost,
}: {
  readonly campaignId: string;
  readonly figures: GetCampaignStatisticsResult;
  readonly cost: GetCampaignStatisticsResult['cost'];
}) {
  const { debts, amount, recoveryRate, contacts, payments } = figures;
  const [values, change] = useFilters(FILTER_NAMES);
  const waiting = waitingDebts(debts.byStatus);
  if (debts.total === 0) return null;
  const select = (key: string | null): void => {
    const group = STATUS_GROUPS.find((one) => one.key === key);
    change(statusValues(group?.statuses ?? []));
  };
  return (
    <>
      <Figures
        items={[
          {
            label: CAMPAIGN.debts,
            value: formatCount(debts.total),
            note: CAMPAIGN.debtsNote(formatMoney(amount.total)),
          },
          {
            label: CAMPAIGN.recovered,
            value: formatMoney(amount.recovered),
            note: withParts(CAMPAIGN.recoveredNote(formatPercent(recoveryRate), payments.approved), figures),
          },
          {
            label: CAMPAIGN.sent,
            value: formatCount(contacts.sent),
            note: [
              CAMPAIGN.sentNote(contacts.received),
              ...(contacts.reminders === 0 ? [] : [CAMPAIGN.remindersNote(contacts.reminders)]),
              CAMPAIGN.outsideNote(contacts.blocked),
              ...costNotes(cost),
            ].join('; '),
          },
          {
            label: CAMPAIGN.waiting,
            value: formatCount(waiting),
            note: waiting === 0 ? CAMPAIGN.waitingNone : <Link to="/atendimento">{CAMPAIGN.waitingLink}</Link>,
          },
        ]}
      />
      <Panel title={CAMPAIGN.statuses}>
        <StatusBar
          parts={statusParts(debts.byStatus)}
          method={CAMPAIGN.statusMethod}
          selected={groupOf(statusesOf(values))}
          onSelect={select}
        />
      </Panel>
      <AgreementsPanel agreements={figures.agreements} campaignId={campaignId} />
      <ChargesPanel charged={figures.charged} recoveredBy={figures.recoveredBy} />
    </>
  );
}

/** Nothing is said where nothing was counted, as in a test, or where a price is not known. */
function costNotes(cost: GetCampaignStatisticsResult['cost']): string[] {
  if (cost === undefined || cost.messages.length === 0 || cost.total === null) return [];
  const { total, perRecoveredReal: per } = cost;
  return [CAMPAIGN.costNote(formatMoney(total), per === null ? null : formatFineMoney(per))];
}

function NothingYet({ campaign: { id, status } }: { readonly campaign: Campaign }) {
  const isOpen = status === 'DRAFT' || status === 'RUNNING' || status === 'PAUSED';
  return (
    <Empty
      icon="upload"
      title={CAMPAIGN.nothingTitle}
      action={
        isOpen && (
          <ButtonLink right="manage" to={`/campanhas/${id}/importar`} kind="primary" icon="upload">
            {CAMPAIGN.importFirst}
          </ButtonLink>
        )
      }
    >
      {isOpen ? CAMPAIGN.nothingText : CAMPAIGN.nothingEnded}
    </Empty>
  );
}
