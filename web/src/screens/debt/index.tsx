import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { useAgreementsOf, useOffers } from '../../agreements/use-agreements.ts';
import type { GetDebtResult, Quote } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoney } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { DEBT } from '../../texts/debt.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { placeOfPhone } from '../../timeline/zone.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { OwedLines } from '../../ui/owed-lines.tsx';
import { Loaded, PageHeader, Panel, Skeleton } from '../../ui/page.tsx';
import { DebtStatusBadge, TestBadge } from '../../ui/status.tsx';
import { AgreementPanel } from './agreement-panel.tsx';
import styles from './debt.module.css';
import { EvidencePanel } from './evidence-panel.tsx';
import { History } from './history.tsx';
import { ListingsPanel, useListings } from './listings-panel.tsx';
import { NextPanel } from './next-panel.tsx';
import { isCertain, WAITS } from './next-step.ts';
import { OtherDebtsPanel, useOtherDebts } from './other-debts-panel.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { PaymentsPanel } from './payments-panel.tsx';
import { PersonPanel } from './person-panel.tsx';
import { ReceiptLinks } from './receipt-links.tsx';
import { Score } from './score.tsx';
import { isUndoable, UndoPayment } from './undo-payment.tsx';

/** The data of another person never stand in for those of this one. */
const alone = { placeholderData: () => undefined } as const;

const useDebt = (id: string) =>
  useQuery({ queryKey: ['debt', id], queryFn: () => quita.getDebt({ path: { id } }), ...alone });

/** What the screen asks about a debt beyond the debt itself. */
function useFactsOf(debt: GetDebtResult) {
  const { id, status, campaignId } = debt;
  const waits = WAITS.has(status);
  const campaign = useQuery({
    queryKey: ['campaign', campaignId],
    queryFn: () => quita.getCampaign({ path: { id: campaignId } }),
    ...alone,
  });
  const eligibility = useQuery({
    queryKey: ['debt', id, 'eligibility', waits ? 'resumed' : 'now'],
    queryFn: () => quita.getContactEligibility({ path: { id }, ...(waits && { query: { resumed: 'true' } }) }),
    enabled: !isCertain(status),
    ...alone,
  });
  const payment = useQuery({
    queryKey: ['debt', id, 'payment'],
    queryFn: () => quita.readPayment({ path: { debtId: id } }),
    enabled: status !== 'IMPORTED',
    ...alone,
  });
  const payments = useQuery({
    queryKey: ['debt', id, 'payments'],
    queryFn: async () => (await quita.listDebtPayments({ path: { id } })).items,
    enabled: status !== 'IMPORTED',
    ...alone,
  });
  const receipts = useQuery({
    queryKey: ['receipts', 'debt', id],
    queryFn: async () => (await quita.listReceipts({ query: { debtId: id } })).items,
    enabled: status === 'PAID',
    ...alone,
  });
  const quote = useQuery({
    queryKey: ['debt', id, 'quote'],
    queryFn: () => quita.quoteDebt({ path: { id } }),
    // An agreement says what is owed of its debts.
    enabled: status !== 'PAID' && status !== 'STOPPED' && status !== 'AGREEMENT',
    ...alone,
  });
  const offers = useOffers({ id, status });
  const agreements = useAgreementsOf({ id, status });
  const others = useOtherDebts(debt);
  const listings = useListings(debt);
  const settled = [
    campaign,
    eligibility,
    payment,
    payments,
    receipts,
    quote,
    offers,
    agreements,
    others,
    listings,
  ].every(({ isLoading }) => !isLoading);
  // The first picture has everything in its place; later answers change only what they are about.
  const [ready, setReady] = useState(settled);
  useEffect(() => {
    if (settled) setReady(true);
  }, [settled]);
  return {
    ready,
    campaign,
    eligibility: eligibility.data,
    payment: payment.data,
    payments: payments.data,
    receipts: receipts.data,
    quote: quote.data,
    offers: offers.data,
    agreements: agreements.data,
    others: others.data ?? [],
    listings: listings.data ?? [],
  };
}

/** What the debt has become with fine, interest, correction and what was paid of it. */
function OwedToday({ quote }: { readonly quote: Quote }) {
  const clause = quote.terms?.clause ?? null;
  // Without terms and payments a debt owes its amount, which stands above.
  if (quote.terms === null && quote.paid === 0) return null;
  return (
    <Panel title={DEBT.owedToday}>
      <OwedLines owed={quote} />
      {quote.paid > 0 && <p className={styles['muted']}>{DEBT.paidSoFar(formatMoney(quote.paid))}</p>}
      {clause !== null && <p className={styles['muted']}>{DEBT.clause(inWrittenOrder(clause))}</p>}
    </Panel>
  );
}

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
  const { ready, campaign, eligibility, payment, payments, receipts, quote, offers, agreements, others, listings } =
    useFactsOf(debt);
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
          <PersonPanel debt={debt} place={place} campaignName={campaign.data?.name} isTest={isTest} />
          <div className={styles['columns']}>
            <div className={styles['next']}>
              <NextPanel debt={debt} eligibility={eligibility} zone={place.zone} isTest={isTest} />
              <AgreementPanel debt={debt} offers={offers} agreements={agreements} />
              <OtherDebtsPanel others={others} isCompany={debt.debtorCnpj !== null} />
            </div>
            <div className={styles['history']}>
              <History
                debt={debt}
                place={place}
                isTest={isTest}
                stepActions={(entry) => {
                  if (isUndoable(entry, debt.timeline)) return <UndoPayment debtId={debt.id} entry={entry} />;
                  if (entry.kind !== 'receipt_issued') return null;
                  const receipt = receipts?.find(({ protocol }) => protocol === entry.protocol);
                  return receipt === undefined ? null : <ReceiptLinks receipt={receipt} small />;
                }}
              />
            </div>
            <div className={styles['rest']}>
              {quote !== undefined && <OwedToday quote={quote} />}
              <PaymentPanel debt={debt} payment={payment} receipts={receipts} zone={place.zone} />
              <ListingsPanel debt={debt} listings={listings} />
              <PaymentsPanel payments={payments ?? []} zone={place.zone} />
              <Score debt={debt} />
              {may('review') && <EvidencePanel debtId={debt.id} />}
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
