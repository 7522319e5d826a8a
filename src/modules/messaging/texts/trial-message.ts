import { oneLine } from '../../../kernel/texts/one-line.ts';
import type { MessageText } from './collection.ts';
import type { TemplateText } from './templates.ts';
import { fillTemplate, numberedBody, parametersOf, templateName } from './values.ts';

const NAME = templateName(['test'], 1);
const BODY =
  'Esta é uma mensagem de teste de {{creditor}}, enviada apenas para verificar o canal. Nada está sendo cobrado, e não é preciso responder nem fazer nada.';
/** A short message has room for so many characters of the name. */
const MAX_NAME_LENGTH = 80;

/** The template of the message by which an operator sees that a channel works. */
export const CHANNEL_TEST_TEMPLATE: TemplateText = {
  name: NAME,
  language: 'pt_BR',
  body: numberedBody(BODY),
  examples: ['Escola Aurora Ltda'],
  buttons: [],
  document: false,
};

/** It goes to a person whom the operator names, who may owe nothing. */
export function channelTestMessage(creditorName: string): MessageText {
  const creditor = oneLine(creditorName);
  const values = { creditor };
  return {
    text: fillTemplate(BODY, values),
    short: fillTemplate(BODY, { creditor: creditor.slice(0, MAX_NAME_LENGTH).trim() }),
    template: { name: NAME, parameters: parametersOf(BODY, values) },
  };
}
