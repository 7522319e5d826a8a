import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadClientAsOperatorResult } from '../../api/client.ts';
import { OPERATORS } from '../../texts/operators.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { operatorApi } from '../api.ts';

type Client = ReadClientAsOperatorResult;
type Change = 'pause' | 'resume' | 'cancel';

const WORDS = {
  pause: {
    title: OPERATORS.pauseTitle,
    text: OPERATORS.pauseText,
    action: OPERATORS.pause,
    done: OPERATORS.paused,
    send: operatorApi.pauseClientAsOperator,
  },
  resume: {
    title: OPERATORS.resumeTitle,
    text: OPERATORS.resumeText,
    action: OPERATORS.resume,
    done: OPERATORS.resumed,
    send: operatorApi.resumeClientAsOperator,
  },
  cancel: {
    title: OPERATORS.cancelTitle,
    text: OPERATORS.cancelText,
    action: OPERATORS.cancel,
    done: OPERATORS.cancelled,
    send: operatorApi.cancelClientAsOperator,
  },
} as const;

/** What the status allows. A cancelled company stays cancelled. */
export function StatusActions({ client }: { readonly client: Client }) {
  const [asked, ask] = useState<Change | null>(null);
  if (client.status === 'CANCELLED') return null;
  const next = client.status === 'PAUSED' ? 'resume' : 'pause';
  return (
    <>
      <Button icon={next === 'pause' ? 'pause' : 'play'} onClick={() => ask(next)}>
        {WORDS[next].action}
      </Button>
      <Button kind="danger" onClick={() => ask('cancel')}>
        {OPERATORS.cancel}
      </Button>
      {asked !== null && <Confirm change={asked} client={client} onClose={() => ask(null)} />}
    </>
  );
}

function Confirm({
  change,
  client: { id, name },
  onClose,
}: {
  readonly change: Change;
  readonly client: Client;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { title, text, action, done, send } = WORDS[change];
  const submit = useSubmit(async () => {
    await send({ path: { id } });
    onClose();
    announce(done);
    await queries.invalidateQueries();
    // The buttons of a cancelled company are gone, and the focus would be with them.
    if (change === 'cancel') document.querySelector('h1')?.focus();
  });
  return (
    <ConfirmDialog
      title={title(name)}
      action={action}
      stay={OPERATORS.stay}
      danger={change === 'cancel'}
      {...(change === 'cancel' && { typed: name })}
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={() => void submit.run()}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
