import { useMemo, useState } from 'react';
import type { Campaign, ImportFileResult } from '../../api/client.ts';
import { formatCount } from '../../format.ts';
import { IMPORT } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { Figures, Note, Panel } from '../../ui/page.tsx';
import styles from './import.module.css';
import { NextStep } from './next-step.tsx';
import { ProblemList } from './problem-list.tsx';
import { type Checked, sortProblems } from './problems.ts';
import { Progress, StepHeading } from './steps.tsx';
import type { Columns, Import } from './use-import.ts';

/** The rows that exist already are in the file of the rows too, because they are not imported either. */
const downloadLabel = ({ known }: Checked, skipped: number): string => {
  if (skipped === 1) return known === 0 ? IMPORT.downloadOne : IMPORT.downloadOneLeft;
  return known === 0 ? IMPORT.downloadWrong(skipped) : IMPORT.downloadLeft(skipped);
};

export function StepCheck({
  state,
  columns,
  answer,
  campaign,
  focus,
  onBack,
}: {
  readonly state: Import;
  readonly columns: Columns;
  readonly answer: ImportFileResult;
  readonly campaign: Campaign;
  readonly focus: boolean;
  readonly onBack: () => void;
}) {
  const { work, failed, isImporting } = state;
  const [asking, setAsking] = useState(false);
  const checked = useMemo(() => sortProblems(answer.errors, columns.mapping), [answer, columns.mapping]);
  const { wrong, known } = checked;
  const { imported, amount, skipped } = answer;
  const isRunning = campaign.status === 'RUNNING';
  const isReal = isRunning && campaign.sandbox !== true;
  const isUnchanged = imported === 0 && known > 0;
  return (
    <>
      <Panel>
        <StepHeading focus={focus}>{IMPORT.checkHeading}</StepHeading>
        <p className={styles['facts']}>{IMPORT.fileFacts(state.chosen?.name ?? '', answer.rows)}</p>
        <ProblemSummary failed={asking ? null : failed} />
        <Figures
          items={[
            { label: IMPORT.enter, value: formatCount(imported), note: IMPORT.enterNote(amount) },
            { label: IMPORT.known, value: formatCount(known), note: IMPORT.knownNote },
            { label: IMPORT.wrong, value: formatCount(wrong), note: wrong === 0 ? IMPORT.wrongNone : IMPORT.wrongNote },
          ]}
        />
        {isUnchanged && <Note>{wrong > 0 ? IMPORT.nothingNewButWrong(known) : IMPORT.nothingNew(known)}</Note>}
        {imported === 0 && known === 0 && <Note tone="warning">{IMPORT.noneGood}</Note>}
        {imported > 0 && skipped === 0 && <Note tone="good">{IMPORT.allGood}</Note>}
        {imported > 0 && wrong > 0 && <Note>{IMPORT.importOnlyGood}</Note>}
        {imported > 0 && isRunning && (
          <Note tone={isReal ? 'warning' : 'test'}>{isReal ? IMPORT.runningNote : IMPORT.runningTest}</Note>
        )}
        {work !== null && work.kind !== 'download' && <Progress work={work} />}
        <div className={styles['buttons']}>
          <Button icon="left" onClick={onBack}>
            {IMPORT.back}
          </Button>
          <Button icon="upload" onClick={state.reset}>
            {IMPORT.change}
          </Button>
          {imported > 0 ? (
            <Button kind="primary" busy={work !== null} onClick={() => (isReal ? setAsking(true) : state.import())}>
              {IMPORT.import(imported)}
            </Button>
          ) : (
            isUnchanged && <NextStep campaign={campaign} />
          )}
        </div>
      </Panel>
      {skipped > 0 && (
        <Panel
          title={wrong > 0 ? IMPORT.problemsHeading : IMPORT.knownHeading}
          actions={
            <Button small icon="download" busy={work !== null} onClick={state.download}>
              {downloadLabel(checked, skipped)}
            </Button>
          }
        >
          {wrong > 0 && <p className={classNames(styles['muted'], styles['before'])}>{IMPORT.downloadHint}</p>}
          <ProblemList key={`${wrong}-${known}`} checked={checked} />
        </Panel>
      )}
      {asking && (
        <ConfirmDialog
          title={IMPORT.runningTitle}
          action={IMPORT.import(imported)}
          busy={isImporting}
          failed={failed}
          onConfirm={state.import}
          onClose={() => setAsking(false)}
        >
          <p>{IMPORT.runningConfirm(imported, amount)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
