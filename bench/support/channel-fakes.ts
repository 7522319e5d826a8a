/** Runs the fakes of WhatsApp and Mercado Pago, and reports the environment of a service that uses them. */
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import { startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { BENCH_WEBHOOK_SECRET } from './secrets.ts';

const provider = await new FakeMercadoPago({ webhookSecret: BENCH_WEBHOOK_SECRET }).start();
const whatsapp = await startFakeWhatsApp();
const { credentials } = whatsapp;
whatsapp.templates.firstStatus = 'APPROVED';
await createWhatsAppChannel({ baseUrl: whatsapp.baseUrl, templates: TEMPLATE_TEXTS }).templates?.push(
  TEMPLATE_TEXTS,
  credentials,
);
const env = {
  PAYMENT_PROVIDER: 'mercadopago',
  MERCADOPAGO_BASE_URL: provider.baseUrl,
  MERCADOPAGO_ACCESS_TOKEN: provider.accessToken,
  SINGLE_CLIENT: 'true',
  MESSAGING_CHANNEL: 'whatsapp',
  WHATSAPP_BASE_URL: whatsapp.baseUrl,
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
  WHATSAPP_TOKEN: credentials.accessToken,
  WHATSAPP_PHONE_NUMBER_ID: credentials.senderId,
  WHATSAPP_BUSINESS_ACCOUNT_ID: credentials.accountId,
};
process.stdout.write(`${JSON.stringify(env)}\n`);
process.stdin.resume().once('end', () => process.exit(0));
