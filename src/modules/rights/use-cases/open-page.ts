import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { digitsOf } from '../rules/rights-request.ts';
import type { RightsDeps } from './deps.ts';
import { onRightsPage } from './person-of-page.ts';
import { createProofs } from './proofs.ts';

/** What anybody sees who has the address: who the creditor is, and nothing of the person. */
export interface RightsFront {
  readonly creditor: string;
  readonly sandbox: boolean;
}

export const readRightsFront =
  (deps: RightsDeps) =>
  (token: string): Promise<RightsFront> =>
    onRightsPage(deps, token, async (_, { debt: { clientName, sandbox } }) => ({
      creditor: clientName,
      sandbox: sandbox || deps.sandboxOnly,
    }));

export type Opening =
  | { readonly kind: 'opened'; readonly proof: string }
  | { readonly kind: 'wrong'; readonly front: RightsFront }
  /** Too many wrong digits were given today. */
  | { readonly kind: 'shut'; readonly front: RightsFront; readonly retryAfterSeconds: number };

/** Opens the page with the last digits of the CPF or CNPJ. Each try takes its place before it is compared. */
export const openRightsPage =
  (deps: RightsDeps) =>
  async ({ token, digits }: { readonly token: string; readonly digits: string }): Promise<Opening> => {
    const { key, taxId, front } = await onRightsPage(deps, token, async (_, page) => ({
      key: page.key,
      taxId: page.person.debtorTaxId,
      front: { creditor: page.debt.clientName, sandbox: page.person.sandbox || deps.sandboxOnly },
    }));
    try {
      await deps.digitTries.take(key);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
      return { kind: 'shut', front, retryAfterSeconds: error.retryAfterSeconds ?? 1 };
    }
    const given = Buffer.from(digits.trim().toUpperCase());
    const wanted = Buffer.from(digitsOf(taxId));
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { kind: 'wrong', front };
    await deps.digitTries.giveBack(key);
    return { kind: 'opened', proof: createProofs(deps.proofSecrets).make(token, deps.now().getTime()) };
  };
