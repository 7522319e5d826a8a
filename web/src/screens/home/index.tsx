import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { quita } from '../../api/quita.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { useDashboard, useSandboxOnly } from '../../shell/use-dashboard.ts';
import { HOME } from '../../texts/home.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { Loaded, PageHeader, Panel, Skeleton } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { takeWantedExample, useExample } from '../../use-example.ts';
import { useFilters } from '../../use-filters.ts';
import styles from './home.module.css';

/** The way from an empty account to a paid debt and its receipt. */
function FirstRun() {
  const example = useExample();
  const begin = useRef(example.run);
  useEffect(() => {
    if (takeWantedExample()) void begin.current();
  }, []);
  const account = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() }).data;
  const isComplete = account !== undefined && account.cnpj !== null && account.address !== null;
  const { steps } = HOME;
  return (
    <>
      <PageHeader title={HOME.firstTitle}>{HOME.firstLead}</PageHeader>
      <ProblemSummary failed={example.failed} />
      <ol className={styles['steps']}>
        <li>
          <h2>{steps.company}</h2>
          <p>{steps.companyText}</p>
          {isComplete ? (
            <Badge tone="paid" label={steps.companyDone} />
          ) : (
            <ButtonLink right="administer" to="/conta">
              {steps.companyAction}
            </ButtonLink>
          )}
        </li>
        <li>
          <h2>{steps.debts}</h2>
          <p>{steps.debtsText}</p>
          <div className={styles['choices']}>
            <Button right="manage" kind="primary" icon="test" busy={example.busy} onClick={() => void example.run()}>
              {steps.example}
            </Button>
            <ButtonLink right="manage" to="/campanhas?criar=sim" icon="upload">
              {steps.sheet}
            </ButtonLink>
          </div>
        </li>
        <li>
          <h2>{steps.rehearsal}</h2>
          <p>{steps.rehearsalText}</p>
        </li>
        <li>
          <h2>{steps.simulator}</h2>
          <p>{steps.simulatorText}</p>
        </li>
      </ol>
    </>
  );
}

/** The most campaigns of examples that somebody makes before the first of their own. */
const LOOKED_AT = 20;

/** Whether the company has only campaigns of the example; undefined until that is known. */
function useOnlyExamples(): boolean | undefined {
  const campaigns = useQuery({
    queryKey: ['campaigns', 'own'],
    queryFn: () => quita.listCampaigns({ query: { limit: LOOKED_AT } }),
  });
  if (campaigns.data === undefined) return campaigns.error === null ? undefined : false;
  const { items } = campaigns.data;
  return items.length > 0 && items.every(({ name, sandbox }) => sandbox === true && name.startsWith(HOME.exampleName));
}

/** What comes after the example, until the company has a campaign of its own. */
const NextSheet = () => (
  <Panel title={HOME.nextTitle}>
    <p className={styles['muted']}>{HOME.nextText}</p>
    <div className={styles['choices']}>
      <ButtonLink right="manage" to="/campanhas?criar=sim" kind="primary" icon="upload">
        {HOME.steps.sheet}
      </ButtonLink>
      <ButtonLink to="/simulador" icon="simulator">
        {HOME.steps.simulator}
      </ButtonLink>
      <ButtonLink to="/conta">{HOME.steps.companyAction}</ButtonLink>
    </div>
  </Panel>
);

/** A new company needs no charts, so they are loaded when there is something to draw. */
const Overview = lazy(() => import('./overview.tsx'));

/** Shows the skeleton until everything is known, so that nothing that comes later moves the page. */
const NOT_KNOWN = { data: undefined, error: null, refetch: () => undefined };

export default function Home() {
  const sandboxOnly = useSandboxOnly();
  const [{ teste }, changeFilters] = useFilters(['teste']);
  const real = useDashboard(sandboxOnly === false ? false : undefined);
  const test = useDashboard(sandboxOnly === undefined ? undefined : true);
  const shown = sandboxOnly === true || teste === 'sim' ? test : real;
  const isEmpty = (test.data?.debts.total ?? 0) + (real.data?.debts.total ?? 0) === 0;
  const { IN_COLLECTION = 0, QUEUED = 0 } = shown.data?.debts.byStatus ?? {};
  const events = useLive(IN_COLLECTION + QUEUED > 0 ? PACE.running : PACE.still);
  const onlyExamples = useOnlyExamples();
  const isKnown = test.data !== undefined && (sandboxOnly === true || real.data !== undefined);
  if (isKnown && isEmpty) return <FirstRun />;
  return (
    <>
      <PageHeader
        title={HOME.title}
        actions={
          sandboxOnly === false &&
          (test.data?.debts.total ?? 0) > 0 && (
            <Chips
              label={HOME.world}
              options={[
                { key: '', label: HOME.real },
                { key: 'sim', label: HOME.test },
              ]}
              chosen={teste === 'sim' ? 'sim' : ''}
              onChoose={(key) => changeFilters({ teste: key })}
            />
          )
        }
      >
        {HOME.zone}
      </PageHeader>
      <Loaded query={onlyExamples === undefined ? NOT_KNOWN : shown} lines={10}>
        {(data) => (
          <Suspense fallback={<Skeleton lines={10} />}>
            {onlyExamples === true && may('manage') && <NextSheet />}
            <Overview data={data} events={events} />
          </Suspense>
        )}
      </Loaded>
    </>
  );
}
