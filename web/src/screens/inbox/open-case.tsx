import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { quita } from '../../api/quita.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { INBOX } from '../../texts/inbox.ts';
import { Loaded } from '../../ui/page.tsx';
import { useShortcuts } from '../../use-shortcuts.ts';
import type { Written } from './answer.tsx';
import type { Case } from './cases.ts';
import { Conversation } from './conversation.tsx';
import { Decision } from './decision.tsx';
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
  one,
  drafts,
  onDone,
}: {
  readonly id: string;
  readonly one: Case | undefined;
  readonly drafts: Map<string, string>;
  readonly onDone: (done: Done) => Promise<void>;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [written, setWritten] = useState<Written | null>(null);
  const field = useRef<HTMLFormElement>(null);
  const query = useQuery({ ...debtQuery(id), refetchInterval: written === null ? false : ON_ITS_WAY_MS });
  const debt = query.data;
  // While staff have the conversation, the next message may come at any moment.
  useLive(debt?.staffAnswersUntil == null ? PACE.still : PACE.running);
  const ask = (what: Asked): void => setAsked(debt === undefined ? null : what);
  const answer = (): void => field.current?.querySelector('textarea')?.focus();
  useShortcuts({
    r: answer,
    e: () => debt?.status !== 'PAID' && debt?.status !== 'STOPPED' && ask('withdraw'),
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
            <Conversation
              debt={loaded}
              sandbox={one?.sandbox ?? null}
              drafts={drafts}
              field={field}
              written={written}
              onWritten={setWritten}
            />
          )}
        </Loaded>
      </section>
      {debt !== undefined && (
        <section className={styles['decision']} aria-label={INBOX.decision}>
          <h2 className={styles['paneTitle']}>{INBOX.decision}</h2>
          <Decision debt={debt} one={one} onAsk={ask} onAnswer={answer} onDone={done} />
        </section>
      )}
      {debt !== undefined && asked !== null && (
        <DecisionDialog asked={asked} debt={debt} onClose={() => setAsked(null)} onDone={done} />
      )}
    </>
  );
}
