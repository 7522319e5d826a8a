import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { isCertain, WAITS } from './next-step.ts';

/** The data of another person never stand in for those of this one. */
const alone = { placeholderData: () => undefined } as const;

export const useDebt = (id: string) =>
  useQuery({ queryKey: ['debt', id], queryFn: () => quita.getDebt({ path: { id } }), ...alone });

/** What the screen asks about a debt beyond the debt itself. */
export function useFactsOf({ id, status, campaignId }: GetDebtResult) {
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
  const receipts = useQuery({
    queryKey: ['receipts', 'debt', id],
    queryFn: async () => (await quita.listReceipts({ query: { debtId: id } })).items,
    enabled: status === 'PAID',
    ...alone,
  });
  const settled = [campaign, eligibility, payment, receipts].every(({ isLoading }) => !isLoading);
  // The first picture has everything in its place; later answers change only what they are about.
  const [ready, setReady] = useState(settled);
  useEffect(() => {
    if (settled) setReady(true);
  }, [settled]);
  return { ready, campaign, eligibility: eligibility.data, payment: payment.data, receipts: receipts.data };
}
