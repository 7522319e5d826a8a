import { type Happening, writeEntry } from '../../../testing/checker/log.ts';
import type { FakeMercadoPago } from '../../../testing/fake-mercadopago.ts';
import { sendNotification } from '../../../testing/mercadopago-notifications.ts';
import type { Random } from '../../support/random.ts';
import type { Deliveries } from './deliveries.ts';
import { type FaultyProxy, passTo, startFaultyProxy } from './faulty-proxy.ts';

interface MadeCharge {
  readonly id: string;
  readonly client: number;
  readonly cpf: string;
  readonly centavos: number;
}

export interface BankPlan {
  readonly provider: FakeMercadoPago;
  readonly random: Random;
  readonly deliveries: Deliveries;
  readonly logFile: string;
  readonly clientIdOf: (client: number) => string;
}

export interface Bank {
  readonly proxy: FaultyProxy;
  /** The codes that this person has got from the client, the oldest first. */
  chargesOf(client: number, cpf: string): readonly MadeCharge[];
  /** Pays a code, and returns whether it could be: one that is paid or cancelled already is not paid. */
  pay(charge: MadeCharge): boolean;
}

interface AskedCharge {
  readonly external_reference: string;
  readonly transaction_amount: number;
  readonly payer: { readonly identification: { readonly number: string } };
}

/** The provider of payments, and the notifications that it sends about what debtors pay. */
export async function openBank({ provider, random, deliveries, logFile, clientIdOf }: BankPlan): Promise<Bank> {
  const made = new Map<string, MadeCharge>();
  const log = (happening: Happening): void => writeEntry(logFile, happening);
  const clientOf = (authorization: string | undefined): number =>
    provider.accounts.findIndex(({ accessToken }) => authorization === `Bearer ${accessToken}`);

  const proxy = await startFaultyProxy({
    random,
    pass: async (request) => {
      const answer = await passTo(provider.baseUrl, request);
      if (request.method !== 'POST' || request.path !== '/v1/payments' || answer.status !== 201) return answer;
      const { id } = JSON.parse(answer.body.toString()) as { readonly id: number };
      const asked = JSON.parse(request.body.toString()) as AskedCharge;
      const client = clientOf(request.headers.authorization);
      // The same request with the same key is answered with the same charge.
      if (made.has(String(id)) || client < 0) return answer;
      const charge = {
        id: String(id),
        client,
        cpf: asked.payer.identification.number,
        centavos: Math.round(asked.transaction_amount * 100),
      };
      made.set(charge.id, charge);
      const clientId = clientIdOf(client);
      log({ kind: 'charge_made', clientId, providerPaymentId: charge.id, reference: asked.external_reference });
      return answer;
    },
  });

  return {
    proxy,
    chargesOf: (client, cpf) => [...made.values()].filter((one) => one.client === client && one.cpf === cpf),
    pay: ({ id, client, centavos }) => {
      if (provider.payment(id).status !== 'pending') return false;
      const clientId = clientIdOf(client);
      provider.pay(id);
      log({ kind: 'payment_made', clientId, providerPaymentId: id, centavos });
      if (random.next() < 0.1) provider.hide(id, 1);
      const notification = provider.notification(id);
      void deliveries.start({
        post: () => sendNotification(notification),
        accepted: () => log({ kind: 'notification_accepted', clientId, providerPaymentId: id }),
        lost: 0.15,
        twice: 0.2,
        withinMs: 3_000,
      });
      return true;
    },
  };
}
