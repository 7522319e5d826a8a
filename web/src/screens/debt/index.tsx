import { useParams } from 'wouter';
import type { GetDebtResult } from '../../api/client.ts';
import { formatMoney } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { DEBT } from '../../texts/debt.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { placeOfPhone } from '../../timeline/zone.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded, PageHeader, Skeleton } from '../../ui/page.tsx';
import { DebtStatusBadge, TestBadge } from '../../ui/status.tsx';
import styles from './debt.module.css';
import { History } from './history.tsx';
import { NextPanel } from './next-panel.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { Person } from './person.tsx';
import { ReceiptLinks } from './receipt-links.tsx';
import { Score } from './score.tsx';
import { useDebt, useFactsOf } from './use-debt.ts';

const LINES = 10;

export default function DebtScreen() {
  const { id = '' } = useParams();
  useLive(PACE.running);
  const query = useDebt(id);
  if (query.data !== undefined) return <Shown key={id} debt={query.data} />;
  return (
    <>
      <PageHeader title={DEBT.title} />
      <div aria-busy={query.isPending}>
        <Loaded query={query} lines={LINES}>
          {() => null}
        </Loaded>
      </div>
      {query.isError && <ButtonLink to="/dividas">{DEBT.toList}</ButtonLink>}
    </>
  );
}

function Shown({ debt }: { readonly debt: GetDebtResult }) {
  const { ready, campaign, eligibility, payment, receipts } = useFactsOf(debt);
  const isTest = campaign.data?.sandbox === true;
  const place = placeOfPhone(debt.debtorPhone);
  return (
    <>
      <PageHeader
        title={inWrittenOrder(debt.debtorName)}
        documentTitle={DEBT.title}
        badges={
          <>
            <DebtStatusBadge status={debt.status} />
            {isTest && <TestBadge />}
          </>
        }
      >
        <p className={styles['amount']}>{formatMoney(debt.originalAmount)}</p>
      </PageHeader>
      {ready ? (
        <>
          <Person debt={debt} place={place} campaignName={campaign.data?.name} isTest={isTest} />
          <div className={styles['columns']}>
            <div className={styles['next']}>
              <NextPanel debt={debt} eligibility={eligibility} zone={place.zone} isTest={isTest} />
            </div>
            <div className={styles['history']}>
              <History
                debt={debt}
                place={place}
                isTest={isTest}
                stepActions={(entry) => {
                  if (entry.kind !== 'receipt_issued') return null;
                  const receipt = receipts?.find(({ protocol }) => protocol === entry.protocol);
                  return receipt === undefined ? null : <ReceiptLinks receipt={receipt} small />;
                }}
              />
            </div>
            <div className={styles['rest']}>
              <PaymentPanel debt={debt} payment={payment} receipts={receipts} zone={place.zone} />
              <Score debt={debt} />
            </div>
          </div>
        </>
      ) : (
        <div aria-busy="true">
          <Skeleton lines={LINES} />
        </div>
      )}
    </>
  );
}
