import { useQuery } from '@tanstack/react-query';
import type { Account } from '../api/client.ts';
import { publicQuita } from '../api/quita.ts';

/** What the deployment is: asked once. */
export const useConsole = () =>
  useQuery({ queryKey: ['console'], queryFn: () => publicQuita.getConsole(), staleTime: Number.POSITIVE_INFINITY });

/** What a real launch lacks. Where a company confirms itself, the verification waits for its owner, not for an operator. */
export function useNeeds(missing: Account['missing']) {
  const isOwn = useConsole().data?.verification === 'own';
  return missing.map((need) => (need === 'verification' && isOwn ? 'own_verification' : need));
}
