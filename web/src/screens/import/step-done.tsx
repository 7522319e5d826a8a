import { useMemo } from 'react';
import type { Campaign, ImportFileResult } from '../../api/client.ts';
import { IMPORT } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import styles from './import.module.css';
import { NextStep } from './next-step.tsx';
import { sortProblems } from './problems.ts';
import { StepHeading } from './steps.tsx';
import type { Import } from './use-import.ts';

const NEXT: Readonly<Partial<Record<Campaign['status'], string>>> = {
  DRAFT: IMPORT.draftNext,
  RUNNING: IMPORT.runningNext,
  PAUSED: IMPORT.pausedNext,
};

export function StepDone({
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
