import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import type { MessageText } from './collection.ts';
import { withSignature } from './collection-bodies.ts';
import { shortIdentified } from './short.ts';
import { fillTemplate, type MessageValues, messageValues, parametersOf, shortValues, templateName } from './values.ts';

/** The last one warns that the agreement ends. */
export type AgreementNotice = 'day_before' | 'due_day' | 'warning';
export const AGREEMENT_NOTICES: readonly AgreementNotice[] = ['day_before', 'due_day', 'warning'];

const AGREEMENT_NOTICE_VERSION = 1;

/** Like every text that nobody has asked for, they name no amount, because another person may hold the phone. */
const BODIES: Readonly<Record<AgreementNotice, string>> = {
  day_before:
    'Oi, {{firstName}}! Passando para lembrar: a parcela {{instalment}} do seu acordo com a {{creditor}} vence amanhã, {{instalmentDate}}. O Pix e os detalhes estão nesta página:\n{{link}}\n\nSe já pagou, pode desconsiderar.',
  due_day:
    'Oi, {{firstName}}! Hoje, {{instalmentDate}}, vence a parcela {{instalment}} do seu acordo com a {{creditor}}. O Pix e os detalhes estão nesta página:\n{{link}}\n\nSe já pagou, pode desconsiderar.',
  warning:
    'Olá, {{firstName}}. A parcela {{instalment}} do seu acordo com a {{creditor}} venceu em {{instalmentDate}}, e ainda não vimos o pagamento. Para o acordo continuar valendo, pague até {{lastDay}}. O Pix está nesta página:\n{{link}}\n\nSe aconteceu alguma coisa, responda por aqui mesmo: quem lê é uma pessoa da equipe.',
};

const SHORT: Readonly<Record<AgreementNotice, readonly string[]>> = {
  day_before: [
    '{{firstName}}, a parcela {{instalment}} do seu acordo vence amanhã, {{instalmentDate}}. Pix e detalhes: {{link}}',
    '{{firstName}}, a parcela {{instalment}} do acordo vence amanhã. Pix: {{link}}',
  ],
  due_day: [
    '{{firstName}}, a parcela {{instalment}} do seu acordo vence hoje, {{instalmentDate}}. Pix e detalhes: {{link}}',
    '{{firstName}}, a parcela {{instalment}} do acordo vence hoje. Pix: {{link}}',
  ],
  warning: [
    '{{firstName}}, a parcela {{instalment}} do seu acordo venceu em {{instalmentDate}}. Para o acordo continuar valendo, pague até {{lastDay}}: {{link}}',
    '{{firstName}}, a parcela {{instalment}} do acordo venceu. Pague até {{lastDay}}: {{link}}',
  ],
};

export interface NoticeFacts {
  readonly notice: AgreementNotice;
  /** As people count: "2 de 3". */
  readonly instalment: number;
  readonly of: number;
  readonly dueDate: string;
  /** The last day on which the agreement can still be kept. */
  readonly lastDay: string;
}

const valuesOf = ({ instalment, of, dueDate, lastDay }: NoticeFacts): MessageValues => ({
  instalment: `${instalment} de ${of}`,
  instalmentDate: formatCalendarDate(dueDate),
  lastDay: formatCalendarDate(lastDay),
});

/** The name of the template of a notice, and its text with named placeholders. */
export const noticeTemplate = (
  notice: AgreementNotice,
  facts: Pick<MessageFacts, 'creditor'>,
): { readonly name: string; readonly body: string } => ({
  name: templateName(['agreement', notice], AGREEMENT_NOTICE_VERSION),
  body: withSignature(BODIES[notice], facts),
});

/** The reminder of an instalment of an agreement, in every form in which a channel may need it. */
export function agreementNotice(about: NoticeFacts, facts: MessageFacts): MessageText {
  const { name, body } = noticeTemplate(about.notice, facts);
  const own = valuesOf(about);
  const values = { ...messageValues(facts), ...own };
  return {
    text: fillTemplate(body, values),
    short: shortIdentified(SHORT[about.notice], facts, { ...shortValues(facts), ...own }),
    template: { name, parameters: parametersOf(body, values) },
  };
}
