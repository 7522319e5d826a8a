import { lazy, Suspense } from 'react';
import { RECEIPTS } from '../../texts/receipts.ts';
import { Chips } from '../../ui/chips.tsx';
import { PageHeader, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { ReceiptList } from './receipt-list.tsx';
import styles from './receipts.module.css';

const Settlements = lazy(() => import('./settlements.tsx'));

export default function Receipts() {
  const [{ ver }, change] = useFilters(['ver']);
  const isReport = ver === 'recebimentos';
  return (
    <>
      <PageHeader title={RECEIPTS.title}>{RECEIPTS.lead}</PageHeader>
      <div className={styles['views']}>
        <Chips
          label={RECEIPTS.views}
          options={[
            { key: '', label: RECEIPTS.receipts },
            { key: 'recebimentos', label: RECEIPTS.settlements },
          ]}
          chosen={isReport ? 'recebimentos' : ''}
          onChoose={(key) => change({ ver: key })}
        />
      </div>
      {isReport ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Settlements />
        </Suspense>
      ) : (
        <ReceiptList />
      )}
    </>
  );
}
