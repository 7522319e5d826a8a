import { IMPORT } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/page.tsx';
import { countCells, isFull } from './edits.ts';
import styles from './import.module.css';
import type { Import } from './use-import.ts';

/** What was corrected here, whether a check has seen it, and the ways back. */
export function MadeEdits({ state }: { readonly state: Import }) {
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
