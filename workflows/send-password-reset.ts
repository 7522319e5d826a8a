import type { PasswordResetInput } from './contract.ts';
import { mails } from './proxies.ts';

export async function sendPasswordReset(input: PasswordResetInput): Promise<void> {
  await mails.sendPasswordReset(input);
}
