import { useQuery } from '@tanstack/react-query';
import type { GetDebtResult } from '../api/client.ts';
import { quita } from '../api/quita.ts';

/** The data of another person never stand in for those of this one. */
const alone = { placeholderData: () => undefined } as const;

type Status = GetDebtResult['status'];

/** Of these nothing can be offered, so nobody asks. */
const NOT_OFFERED: readonly Status[] = ['IMPORTED', 'AGREEMENT', 'PAID', 'STOPPED'];

/** The offers that stand, which the service makes when they are first asked for. */
export const useOffers = ({ id, status }: Pick<GetDebtResult, 'id' | 'status'>) =>
  useQuery({
    queryKey: ['debt', id, 'offers', status],
    queryFn: () => quita.listOffers({ path: { id } }),
    enabled: !NOT_OFFERED.includes(status),
    ...alone,
  });

/** The newest agreements of which a debt is a part. */
export const useAgreementsOf = ({ id, status }: Pick<GetDebtResult, 'id' | 'status'>) =>
  useQuery({
    queryKey: ['agreements', 'debt', id],
    queryFn: async () => (await quita.listAgreements({ query: { debtId: id, limit: 20 } })).items,
    enabled: status !== 'IMPORTED',
    ...alone,
  });

export const usePolicy = () =>
  useQuery({ queryKey: ['offers-policy'], queryFn: async () => ({ policy: await quita.getOffersPolicy() }) });
