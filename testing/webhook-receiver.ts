/** A fake of the webhook route, which checks the signature like the service and stores accepted notifications. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '../src/modules/payments/adapters/webhook-verifier/webhook-verifier.ts';

export interface ReceivedNotification {
  readonly path: string;
  readonly account: string | null;
  readonly type: string | null;
  readonly dataId: string | null;
  readonly body: unknown;
}

export async function startWebhookReceiver(secret: string) {
  const received: ReceivedNotification[] = [];
  const refusals: number[] = [];
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const refusal = refusals.shift();
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const url = new URL(request.url ?? '/', 'http://receiver');
    const verified = verifyWebhook(
      {
        signature: request.headers['x-signature']?.toString(),
        requestId: request.headers['x-request-id']?.toString(),
        queryDataId: url.searchParams.get('data.id') ?? undefined,
        bodyDataId: undefined,
      },
      [secret],
    );
    if (verified === null) return void response.writeHead(401).end();
    received.push({
      path: url.pathname,
      account: url.searchParams.get('account'),
      type: url.searchParams.get('type'),
      dataId: verified.dataId,
      body: JSON.parse(raw),
    });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The answers to the next notifications, one each. */
    refuseNext: (...statuses: readonly number[]) => void refusals.push(...statuses),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
