import { lazy, Suspense } from 'react';
import { may } from '../../session/may.ts';
import { RECEIVED } from '../../texts/received.ts';
import { Chips } from '../../ui/chips.tsx';
import { PageHeader, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import styles from './received.module.css';
import { SendFile } from './send-file.tsx';

const Undecided = lazy(() => import('./undecided.tsx'));

/** What was paid elsewhere: a file of payments, and the payments of which nobody knows the debt. */
export default function Received() {
  const [{ ver }, change] = useFilters(['ver']);
  const sends = may('manage');
  const isOpen = ver === 'abertos' || !sends;
  return (
    <>
      <PageHeader title={RECEIVED.title}>{RECEIVED.lead}</PageHeader>
      {sends && (
        <div className={styles['views']}>
          <Chips
            label={RECEIVED.views}
            options={[
              { key: '', label: RECEIVED.file },
              { key: 'abertos', label: RECEIVED.open },
            ]}
            chosen={isOpen ? 'abertos' : ''}
            onChoose={(key) => change({ ver: key })}
          />
        </div>
      )}
      {isOpen ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Undecided />
        </Suspense>
      ) : (
        <SendFile onDecide={() => change({ ver: 'abertos' })} />
      )}
    </>
  );
}
