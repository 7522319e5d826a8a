import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RegenerateReceiptsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { RECEIPTS } from '../../texts/receipts.ts';
import { wordOf } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import styles from './receipts.module.css';

interface Progress {
  readonly looked: number;
  readonly regenerated: number;
  readonly skipped: number;
  readonly failed: RegenerateReceiptsResult['failed'];
}

const START: Progress = { looked: 0, regenerated: 0, skipped: 0, failed: [] };
const PAGE = 100;

const add = (before: Progress, page: RegenerateReceiptsResult): Progress => ({
  looked: before.looked + page.total,
  regenerated: before.regenerated + page.regenerated,
  skipped: before.skipped + page.skipped,
  failed: [...before.failed, ...page.failed],
});

export interface ReceiptFilter {
  readonly q?: string;
  readonly campaignId?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Draws the receipts that are shown again, page by page, and can be stopped between two pages. */
export function RedrawDialog({ filter, onClose }: { readonly filter: ReceiptFilter; readonly onClose: () => void }) {
  const isFiltered = Object.keys(filter).length > 0;
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isOver, setOver] = useState(false);
  const stopped = useRef(false);
  const submit = useSubmit(async (form) => {
    const force = form.get('force') === 'on' ? 'true' : 'false';
    stopped.current = false;
    setOver(false);
    let sum = START;
    setProgress(sum);
    for (let skip: number | null = 0; skip !== null && !stopped.current; ) {
      const page: RegenerateReceiptsResult = await quita.regenerateReceipts({
        query: { force, skip, take: PAGE },
        body: filter,
      });
      sum = add(sum, page);
      setProgress(sum);
      skip = page.nextSkip;
    }
    setOver(true);
    announce(RECEIPTS.redrawDone(sum.regenerated, sum.skipped));
    await queries.invalidateQueries({ queryKey: ['receipts'] });
  });
  const close = (): void => {
    stopped.current = true;
    onClose();
  };
  return (
    <Dialog title={isFiltered ? RECEIPTS.redrawShown : RECEIPTS.redraw} onClose={close}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p>{RECEIPTS.redrawText}</p>
        {isFiltered && <p>{RECEIPTS.redrawShownText}</p>}
        <CheckboxField label={RECEIPTS.redrawForce} name="force" />
        {progress !== null && (
          <p role="status">
            {isOver
              ? RECEIPTS.redrawDone(progress.regenerated, progress.skipped)
              : RECEIPTS.redrawProgress(progress.looked)}
          </p>
        )}
        {progress !== null && progress.failed.length > 0 && (
          <>
            <p>{RECEIPTS.redrawFailed(progress.failed.length)}</p>
            <ul>
              {progress.failed.slice(0, PAGE).map(({ paymentId, protocol, code }) => (
                <li key={paymentId}>{`${protocol ?? paymentId}: ${wordOf(RECEIPTS.failedCodes, code)}`}</li>
              ))}
            </ul>
          </>
        )}
        <div className={styles['more']}>
          {submit.busy ? (
            <Button
              onClick={() => {
                stopped.current = true;
              }}
            >
              {RECEIPTS.redrawStop}
            </Button>
          ) : (
            <Button type="submit" kind="primary">
              {RECEIPTS.redrawStart}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
