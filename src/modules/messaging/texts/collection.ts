import type { MessageFacts } from '../rules/message-facts.ts';
import {
  COLLECTION_VERSION,
  type CollectionStep,
  type CollectionTone,
  collectionBody,
  STEPS_IN_ONE_TONE,
  withSignature,
} from './collection-bodies.ts';
import { shortCollectionMessage } from './short.ts';
import { fillTemplate, messageValues, parametersOf, templateName } from './values.ts';

/** One message in every form in which a channel may need it. */
export interface MessageText {
  readonly text: string;
  /** For a channel that takes at most two segments of an SMS. */
  readonly short: string;
  /** The approved template that says the same as `text` where free text is not allowed. */
  readonly template: { readonly name: string; readonly parameters: readonly string[] };
}

/** What decides which template of a step and a tone is used. */
export type Addressee = Pick<MessageFacts, 'together' | 'debtorIsCompany'>;

/** The name of the template of a step, and its text with named placeholders. */
export const collectionTemplate = (
  step: CollectionStep,
  tone: CollectionTone,
  facts: Addressee & { readonly creditor: Pick<MessageFacts['creditor'], 'cnpj' | 'address'> },
  earlierReminders = 0,
): { readonly name: string; readonly body: string } => {
  const { body, wording } = collectionBody(step, tone, facts, earlierReminders);
  const parts = [
    step,
    ...(STEPS_IN_ONE_TONE.includes(step) ? [] : [tone]),
    ...(wording === 0 ? [] : [String(wording + 1)]),
    ...(facts.together === null ? [] : ['several']),
    ...(facts.debtorIsCompany ? ['company'] : []),
  ];
  return { name: templateName(parts, COLLECTION_VERSION), body: withSignature(body, facts) };
};

/**
 * The approved templates name CNPJ and address. A creditor without them contacts nobody real, and its messages, which
 * leave them out, go to the sandbox only, where no template is needed.
 */
export const collectionMessage = (
  step: CollectionStep,
  tone: CollectionTone,
  facts: MessageFacts,
  earlierReminders = 0,
): MessageText => {
  const { name, body } = collectionTemplate(step, tone, facts, earlierReminders);
  const values = messageValues(facts);
  return {
    text: fillTemplate(body, values),
    short: shortCollectionMessage(step, facts, earlierReminders),
    template: { name, parameters: parametersOf(body, values) },
  };
};
