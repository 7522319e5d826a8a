import { useQuery } from '@tanstack/react-query';
import { publicQuita } from '../api/quita.ts';

/** What the deployment is: asked once. */
export const useConsole = () =>
  useQuery({ queryKey: ['console'], queryFn: () => publicQuita.getConsole(), staleTime: Number.POSITIVE_INFINITY });
