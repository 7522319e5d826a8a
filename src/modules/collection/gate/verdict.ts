import type { Verdict } from '../../debts/rules/timeline-entry.ts';
import type { StricterPack } from '../../policy/rules/campaign-settings.ts';

/** Returns a verdict as it is stored and shown. The version of the pack makes it evidence of the text that was in force. */
export const verdictOf = (
  { pack: { id, version, ownVersion } }: { readonly pack: Pick<StricterPack, 'id' | 'version' | 'ownVersion'> },
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
  pack: { id, version, ...(ownVersion === undefined ? {} : { ownVersion }) },
  notBefore: notBefore === null ? null : new Date(notBefore).toISOString(),
});
