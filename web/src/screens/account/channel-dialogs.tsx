import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ConnectChannelBody, TestChannelResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { CHANNELS as TEXT } from '../../texts/channels.ts';
import { CHANNEL } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import styles from './account.module.css';

interface OfChannel {
  readonly channel: Channel['channel'];
  readonly onClose: () => void;
}

/** What is shown of channels elsewhere changes with each of them. */
function useRefresh() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: ['channels'] });
    await queries.invalidateQueries({ queryKey: ['account'] });
  };
}

/** Connects a sender, which the channel checks at once. */
export function ConnectChannel({ channel, onClose }: OfChannel) {
  const refresh = useRefresh();
  const fields = TEXT.fieldsOf(channel);
  const connect = useSubmit(async (form) => {
    const given = fields.flatMap(({ name }) => (textOf(form, name) === '' ? [] : [[name, textOf(form, name)]]));
    // The form has the fields that the body of this channel has.
    const body = { channel, ...Object.fromEntries(given) } as ConnectChannelBody;
    await quita.connectChannel({ body }, { idempotencyKey: true });
    await refresh();
    announce(TEXT.connected);
    onClose();
  });
  const title = TEXT.connect(CHANNEL[channel]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={connect.onSubmit}>
        <ProblemSummary failed={connect.failed} />
        {fields.length === 0 && <Note tone="info">{TEXT.emailHelp}</Note>}
        {fields.map(({ name, label, hint, secret, optional }) => {
          const Field = secret ? PasswordField : TextField;
          return (
            <Field
              key={name}
              label={label}
              hint={hint}
              name={name}
              autoComplete="off"
              maxLength={1024}
              required={!optional}
              error={connect.errorAt(`/${name}`)}
            />
          );
        })}
        {fields.length > 0 && <p className={styles['muted']}>{TEXT.secrets}</p>}
        <Button type="submit" kind="primary" busy={connect.busy}>
          {title}
        </Button>
      </form>
    </Dialog>
  );
}

/** Sends one message that asks for nothing, and says what the channel answered. */
export function TestChannel({ channel, onClose }: OfChannel) {
  const [answer, setAnswer] = useState<TestChannelResult | null>(null);
  const test = useSubmit(async (form) => {
    setAnswer(null);
    setAnswer(
      await quita.testChannel({ path: { channel }, body: { to: textOf(form, 'to') } }, { idempotencyKey: true }),
    );
  });
  return (
    <Dialog title={TEXT.test(CHANNEL[channel])} onClose={onClose} isUnsaved={() => false}>
      <form onSubmit={test.onSubmit}>
        <ProblemSummary failed={test.failed} />
        <p className={styles['muted']}>{TEXT.testText}</p>
        <TextField
          label={channel === 'email' ? TEXT.toEmail : TEXT.toPhone}
          name="to"
          type={channel === 'email' ? 'email' : 'tel'}
          maxLength={255}
          required
          error={test.errorAt('/to')}
        />
        <div role="status">
          {answer?.outcome === 'accepted' && <Note tone="info">{TEXT.accepted}</Note>}
          {answer?.outcome === 'refused' && <Note tone="warning">{TEXT.refusedBecause(answer.kind)}</Note>}
        </div>
        <Button type="submit" kind="primary" busy={test.busy}>
          {TEXT.send}
        </Button>
      </form>
    </Dialog>
  );
}

export function DisconnectChannel({ channel, onClose }: OfChannel) {
  const refresh = useRefresh();
  const disconnect = useSubmit(async () => {
    await quita.disconnectChannel({ path: { channel } });
    await refresh();
    announce(TEXT.disconnected);
    onClose();
  });
  const title = TEXT.disconnect(CHANNEL[channel]);
  return (
    <ConfirmDialog
      title={title}
      action={title}
      danger
      busy={disconnect.busy}
      failed={disconnect.failed}
      onConfirm={() => void disconnect.run()}
      onClose={onClose}
    >
      <p>{TEXT.disconnectText}</p>
    </ConfirmDialog>
  );
}
