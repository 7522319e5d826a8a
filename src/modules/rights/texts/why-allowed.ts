import { DEBTOR_PREFERENCE } from '../../policy/rules/campaign-settings.ts';
import { RULE_SOURCES, RULE_TEXTS } from '../../policy/texts/contact-rules.ts';
import { RIGHTS_TEXTS } from './rights-page.ts';

/** A rule that a message passed, in words, with the law or choice behind it. */
export interface PassedRule {
  readonly says: string;
  readonly source: string | null;
}

/** Where the rules of the pack come from, by their ids. */
export type RuleBases = ReadonlyMap<string, string>;

const { contacts } = RIGHTS_TEXTS;

interface Sent {
  readonly purpose: string | null;
  readonly ruleIds: readonly string[] | null;
}

/** A choice of the product names no law. */
function inPortuguese(source: string | undefined): string | null {
  const law = (source ?? '').replace(/^Choice of the product(?:; )?/, '').replaceAll(' and ', ' e ');
  return law === '' ? null : law;
}

const only = (says: string, source: string | null = null): readonly PassedRule[] => [{ says, source }];

const nameless = (id: string): string =>
  id.startsWith('client.') || id.startsWith('campaign.') ? contacts.ofClient : id;

/** The rule that lets an answer out without a verdict has a source too. */
const sourceOf = (id: string, bases: RuleBases): string | null => RULE_SOURCES[id] ?? inPortuguese(bases.get(id));

/** Returns why a message could be sent: the rules of its verdict, or what kind of answer it was. */
export function whyAllowed({ purpose, ruleIds }: Sent, bases: RuleBases): readonly PassedRule[] {
  if (ruleIds === null) {
    if (purpose === 'reply') return only(contacts.reply, sourceOf('br-reply', bases));
    if (purpose === 'receipt') return only(contacts.receipt, sourceOf('br-receipt', bases));
    if (purpose === 'opt_out_confirmation') return only(contacts.confirmation, sourceOf('br-opt-out', bases));
    return only(contacts.unknown);
  }
  return ruleIds.map((id) => ({
    says: RULE_TEXTS[id] ?? nameless(id),
    source: id === DEBTOR_PREFERENCE ? null : sourceOf(id, bases),
  }));
}
