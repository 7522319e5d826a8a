import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MoveSandboxClockBody } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { SIMULATOR } from '../../texts/simulator.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import styles from './simulator.module.css';

type Command = MoveSandboxClockBody['command'];

/** Gives time to read and to answer: the simulated days of a campaign stand still, or pass one by one. */
export function Clock({ campaignId }: { readonly campaignId: string }) {
  const queryKey = ['sandbox-clock', campaignId];
  const clock = useQuery({ queryKey, queryFn: () => quita.getSandboxClock({ path: { campaignId } }) });
  const isHeld = clock.data?.state === 'held';
  return (
    <fieldset className={styles['quick']}>
      <legend>{SIMULATOR.clockOf}</legend>
      <p>{isHeld ? SIMULATOR.held : SIMULATOR.running}</p>
      <Move campaignId={campaignId} command={isHeld ? 'release' : 'hold'} />
      <Move campaignId={campaignId} command="passDay" />
    </fieldset>
  );
}

function Move({ campaignId, command }: { readonly campaignId: string; readonly command: Command }) {
  const queries = useQueryClient();
  const move = useSubmit(async () => {
    await quita.moveSandboxClock({ path: { campaignId }, body: { command } }, { idempotencyKey: true });
    announce(SIMULATOR.moved[command]);
    await queries.invalidateQueries({ queryKey: ['sandbox-clock', campaignId] });
  });
  return (
    <>
      <Button small busy={move.busy} onClick={() => void move.run()}>
        {SIMULATOR[command]}
      </Button>
      <ProblemSummary failed={move.failed} />
    </>
  );
}
