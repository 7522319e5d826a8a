import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { quita } from './api/quita.ts';
import { CAMPAIGNS } from './texts/campaigns.ts';
import { announce } from './ui/announce.tsx';
import { type Submit, useSubmit } from './ui/form.tsx';

let isWanted = false;

/** Whoever signs up may ask to begin with the example; the first screen after it makes it, once. */
export const beginWithExample = (): void => {
  isWanted = true;
};

/** Whether the example was asked for at the sign-up. Asking again says no. */
export function takeWantedExample(): boolean {
  const was = isWanted;
  isWanted = false;
  return was;
}

/** Makes the example campaign and leads to its rehearsal. */
export function useExample(): Submit {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  return useSubmit(async () => {
    const { id } = await quita.createExample({}, { idempotencyKey: true });
    announce(CAMPAIGNS.exampleMade);
    void queries.invalidateQueries({ queryKey: ['campaigns'] });
    navigate(`/campanhas/${id}/ensaio`);
  });
}
