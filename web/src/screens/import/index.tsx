import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useParams, useSearchParams } from 'wouter';
import type { Campaign, ImportFileResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { IMPORT } from '../../texts/import.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty, Loaded, Note, PageHeader, Panel } from '../../ui/page.tsx';
import { CampaignStatusBadge, TestBadge } from '../../ui/status.tsx';
import styles from './import.module.css';
import { NextStep } from './next-step.tsx';
import { sortProblems } from './problems.ts';
import { StepCheck } from './step-check.tsx';
import { StepColumns } from './step-columns.tsx';
import { StepFile } from './step-file.tsx';
import { StepHeading, Steps } from './steps.tsx';
import { type Import, useImport } from './use-import.ts';
import { STEPS, type Step } from './wizard-state.ts';

const NEXT: Readonly<Partial<Record<Campaign['status'], string>>> = {
  DRAFT: IMPORT.draftNext,
  RUNNING: IMPORT.runningNext,
  PAUSED: IMPORT.pausedNext,
};

function StepDone({
  state,
  answer,
  campaign,
  focus,
}: {
  readonly state: Import;
  readonly answer: ImportFileResult;
  readonly campaign: Campaign;
  readonly focus: boolean;
}) {
  const { wrong, known } = useMemo(() => sortProblems(answer.errors, new Map()), [answer]);
  const { imported, amount, ignored, leftOut } = answer;
  const isUnchanged = imported === 0;
  return (
    <Panel>
      <StepHeading focus={focus}>{isUnchanged ? IMPORT.unchangedHeading : IMPORT.doneHeading}</StepHeading>
      {isUnchanged ? (
        <Note>{wrong > 0 ? IMPORT.nothingNewButWrong(known) : IMPORT.nothingNew(known)}</Note>
      ) : (
        <Note tone="good">
          <p className={styles['strong']}>{IMPORT.imported(imported, amount)}</p>
        </Note>
      )}
      <div className={styles['result']}>
        {!isUnchanged && known > 0 && <p>{IMPORT.doneKnown(known)}</p>}
        {wrong > 0 && <p>{IMPORT.doneWrong(wrong)}</p>}
        {leftOut > 0 && <p>{IMPORT.doneLeftOut(leftOut)}</p>}
        {ignored > 0 && <p>{IMPORT.doneIgnored(ignored)}</p>}
        <p>{NEXT[campaign.status]}</p>
      </div>
      <div className={styles['buttons']}>
        {wrong > 0 && (
          <Button icon="download" onClick={state.download}>
            {known > 0 ? IMPORT.downloadLeft(answer.skipped) : IMPORT.downloadWrong(wrong)}
          </Button>
        )}
        <Button icon="upload" onClick={state.reset}>
          {IMPORT.another}
        </Button>
        <NextStep campaign={campaign} />
      </div>
    </Panel>
  );
}

/** The step stands in the address, so that the browser's own back button goes one step back. */
const PARAM = 'etapa';
const NAMES: Readonly<Record<Step, string>> = {
  file: 'arquivo',
  columns: 'colunas',
  check: 'conferir',
  done: 'pronto',
};

export default function ImportScreen() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery({ queryKey: ['campaign', id], queryFn: () => quita.getCampaign({ path: { id } }) });
  const campaign = query.data;
  return (
    <>
      <BackLink to={`/campanhas/${id}`}>{IMPORT.backToCampaign}</BackLink>
      <PageHeader
        title={IMPORT.title}
        badges={
          campaign !== undefined && (
            <>
              <CampaignStatusBadge status={campaign.status} />
              {campaign.sandbox === true && <TestBadge />}
            </>
          )
        }
      >
        {campaign?.name ?? '\u00a0'}
      </PageHeader>
      <Loaded query={query}>
        {(found) =>
          found.status === 'COMPLETED' || found.status === 'ARCHIVED' ? (
            <Empty
              icon="campaign"
              title={IMPORT.closedTitle}
              action={
                <ButtonLink kind="primary" to="/campanhas">
                  {IMPORT.toCampaigns}
                </ButtonLink>
              }
            >
              {IMPORT.closedText}
            </Empty>
          ) : (
            <Wizard key={found.id} campaign={found} />
          )
        }
      </Loaded>
    </>
  );
}

function Wizard({ campaign }: { readonly campaign: Campaign }) {
  const [params, setParams] = useSearchParams();
  const state = useImport(campaign.id, (step, how) => {
    setParams({ [PARAM]: NAMES[step] }, { replace: how?.replace === true });
  });
  const wanted = STEPS.find((step) => NAMES[step] === params.get(PARAM)) ?? 'file';
  const { latest, columns, checked, result } = state;
  const isReachable = STEPS.indexOf(wanted) <= STEPS.indexOf(latest);
  // What was imported stays imported: going back does not show an earlier step of it.
  const step = latest === 'done' || !isReachable ? latest : wanted;
  const first = useRef<Step>(step);
  const focus = useRef(false);
  if (first.current !== step) focus.current = true;
  const back = (): void => window.history.back();
  return (
    <>
      <Steps now={step} />
      {step === 'file' && <StepFile state={state} focus={focus.current} />}
      {step === 'columns' && columns !== null && (
        <StepColumns state={state} columns={columns} focus={focus.current} onBack={back} />
      )}
      {step === 'check' && columns !== null && checked !== null && (
        <StepCheck
          state={state}
          columns={columns}
          checked={checked}
          campaign={campaign}
          focus={focus.current}
          onBack={back}
        />
      )}
      {step === 'done' && result !== null && (
        <StepDone state={state} answer={result} campaign={campaign} focus={focus.current} />
      )}
    </>
  );
}
