import { useQuery } from '@tanstack/react-query';

interface ConsoleFacts {
  readonly version: string;
  /** Nothing can leave this deployment: every launch is a test. */
  readonly sandboxOnly: boolean;
  readonly identity: { readonly issuer: string; readonly clientId: string } | null;
}

const read = async (): Promise<ConsoleFacts> => (await (await fetch('/api/console')).json()) as ConsoleFacts;

/** What the deployment is: asked once. */
export const useConsole = () => useQuery({ queryKey: ['console'], queryFn: read, staleTime: Number.POSITIVE_INFINITY });
