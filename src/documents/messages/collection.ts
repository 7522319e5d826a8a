import { parametersOf, templateName } from './approved-template.ts';
import {
  COLLECTION_VERSION,
  type CollectionStep,
  type CollectionTone,
  collectionBody,
  withSignature,
} from './collection-bodies.ts';
import { fillTemplate } from './fill.ts';
import { shortCollectionMessage } from './short.ts';
import { type MessageFacts, messageValues } from './values.ts';

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
): { readonly name: string; readonly body: string } => {
  const body = collectionBody(step, tone, facts);
  // Only the first message has another text for a company.
  const forCompany = body !== collectionBody(step, tone, { ...facts, debtorIsCompany: false });
  const parts = [step, tone, ...(facts.together === null ? [] : ['several']), ...(forCompany ? ['company'] : [])];
  return { name: templateName(parts, COLLECTION_VERSION), body: withSignature(body, facts) };
};

/**
 * The approved templates name CNPJ and address. A creditor without them contacts nobody real, and its messages, which
 * leave them out, go to the sandbox only, where no template is needed.
 */
export const collectionMessage = (step: CollectionStep, tone: CollectionTone, facts: MessageFacts): MessageText => {
  const { name, body } = collectionTemplate(step, tone, facts);
  const values = messageValues(facts);
  return {
    text: fillTemplate(body, values),
    short: shortCollectionMessage(step, facts),
    template: { name, parameters: parametersOf(body, values) },
  };
};
