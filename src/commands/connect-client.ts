import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { z } from 'zod';
import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createMercadoPagoProvider } from '../adapters/payment/mercadopago/mercadopago-provider.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { createClientCredentials, type MercadoPagoCredentials } from '../services/payments/client-credentials.ts';
import { connectClient } from '../services/payments/connect-client.ts';

const credentialsFile = z.object({
  mercadopago: z.object({
    accessToken: z.string().trim().min(1),
    webhookSecret: z.string().trim().min(1).nullish(),
  }),
});

/** Connects a client's own account with credentials from a file, or from the terminal, which does not show them. */
export async function connect(
  db: Database,
  clientId: string,
  { config, file }: { readonly config: Config; readonly file: string | undefined },
): Promise<string> {
  const given = file === undefined ? await askOnTerminal() : await readGiven(file);
  const provider = createMercadoPagoProvider({ baseUrl: config.mercadopagoBaseUrl });
  const credentials = createClientCredentials(db, createAesGcmCipher(config.encryptionKey));
  try {
    const { accountId, replaced } = await connectClient({ db, provider, credentials })(clientId, given);
    const connected = `${clientId} is connected to Mercado Pago account ${accountId}`;
    if (replaced === null) return connected;
    const open = `${replaced.openCharges} ${replaced.openCharges === 1 ? 'charge is' : 'charges are'} open`;
    return `${connected}\nIts account ${replaced.accountId} is kept until the charges that it made have ended (${open})`;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw new Error(`${error.message}: nothing was stored`);
  }
}

async function readGiven(file: string): Promise<MercadoPagoCredentials> {
  const text = await readFile(file, 'utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
  const result = credentialsFile.safeParse(parsed);
  // The message repeats no values, because terminals and logs keep it.
  if (!result.success) {
    throw new Error(`${file} must be {"mercadopago": {"accessToken": "…", "webhookSecret": "…"}}`);
  }
  const { accessToken, webhookSecret } = result.data.mercadopago;
  return { accessToken, webhookSecret: webhookSecret ?? null };
}

async function askOnTerminal(): Promise<MercadoPagoCredentials> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY === true });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(`${question}: `);
    const line = await lines.next();
    process.stderr.write('\n');
    return line.done === true ? '' : line.value.trim();
  };
  try {
    const accessToken = await ask('Mercado Pago access token');
    const webhookSecret = await ask('Secret of its notifications (empty: the deployment’s own)');
    return { accessToken, webhookSecret: webhookSecret === '' ? null : webhookSecret };
  } finally {
    terminal.close();
  }
}
