import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { parseSignatureHeader } from '../rules/webhook-signature.ts';

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

interface NotificationFields {
  readonly dataId: unknown;
  readonly type: unknown;
}

/** Reads fields of the untrusted body. A malformed body is no error, because the signature may cover only the query. */
function fieldsOf(body: Uint8Array): NotificationFields {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null) return { dataId: undefined, type: undefined };
    const data: unknown = Reflect.get(parsed, 'data');
    const dataId = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined;
    return { dataId, type: Reflect.get(parsed, 'type') };
  } catch {
    return { dataId: undefined, type: undefined };
  }
}

function notificationOf(request: RouteRequest, body: Uint8Array) {
  const { dataId, type } = fieldsOf(body);
  return {
    signature: single(request.headers['x-signature']),
    requestId: single(request.headers['x-request-id']),
    queryDataId: request.query['data.id'],
    bodyDataId: dataId,
    account: single(request.query['account']),
    type: single(request.query['type']) ?? (typeof type === 'string' ? type : undefined),
    receivedAs: request.id,
  };
}

export function webhookRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/payments/webhook',
      operationId: 'receivePaymentNotification',
      summary: 'Receive a notification of the payment provider',
      description:
        'Signed by `x-signature` over `data.id`, `x-request-id` and the time. The answer comes when the notification is stored; the state of the payment is then read from the provider.',
      tags: ['Payments'],
      auth: 'none',
      bodyType: 'raw',
      signed: ({ headers }) => {
        if (parseSignatureHeader(single(headers['x-signature'])) === null) throw new AppError('signature_invalid');
      },
      responses: { 200: { description: 'Accepted, also for an unknown payment' } },
      errors: ['signature_invalid'],
      handler: async ({ request, body }) => {
        const bytes: unknown = body;
        await services.recordNotification(
          notificationOf(request, bytes instanceof Uint8Array ? bytes : new Uint8Array()),
        );
        return { status: 200 };
      },
    }),
  ];
}
