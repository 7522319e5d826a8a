import type { AccountMailInput } from './contract.ts';
import { mails } from './proxies.ts';

export async function sendAccountMail(input: AccountMailInput): Promise<void> {
  await mails.sendAccountMail(input);
}
