import { quita } from '../api/quita.ts';

/** What the member has besides the password. */
export const FACTORS = { queryKey: ['factors'], queryFn: () => quita.readFactors() } as const;
