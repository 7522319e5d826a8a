import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SECRET_NAMES } from '../../src/platform/config/index.ts';
import type { AppOptions } from '../../testing/app.ts';
import type { CampaignsApp, TestClient } from '../../testing/campaigns-app.ts';
import { type FakeSmtp, startFakeSmtp } from '../../testing/channels/fake-smtp.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { type FakeWhatsApp, startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { FakeZenvia } from '../../testing/channels/fake-zenvia.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { startPaymentsApp, WEBHOOK_SECRET } from '../payments/support.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
export const MAIL_FROM = 'cobranca@quita.example';

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A deployment with real adapters before local fakes, and the operator's command line beside it. */
export interface Deployment {
  readonly app: CampaignsApp;
  readonly whatsapp: FakeWhatsApp;
  readonly twilio: FakeTwilio;
  readonly zenvia: FakeZenvia;
  readonly smtp: FakeSmtp;
  readonly provider: FakeMercadoPago;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command with the environment of the deployment and `input` on its standard input. */
  quita(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<Ran>;
  /** Connects the client by a file, as an operator does. */
  connect(
    client: Pick<TestClient, 'id'>,
    channel: 'whatsapp' | 'twilio' | 'zenvia' | 'email',
    given?: object,
  ): Promise<Ran>;
  close(): Promise<void>;
}

export interface DeploymentOptions extends AppOptions {
  readonly channels?: string;
}

export async function startDeployment({ channels, ...options }: DeploymentOptions = {}): Promise<Deployment> {
  const [whatsapp, twilio, zenvia, smtp, provider] = await Promise.all([
    startFakeWhatsApp(),
    FakeTwilio.open(),
    FakeZenvia.open(),
    startFakeSmtp({ secret: 'not-used-here' }),
    new FakeMercadoPago({ webhookSecret: WEBHOOK_SECRET }).start(),
  ]);
  const env = {
    PUBLIC_URL: 'https://quita.example',
    PAYMENT_PROVIDER: 'mercadopago',
    MERCADOPAGO_BASE_URL: provider.baseUrl,
    MESSAGING_CHANNEL: channels ?? 'whatsapp,twilio,zenvia,email',
    WHATSAPP_VERIFY_TOKEN: 'verify-token',
    WHATSAPP_BASE_URL: whatsapp.baseUrl,
    TWILIO_BASE_URL: twilio.baseUrl,
    ZENVIA_BASE_URL: zenvia.baseUrl,
    SMTP_URL: smtp.baseUrl,
    MAIL_FROM: `Quita <${MAIL_FROM}>`,
    ...options.env,
  };
  const app = await startPaymentsApp({ ...options, env });
  const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));

  const quita: Deployment['quita'] = async (args, { input = '', env: own = {} } = {}) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: app.database.url, ...secrets, ...env, ...own },
      cwd: tmpdir(),
    });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { out, err, code };
  };

  const credentials = (channel: string, given: object): object => {
    const [w, t, z] = [whatsapp.credentials, twilio.credentials, zenvia.credentials];
    const known: Readonly<Record<string, object>> = {
      whatsapp: {
        phoneNumberId: w.senderId,
        businessAccountId: w.accountId,
        accessToken: w.accessToken,
        appSecret: w.webhookSecret,
      },
      twilio: { accountSid: t.accountId, authToken: t.accessToken, from: t.senderId },
      zenvia: { token: z.accessToken, from: z.senderId },
    };
    return { [channel]: { ...known[channel], ...given } };
  };

  return {
    app,
    whatsapp,
    twilio,
    zenvia,
    smtp,
    provider,
    env: { ...secrets, ...env },
    quita,
    async connect({ id }, channel, given = {}) {
      if (channel === 'email') return quita(['clients', 'connect', id, channel]);
      const file = join(mkdtempSync(join(tmpdir(), 'quita-connect-')), 'credentials.json');
      writeFileSync(file, JSON.stringify(credentials(channel, given)));
      return quita(['clients', 'connect', id, channel, file]);
    },
    async close() {
      await app.close();
      await Promise.all([whatsapp.close(), twilio.close(), zenvia.close(), smtp.close(), provider.stop()]);
    },
  };
}
