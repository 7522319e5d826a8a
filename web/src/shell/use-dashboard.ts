import { useQuery } from '@tanstack/react-query';
import { quita } from '../api/quita.ts';
import { useConsole } from './use-console.ts';

/** The figures of all campaigns: tests and real ones are counted apart. */
export const useDashboard = (sandbox: boolean | undefined) =>
  useQuery({
    queryKey: ['dashboard', sandbox],
    queryFn: () => quita.getDashboard({ query: { sandbox: sandbox === true ? 'true' : 'false' } }),
    enabled: sandbox !== undefined,
  });

/** Whether everything on this deployment is a test; undefined until it is known. */
export const useSandboxOnly = (): boolean | undefined => useConsole().data?.sandboxOnly;
