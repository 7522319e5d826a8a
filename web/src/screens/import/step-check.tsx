import { useMemo, useState } from 'react';
import type { Campaign } from '../../api/client.ts';
import { formatCount } from '../../format.ts';
import { IMPORT } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { Figures, Note, Panel } from '../../ui/page.tsx';
import { countCells, isFull } from './edits.ts';
import styles from './import.module.css';
import { NextStep } from './next-step.tsx';
import { ProblemList } from './problem-list.tsx';
import { type Checked as Sorted, sortProblems, warningRows } from './problems.ts';
import { Progress, StepHeading } from './steps.tsx';
import type { Import } from './use-import.ts';
import type { Checked, Columns } from './wizard-state.ts';

/** What was corrected here, whether a check has seen it, and the ways back. */
function MadeEdits({ state }: { readonly state: Import }) {
  const { edits, isStale } = state;
  const cells = countCells(edits);
  const out = edits.leftOut.size;
  if (cells + out === 0) return isStale ? <Note tone="warning">{IMPORT.staleUndone}</Note> : null;
  return (
    <Note tone={isStale ? 'warning' : 'info'}>
      <p>{isStale ? IMPORT.stale(cells, out) : IMPORT.corrected(cells, out)}</p>
      {isFull(edits) && <p>{IMPORT.fullEdits}</p>}
      <div className={styles['actions']}>
        {cells > 0 && (
          <Button small onClick={state.undoCells}>
            {IMPORT.undoCells}
          </Button>
        )}
        {out > 0 && (
          <Button small onClick={state.takeRowsBack}>
            {IMPORT.takeRowsBack}
          </Button>
        )}
      </div>
    </Note>
  );
}

/** The rows that exist already are in the file of the rows too, because they are not imported either. */
const downloadLabel = ({ known }: Sorted, skipped: number): string => {
  if (skipped === 1) return known === 0 ? IMPORT.downloadOne : IMPORT.downloadOneLeft;
  return known === 0 ? IMPORT.downloadWrong(skipped) : IMPORT.downloadLeft(skipped);
};

export function StepCheck({
  state,
  columns,
  checked: { answer, times },
  campaign,
  focus,
  onBack,
}: {
  readonly state: Import;
  readonly columns: Columns;
  readonly checked: Checked;
  readonly campaign: Campaign;
  readonly focus: boolean;
  readonly onBack: () => void;
}) {
  const { work, failed, isImporting, isStale } = state;
  const [asking, setAsking] = useState(false);
  const sorted = useMemo(() => sortProblems(answer.errors, columns.mapping), [answer, columns.mapping]);
  const warnings = useMemo(() => warningRows(answer.warnings, columns.mapping), [answer, columns.mapping]);
  const { wrong, known } = sorted;
  const { imported, amount, skipped, ignored, ignoredRows, warned } = answer;
  const checkAgain = (): void => state.check({ again: true });
  const isRunning = campaign.status === 'RUNNING';
  const isReal = isRunning && campaign.sandbox !== true;
  // Somebody wrote beside these rows that they are not to be collected, so importing them takes a second look.
  const remarks = new Set(answer.warnings.filter(({ code }) => code === 'remark').map(({ row }) => row)).size;
  const asksFirst = isReal || remarks > 0;
  const isUnchanged = imported === 0 && known > 0;
  return (
    <>
      <Panel>
        <StepHeading key={times} focus={focus || times > 1}>
          {IMPORT.checkHeading}
        </StepHeading>
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
        {ignored > 0 && <Note>{IMPORT.ignored(ignored, ignoredRows)}</Note>}
        {warned > 0 && <Note tone="warning">{IMPORT.warnedNote(warned)}</Note>}
        {imported > 0 && skipped === 0 && <Note tone="good">{IMPORT.allGood}</Note>}
        {imported > 0 && isRunning && (
          <Note tone={isReal ? 'warning' : 'test'}>{isReal ? IMPORT.runningNote : IMPORT.runningTest}</Note>
        )}
        <MadeEdits state={state} />
        {work !== null && work.kind !== 'download' && <Progress work={work} />}
        <div className={styles['buttons']}>
          <Button icon="left" onClick={onBack}>
            {IMPORT.back}
          </Button>
          <Button icon="upload" onClick={state.reset}>
            {IMPORT.change}
          </Button>
          {isStale ? (
            <Button kind="primary" busy={work !== null} onClick={checkAgain}>
              {IMPORT.checkAgain}
            </Button>
          ) : imported > 0 ? (
            <Button kind="primary" busy={work !== null} onClick={() => (asksFirst ? setAsking(true) : state.import())}>
              {IMPORT.import(imported)}
            </Button>
          ) : (
            isUnchanged && <NextStep campaign={campaign} />
          )}
        </div>
      </Panel>
      {(skipped > 0 || warned > 0) && (
        <Panel
          title={wrong > 0 ? IMPORT.problemsHeading : warned > 0 ? IMPORT.warnedHeading : IMPORT.knownHeading}
          actions={
            skipped > 0 && (
              <Button small icon="download" busy={work !== null} onClick={state.download}>
                {downloadLabel(sorted, skipped)}
              </Button>
            )
          }
        >
          {wrong + warned > 0 && <p className={classNames(styles['muted'], styles['before'])}>{IMPORT.editHint}</p>}
          {wrong > 0 && <p className={classNames(styles['muted'], styles['before'])}>{IMPORT.downloadHint}</p>}
          {warned > warnings.length && (
            <p className={classNames(styles['muted'], styles['before'])}>
              {IMPORT.warnedMore(warnings.length, warned)}
            </p>
          )}
          <ProblemList key={times} checked={sorted} warnings={warnings} state={state} />
          {isStale && (
            <div className={styles['buttons']}>
              <Button kind="primary" busy={work !== null} onClick={checkAgain}>
                {IMPORT.checkAgain}
              </Button>
            </div>
          )}
        </Panel>
      )}
      {asking && (
        <ConfirmDialog
          title={isReal ? IMPORT.runningTitle : IMPORT.remarksTitle}
          action={IMPORT.import(imported)}
          busy={isImporting}
          failed={failed}
          onConfirm={state.import}
          onClose={() => setAsking(false)}
        >
          {remarks > 0 && <Note tone="warning">{IMPORT.remarksConfirm(remarks)}</Note>}
          {isReal && <p>{IMPORT.runningConfirm(imported, amount)}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
