import { lazy, Suspense } from 'react';
import { LISTINGS } from '../../texts/listings.ts';
import { RECEIPTS } from '../../texts/receipts.ts';
import { Chips } from '../../ui/chips.tsx';
import { PageHeader, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { ReceiptList } from './receipt-list.tsx';
import styles from './receipts.module.css';

const Settlements = lazy(() => import('./settlements.tsx'));
const Listings = lazy(() => import('./listings.tsx'));

/** What is shown besides the receipts themselves. */
const REPORTS: Readonly<Record<string, typeof Settlements>> = {
  recebimentos: Settlements,
  negativacoes: Listings,
};

export default function Receipts() {
  const [{ ver }, change] = useFilters(['ver']);
  const Report = REPORTS[ver];
  return (
    <>
      <PageHeader title={RECEIPTS.title}>{RECEIPTS.lead}</PageHeader>
      <div className={styles['views']}>
        <Chips
          label={RECEIPTS.views}
          options={[
            { key: '', label: RECEIPTS.receipts },
            { key: 'recebimentos', label: RECEIPTS.settlements },
            { key: 'negativacoes', label: LISTINGS.reportTitle },
          ]}
          chosen={Report === undefined ? '' : ver}
          onChoose={(key) => change({ ver: key })}
        />
      </div>
      {Report === undefined ? (
        <ReceiptList />
      ) : (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Report />
        </Suspense>
      )}
    </>
  );
}
