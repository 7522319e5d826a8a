import { z } from 'zod';
import { canonicalPhone } from '../../../kernel/phone.ts';
import type { TestRecipient } from '../rules/test-recipient.ts';

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;

/** A Brazilian number for a channel that reaches phones, or an address for one that reaches mailboxes. */
export const testRecipient = z
  .object({ to: z.string().trim().min(1).max(255).describe('A Brazilian number or an e-mail address') })
  .transform(({ to }, issues): TestRecipient => {
    if (to.includes('@')) {
      if (EMAIL.test(to)) return { phone: null, email: to };
      issues.addIssue({ code: 'custom', path: ['to'], params: { code: 'email_invalid' }, message: 'Not an address' });
      return z.NEVER;
    }
    const phone = canonicalPhone(to);
    if (phone !== null) return { phone, email: null };
    issues.addIssue({ code: 'custom', path: ['to'], params: { code: 'phone_invalid' }, message: 'Not a number' });
    return z.NEVER;
  });
