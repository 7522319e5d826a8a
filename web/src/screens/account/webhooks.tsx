import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Webhook, WebhookDelivery } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { EVENT_CHOICE, EVENT_TYPE, EVENT_TYPES } from '../../texts/event-types.ts';
import type { Tone } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { CheckboxField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';
import { SecretDialog } from './secret-dialog.tsx';

const EVERY_MS = 3_000;
const SHOWN = 20;

const TONE: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'contact',
  delivered: 'paid',
  failed: 'danger',
};

/** The latest deliveries of one address, with what it answered. */
function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const queries = useQueryClient();
  const key = ['webhooks', webhookId, 'deliveries'] as const;
  const query = useQuery({
    queryKey: key,
    queryFn: () => quita.listWebhookDeliveries({ path: { id: webhookId }, query: { limit: SHOWN } }),
    refetchInterval: EVERY_MS,
  });
  const redeliver = async (deliveryId: string): Promise<void> => {
    await quita.redeliverEvent({ path: { id: webhookId, deliveryId } }, { idempotencyKey: true });
    announce(ACCOUNT.redelivered);
    await queries.invalidateQueries({ queryKey: key });
  };
  const columns: readonly Column<WebhookDelivery>[] = [
    { key: 'when', label: ACCOUNT.when, short: true, cell: ({ createdAt }) => formatMoment(createdAt) },
    { key: 'event', label: ACCOUNT.event, cell: ({ type }) => type },
    {
      key: 'result',
      label: ACCOUNT.result,
      wide: true,
      cell: ({ state, attempts, lastStatus, lastError }) => (
        <>
          <Badge tone={TONE[state]} label={ACCOUNT.deliveryState[state]} />
          {` ${[ACCOUNT.attempts(attempts), lastStatus, lastError].filter((part) => part !== null).join(' · ')}`}
        </>
      ),
    },
    {
      key: 'again',
      label: '',
      cell: ({ id, state }) =>
        state !== 'pending' && (
          <Button small onClick={() => void redeliver(id)}>
            {ACCOUNT.redeliver}
          </Button>
        ),
    },
  ];
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{ACCOUNT.noDeliveries}</p>
        ) : (
          <Table caption={ACCOUNT.deliveries} columns={columns} rows={items} rowKey={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

const KEY = ['webhooks'] as const;

/** The addresses of the company's systems that hear of each change. */
export function Webhooks() {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.listWebhooks({ query: { limit: 100 } }) });
  const add = useSubmit(async (data) => {
    const types = EVENT_TYPES.filter((type) => data.has(type));
    const made = await quita.createWebhook({ body: { url: textOf(data, 'url'), types } }, { idempotencyKey: true });
    form.current?.reset();
    setSecret(made.secret);
    announce(ACCOUNT.addedWebhook);
    await queries.invalidateQueries({ queryKey: KEY });
  });
  return (
    <Panel title={ACCOUNT.webhooks}>
      <p className={styles['muted']}>{ACCOUNT.webhooksText}</p>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['muted']}>{ACCOUNT.noWebhooks}</p>
          ) : (
            <ul>
              {items.map((webhook) => (
                <WebhookItem key={webhook.id} webhook={webhook} onSecret={setSecret} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <form ref={form} onSubmit={add.onSubmit} className={styles['webhook']}>
        <ProblemSummary failed={add.failed} />
        <TextField
          label={ACCOUNT.url}
          name="url"
          type="url"
          autoComplete="off"
          maxLength={2000}
          required
          error={add.errorAt('/url')}
        />
        <details>
          <summary>{EVENT_CHOICE.title}</summary>
          <p className={styles['muted']}>{EVENT_CHOICE.lead}</p>
          <fieldset>
            <legend className="visually-hidden">{ACCOUNT.types}</legend>
            {EVENT_TYPES.map((type) => (
              <CheckboxField key={type} label={EVENT_TYPE[type]} hint={type} name={type} />
            ))}
          </fieldset>
        </details>
        <Button type="submit" icon="plus" busy={add.busy}>
          {ACCOUNT.addWebhook}
        </Button>
      </form>
      {secret !== null && (
        <SecretDialog
          title={ACCOUNT.secret}
          text={ACCOUNT.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Panel>
  );
}

function WebhookItem({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}) {
  const { id, url, types, state, disabledReason } = webhook;
  const queries = useQueryClient();
  const [asking, ask] = useState<'delete' | 'rotate' | null>(null);
  const [shown, show] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: KEY });
  const test = useSubmit(async () => {
    await quita.testWebhook({ path: { id } }, { idempotencyKey: true });
    announce(ACCOUNT.tested);
    show(true);
  });
  const change = useSubmit(async () => {
    await quita.changeWebhook({ path: { id }, body: { state: state === 'active' ? 'disabled' : 'active' } });
    await refresh();
  });
  const rotate = useSubmit(async () => {
    const { secret } = await quita.changeWebhook({ path: { id }, body: { rotateSecret: true } });
    ask(null);
    if (secret !== undefined && secret !== null) onSecret(secret);
    await refresh();
  });
  const remove = useSubmit(async () => {
    await quita.deleteWebhook({ path: { id } });
    ask(null);
    announce(ACCOUNT.deleted);
    await refresh();
  });
  const failed = test.failed ?? change.failed;
  return (
    <li className={styles['webhook']}>
      <p className={styles['command']}>
        <strong>{url}</strong>{' '}
        <Badge tone={state === 'active' ? 'paid' : 'ended'} label={ACCOUNT.webhookState[state]} />
      </p>
      {disabledReason !== null && <p className={styles['muted']}>{ACCOUNT.disabledReason[disabledReason]}</p>}
      <p className={styles['muted']}>
        {`${ACCOUNT.types}: ${types.length === EVENT_TYPES.length ? ACCOUNT.allTypes : types.join(', ')}`}
      </p>
      <ProblemSummary failed={failed} />
      <div className={styles['buttons']}>
        <Button small busy={test.busy} onClick={() => void test.run()}>
          {ACCOUNT.test}
        </Button>
        <Button small aria-expanded={shown} onClick={() => show(!shown)}>
          {ACCOUNT.deliveries}
        </Button>
        <Button small busy={change.busy} onClick={() => void change.run()}>
          {state === 'active' ? ACCOUNT.disable : ACCOUNT.enable}
        </Button>
        <Button small onClick={() => ask('rotate')}>
          {ACCOUNT.rotate}
        </Button>
        <Button small kind="danger" onClick={() => ask('delete')}>
          {ACCOUNT.delete}
        </Button>
      </div>
      {shown && <Deliveries webhookId={id} />}
      {asking === 'rotate' && (
        <ConfirmDialog
          title={ACCOUNT.rotate}
          action={ACCOUNT.rotate}
          busy={rotate.busy}
          failed={rotate.failed}
          onConfirm={() => void rotate.run()}
          onClose={() => ask(null)}
        >
          <p>{ACCOUNT.rotateText}</p>
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={ACCOUNT.delete}
          action={ACCOUNT.delete}
          danger
          busy={remove.busy}
          failed={remove.failed}
          onConfirm={() => void remove.run()}
          onClose={() => ask(null)}
        >
          <p>{ACCOUNT.deleteText}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
