import type { AccountMailRequest } from '../../src/kernel/account-mail.ts';
import { mails } from '../proxies.ts';

export async function sendAccountMail(input: AccountMailRequest): Promise<void> {
  await mails.sendAccountMail(input);
}
