import { lazy, Suspense } from 'react';
import { PACE, useLive } from '../../live/use-live.ts';
import { useDashboard, useSandboxOnly } from '../../shell/use-dashboard.ts';
import { HOME } from '../../texts/home.ts';
import { Chips } from '../../ui/chips.tsx';
import { Loaded, PageHeader, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { FirstRun } from './first-run.tsx';
import { NextSheet, useOnlyExamples } from './next-sheet.tsx';

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
            {onlyExamples === true && <NextSheet />}
            <Overview data={data} events={events} />
          </Suspense>
        )}
      </Loaded>
    </>
  );
}
