import type { MessageFacts } from '../rules/message-facts.ts';
import type { MessageText } from './collection.ts';
import { forCompany, OPT_OUT_LINE } from './collection-bodies.ts';
import { shortIdentified } from './short.ts';
import { fillTemplate, messageValues, parametersOf, shortValues, templateName } from './values.ts';

const DUE_REMINDER_VERSION = 1;

/**
 * Nothing is owed late yet, so these texts remind and have no word of what is owed, late or collected. Like every text that
 * nobody has asked for they name neither amount nor due date, because another person may hold the phone. They are true on
 * each day before the due date and on that day itself.
 */
const BODIES = {
  one: 'Oi, {{firstName}}, tudo bem? Aqui é o assistente virtual da {{creditor}}, passando só para lembrar do vencimento da sua conta. Nesta página você vê o valor e a data e, se quiser, já deixa pago por Pix:\n{{link}}\n\nSe já pagou, é só desconsiderar. Se alguma coisa não bate, responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
  several:
    'Oi, {{firstName}}, tudo bem? Aqui é o assistente virtual da {{creditor}}, passando só para lembrar do vencimento de {{count}} contas suas. Nesta página você vê o valor e a data de cada uma e, se quiser, já deixa pago por Pix:\n{{link}}\n\nSe já pagou, é só desconsiderar. Se alguma coisa não bate, responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
} as const;

/** The most telling text first. The last one is no longer than those that `fitsShortTexts` measures. */
const SHORT: Readonly<Record<keyof typeof BODIES, readonly string[]>> = {
  one: [
    '{{firstName}}, passando só para lembrar do vencimento da sua conta. Valor, data e Pix: {{link}} Se já pagou, desconsidere.',
    '{{firstName}}, lembrete do vencimento da sua conta. Valor, data e Pix: {{link}}',
    '{{firstName}}, lembrete de vencimento. Pix: {{link}}',
  ],
  several: [
    '{{firstName}}, passando só para lembrar do vencimento de {{count}} contas suas. Valor, data e Pix: {{link}} Se já pagou, desconsidere.',
    '{{firstName}}, lembrete do vencimento de {{count}} contas. Valor, data e Pix: {{link}}',
    '{{firstName}}, lembrete de vencimento. Pix: {{link}}',
  ],
};

type Addressee = Pick<MessageFacts, 'together' | 'debtorIsCompany'> & {
  readonly creditor: Pick<MessageFacts['creditor'], 'cnpj' | 'address'>;
};

/** Says who writes, as the signature of a message that collects does, and how the messages end. */
const signature = ({ creditor: { cnpj, address } }: Addressee): string => {
  const identity = [
    'Empresa: {{creditor}}',
    ...(cnpj === null ? [] : ['CNPJ {{cnpj}}']),
    ...(address === null ? [] : ['Endereço: {{address}}']),
  ];
  return `${identity.join(' · ')}\n${OPT_OUT_LINE}`;
};

const formOf = ({ together }: Pick<MessageFacts, 'together'>): keyof typeof BODIES =>
  together === null ? 'one' : 'several';

/** The name of the template of a reminder, and its text with named placeholders. */
export function dueReminderTemplate(facts: Addressee): { readonly name: string; readonly body: string } {
  const { debtorIsCompany } = facts;
  const body = BODIES[formOf(facts)];
  const parts = [
    'before_due',
    ...(facts.together === null ? [] : ['several']),
    ...(debtorIsCompany ? ['company'] : []),
  ];
  return {
    name: templateName(parts, DUE_REMINDER_VERSION),
    body: `${debtorIsCompany ? forCompany(body) : body}\n\n${signature(facts)}`,
  };
}

/** The reminder of a bill that is not due yet, in every form in which a channel may need it. */
export function dueReminder(facts: MessageFacts): MessageText {
  const { name, body } = dueReminderTemplate(facts);
  const values = messageValues(facts);
  return {
    text: fillTemplate(body, values),
    short: shortIdentified(SHORT[formOf(facts)], facts, shortValues(facts)),
    template: { name, parameters: parametersOf(body, values) },
  };
}
