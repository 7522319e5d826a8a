import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import type { Tone } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const EVERY_MS = 3_000;
const SHOWN = 20;

const TONE: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'contact',
  delivered: 'paid',
  failed: 'danger',
};

/** The latest deliveries of one address, with what it answered. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
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
