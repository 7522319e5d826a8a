import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { quita } from '../../api/quita.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { INBOX } from '../../texts/inbox.ts';
import { Loaded } from '../../ui/page.tsx';
import { useShortcuts } from '../../use-shortcuts.ts';
import type { Draft, Written } from './answer.tsx';
import { CasesOfPerson, CaseTeam, EndedMeanwhile } from './case-team.tsx';
import type { Case } from './cases.ts';
import { Conversation } from './conversation.tsx';
import { Decision, whyNotWithdraw } from './decision.tsx';
import { type Asked, DecisionDialog, type Done } from './dialogs.tsx';
import styles from './inbox.module.css';

const ON_ITS_WAY_MS = 1_000;

/** A debt as the screen asks for it. The conversation of another person never stands in for it. */
export const debtQuery = (id: string) => ({
  queryKey: ['debt', id],
  queryFn: () => quita.getDebt({ path: { id } }),
  placeholderData: () => undefined,
});

/** The conversation and the decision about one debt. */
export function OpenCase({
  id,
  cases,
  hrefOf,
  drafts,
  onAssigned,
  onDone,
}: {
  readonly id: string;
  /** The cases of the queue. */
  readonly cases: readonly Case[];
  readonly hrefOf: (id: string) => string;
  readonly onAssigned: (said: string) => Promise<void>;
  readonly drafts: Map<string, Draft>;
  readonly onDone: (done: Done) => Promise<void>;
}) {
  const one = cases.find((each) => each.id === id);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [written, setWritten] = useState<Written | null>(null);
  const field = useRef<HTMLFormElement>(null);
  const query = useQuery({ ...debtQuery(id), refetchInterval: written === null ? false : ON_ITS_WAY_MS });
  const debt = query.data;
  // While staff have the conversation, the next message may come at any moment.
  useLive(debt?.staffAnswersUntil == null ? PACE.still : PACE.running);
  const ask = (what: Asked): void => setAsked(debt === undefined || !may('work') ? null : what);
  const answer = (): void => field.current?.querySelector('textarea')?.focus();
  useShortcuts({
    r: answer,
    e: () => debt !== undefined && whyNotWithdraw(debt, false) === undefined && ask('withdraw'),
    z: () => one !== undefined && !one.solved && ask('snooze'),
  });
  const done = async (what: Done): Promise<void> => {
    setAsked(null);
    await onDone(what);
  };
  return (
    <>
      <section className={styles['conversation']} aria-label={INBOX.conversation}>
        <Loaded query={query} lines={8}>
          {(loaded) => (
            <>
              <CasesOfPerson
                cases={one === undefined ? [] : cases.filter(({ personKey }) => personKey === one.personKey)}
                openId={id}
                hrefOf={hrefOf}
              />
              {one?.solved && <EndedMeanwhile debt={loaded} />}
              <Conversation
                debt={loaded}
                sandbox={one?.sandbox ?? null}
                drafts={drafts}
                field={field}
                written={written}
                onWritten={setWritten}
              />
            </>
          )}
        </Loaded>
      </section>
      {debt !== undefined && (
        <section className={styles['decision']} aria-label={INBOX.decision}>
          <h2 className={styles['paneTitle']}>{INBOX.decision}</h2>
          <CaseTeam debt={debt} waits={one !== undefined && !one.solved} onAssigned={onAssigned} />
          <Decision debt={debt} one={one} onAsk={ask} onAnswer={answer} onDone={done} />
        </section>
      )}
      {debt !== undefined && asked !== null && (
        <DecisionDialog asked={asked} debt={debt} onClose={() => setAsked(null)} onDone={done} />
      )}
    </>
  );
}
