import { useEffect, useRef } from 'react';
import { Note } from '../../ui/page.tsx';
import type { Outcome } from '../bulk/outcome.ts';
import { OutcomeReport } from '../bulk/outcome-report.tsx';

/**
 * What an action on marked debts has done. It takes the focus, because the pressed button is gone. It stands outside the
 * list, because the action may have left the filter without any debt.
 */
export function ActionReport({ outcome }: { readonly outcome: Outcome }) {
  const report = useRef<HTMLDivElement>(null);
  // The closing dialog gives the focus back first, so the report takes it after each new outcome.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome is what the focus follows.
  useEffect(() => report.current?.focus(), [outcome]);
  return (
    <div ref={report} tabIndex={-1}>
      <Note tone={outcome.tone}>
        <OutcomeReport outcome={outcome} />
      </Note>
    </div>
  );
}
