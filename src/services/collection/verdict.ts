import type { Policy } from '../shared/load-policy.ts';

export interface Verdict {
  readonly allowed: boolean;
  readonly rules: readonly string[];
  /** The rules of the pack that allow or block the contact. */
  readonly ruleIds: readonly string[];
  readonly pack: { readonly id: string; readonly version: string };
  readonly notBefore: string | null;
}

/** Returns a verdict as it is stored and shown. The version of the pack makes it evidence of the text that was in force. */
export const verdictOf = (
  { pack: { id, version } }: Policy,
  {
    allowed,
    rules,
    ruleIds,
    notBefore,
  }: Pick<Verdict, 'allowed' | 'rules' | 'ruleIds'> & { readonly notBefore: number | null },
): Verdict => ({
  allowed,
  rules,
  ruleIds,
  pack: { id, version },
  notBefore: notBefore === null ? null : new Date(notBefore).toISOString(),
});
