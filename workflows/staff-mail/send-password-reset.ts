import type { PasswordResetRequest } from '../../src/kernel/account-mail.ts';
import { mails } from '../proxies.ts';

export async function sendPasswordReset(input: PasswordResetRequest): Promise<void> {
  await mails.sendPasswordReset(input);
}
