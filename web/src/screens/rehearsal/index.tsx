import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { Campaign } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { useConsole } from '../../shell/use-console.ts';
import { REHEARSAL } from '../../texts/rehearsal.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Loaded, PageHeader } from '../../ui/page.tsx';
import { CampaignStatusBadge, TestBadge } from '../../ui/status.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import { LaunchDialog } from './launch-dialog.tsx';
import styles from './rehearsal.module.css';
import { Result } from './result.tsx';

const useCampaign = (id: string) =>
  useQuery({ queryKey: ['campaign', id], queryFn: () => quita.getCampaign({ path: { id } }) });

export default function RehearsalScreen() {
  const { id = '' } = useParams<{ id: string }>();
  const campaign = useCampaign(id);
  // A draft that is a test already, and any draft where nothing can leave the deployment, is rehearsed as the test.
  const deployment = useConsole();
  if (campaign.data === undefined || deployment.isPending) {
    return (
      <>
        <BackLink to={`/campanhas/${id}`}>{REHEARSAL.back}</BackLink>
        <PageHeader title={REHEARSAL.title} />
        <Loaded query={campaign}>{() => null}</Loaded>
      </>
    );
  }
  const onlyTest = deployment.data?.sandboxOnly === true || campaign.data.sandbox === true;
  return campaign.data.status === 'DRAFT' ? (
    <Draft campaign={campaign.data} onlyTest={onlyTest} />
  ) : (
    <>
      <BackLink to={`/campanhas/${id}`}>{REHEARSAL.back}</BackLink>
      <PageHeader title={REHEARSAL.title} badges={<CampaignStatusBadge status={campaign.data.status} />}>
        {campaign.data.name}
      </PageHeader>
      <Empty
        icon="campaign"
        title={REHEARSAL.launchedTitle}
        action={
          <ButtonLink kind="primary" to={`/campanhas/${id}`}>
            {REHEARSAL.launchedAction}
          </ButtonLink>
        }
      >
        {REHEARSAL.launchedText}
      </Empty>
    </>
  );
}

type Mode = 'real' | 'test';

function Draft({ campaign, onlyTest }: { readonly campaign: Campaign; readonly onlyTest: boolean }) {
  const { id, name } = campaign;
  // Bills that are due next month are reminded of and then collected within two months.
  const days = campaign.reminders === null ? 30 : 60;
  const [launching, setLaunching] = useState<Mode | null>(null);
  const rehearsal = useQuery({
    queryKey: ['rehearsal', id, onlyTest, days],
    queryFn: () => quita.rehearseCampaign({ path: { id }, query: { sandbox: onlyTest ? 'true' : 'false', days } }),
    refetchOnWindowFocus: false,
  });
  const statistics = useQuery({
    queryKey: ['statistics', id],
    queryFn: () => quita.getCampaignStatistics({ path: { id } }),
  });
  const account = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount(), enabled: !onlyTest });
  const { data, error, isFetching } = rehearsal;
  const amount = statistics.data?.amount.total ?? 0;
  const notYet = data === undefined ? REHEARSAL.notYet : undefined;
  const isEmpty = error !== null && failedOf(error).code === 'campaign_empty';
  return (
    <>
      <BackLink to={`/campanhas/${id}`}>{REHEARSAL.back}</BackLink>
      <PageHeader
        title={REHEARSAL.title}
        badges={onlyTest && <TestBadge />}
        actions={
          !isEmpty && (
            <>
              <ButtonLink to={`/campanhas/${id}/importar`} icon="upload">
                {REHEARSAL.import}
              </ButtonLink>
              <Button icon="refresh" busy={isFetching} onClick={() => void rehearsal.refetch()}>
                {REHEARSAL.again}
              </Button>
              {!onlyTest && (
                <Button icon="test" disabledBecause={notYet} onClick={() => setLaunching('test')}>
                  {REHEARSAL.launchTest}
                </Button>
              )}
              <Button
                kind="primary"
                icon="play"
                disabledBecause={notYet}
                onClick={() => setLaunching(onlyTest ? 'test' : 'real')}
              >
                {onlyTest ? REHEARSAL.launchTest : REHEARSAL.launch}
              </Button>
            </>
          )
        }
      >
        {REHEARSAL.lead(name, days)}
      </PageHeader>
      {isEmpty ? (
        <Empty
          icon="upload"
          title={REHEARSAL.emptyTitle}
          action={
            <ButtonLink kind="primary" icon="upload" to={`/campanhas/${id}/importar`}>
              {REHEARSAL.emptyAction}
            </ButtonLink>
          }
        >
          {REHEARSAL.emptyText}
        </Empty>
      ) : (
        <>
          {data === undefined && isFetching && <Running />}
          {error !== null && !isFetching && <Failure error={error} onRetry={() => void rehearsal.refetch()} />}
          {data !== undefined && <Result rehearsal={data} amount={amount} />}
        </>
      )}
      {launching !== null && data !== undefined && (
        <LaunchDialog
          campaign={campaign}
          rehearsal={data}
          amount={amount}
          missing={account.data?.missing ?? []}
          isTest={launching === 'test'}
          isOnlyTest={onlyTest}
          onTest={() => setLaunching('test')}
          onClose={() => setLaunching(null)}
        />
      )}
    </>
  );
}

/** A rehearsal of thousands of debts takes seconds, which wants words. */
function Running() {
  const shown = useDelayed();
  return (
    <div className={styles['running']} role="status">
      {shown && (
        <>
          <p>{REHEARSAL.running}</p>
          <progress className={styles['bar']} aria-label={REHEARSAL.running} />
          <p className={styles['muted']}>{REHEARSAL.runningHint}</p>
        </>
      )}
    </div>
  );
}
