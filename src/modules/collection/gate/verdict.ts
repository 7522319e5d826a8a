import type { StricterPack } from '../../policy/rules/campaign-settings.ts';

export interface Verdict {
  readonly allowed: boolean;
  readonly rules: readonly string[];
  /** The rules of the pack that allow or block the contact. */
  readonly ruleIds: readonly string[];
  /** `ownVersion` is the version of the client's own rules, where it has some. */
  readonly pack: { readonly id: string; readonly version: string; readonly ownVersion?: number };
  readonly notBefore: string | null;
}

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
