import { formatReais } from '../../../kernel/money.ts';
import { foldForSms } from '../../../kernel/sms-text.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import type { Instalment } from '../../agreements/rules/instalments.ts';
import type { AgreementInWords, OfferInWords, OffersAnswer } from '../rules/offers-answer.ts';

const times = (count: number): string => (count === 1 ? '1 parcela' : `${count} parcelas`);

/** The instalments as a sentence: an entry that differs, equal ones, and a last one that takes the rest. */
export function instalmentsInWords(instalments: readonly Instalment[]): string {
  const [first, ...others] = instalments.map(({ amountCentavos }) => amountCentavos);
  if (others.length === 0) return 'à vista';
  const equal = others[0]!;
  const last = others.at(-1)!;
  const rest = last === equal ? '' : `, a última de ${formatReais(last)}`;
  if (first === equal) return `em ${instalments.length} parcelas de ${formatReais(equal)}${rest}`;
  return `com entrada de ${formatReais(first!)} e mais ${times(others.length)} de ${formatReais(equal)}${others.length === 1 ? '' : rest}`;
}

/** One offer on one line. The number stands first, because it is what the debtor answers. */
export function offerLine({ number, totalCentavos, discountCentavos, instalments, validUntil }: OfferInWords): string {
  const discount = discountCentavos === 0 ? '' : `, com desconto de ${formatReais(discountCentavos)}`;
  const first = formatCalendarDate(instalments[0]!.dueDate);
  const due = instalments.length === 1 ? `, para pagar até ${first}` : `, a primeira em ${first}`;
  return `Opção ${number}: ${formatReais(totalCentavos)} ${instalmentsInWords(instalments)}${due}${discount}. Vale até ${formatCalendarDate(validUntil)}.`;
}

/** The same in the few characters of an SMS. The page has the rest. */
const shortOfferLine = ({ number, totalCentavos, instalments }: OfferInWords): string => {
  const total = formatReais(totalCentavos);
  return foldForSms(
    instalments.length === 1
      ? `Opção ${number}: ${total} à vista.`
      : `Opção ${number}: ${total} em ${instalments.length}x.`,
  );
};

const shortList = (offers: readonly OfferInWords[]): string =>
  `${offers.map(shortOfferLine).join(' ')} ${foldForSms(`Até ${formatCalendarDate(offers[0]!.validUntil)}.`)}`;

/**
 * Returns the numbers of the offers that a text lists with exactly their terms. A bare number answers only such a text:
 * staff may list options of their own in other words.
 */
export const listedIn = (text: string, offers: readonly OfferInWords[]): number[] =>
  offers
    .filter((offer) => text.includes(offerLine(offer)) || text.includes(shortOfferLine(offer)))
    .map(({ number }) => number);

const ordinal = ({ number }: Instalment, count: number): string =>
  count === 1 ? 'O pagamento único' : `A parcela ${number} de ${count}`;

function nextInWords({ next, count, isLate }: AgreementInWords): string {
  if (next === null) return 'Não há nada em aberto nele.';
  const amount = formatReais(next.amountCentavos);
  const date = formatCalendarDate(next.dueDate);
  if (isLate)
    return `${ordinal(next, count)}, de ${amount}, venceu em ${date} e pode ser paga agora, sem multa nem juros.`;
  return `${ordinal(next, count)} é de ${amount}, até ${date}.`;
}

interface OffersFacts {
  readonly offered?: OffersAnswer | null;
  readonly agreement?: AgreementInWords | null;
}

/** The values of the placeholders that the templates of this file have. */
export function offersValues({ offered, agreement }: OffersFacts): Record<string, string> {
  return {
    ...(agreement != null && {
      agreement: `acordo ${agreement.protocol}`,
      agreementRest: formatReais(agreement.restCentavos),
      nextInstalment: nextInWords(agreement),
    }),
    ...((offered?.kind === 'list' || offered?.kind === 'near') && {
      offers: offered.offers.map(offerLine).join('\n'),
      offersShort: shortList(offered.offers),
      acceptance: `ACEITO ${offered.offers[0]!.number}`,
    }),
    ...(offered?.kind === 'accepted' && {
      agreement: `acordo ${offered.protocol}`,
      agreedWords: offered.words,
      agreedTotal: formatReais(offered.totalCentavos),
      firstAmount: formatReais(offered.first.amountCentavos),
      firstDate: formatCalendarDate(offered.first.dueDate),
    }),
  };
}

/** The amounts and dates of what is offered or agreed, which a text may name beside the placeholders' own words. */
export function offersKnown({ offered, agreement }: OffersFacts): string[] {
  const offers = offered?.kind === 'list' || offered?.kind === 'near' ? offered.offers : [];
  const instalments = [
    ...offers.flatMap((offer) => offer.instalments),
    ...(offered?.kind === 'accepted' ? [offered.first] : []),
    ...(agreement?.next == null ? [] : [agreement.next]),
  ];
  return [
    ...offers.flatMap(({ totalCentavos, discountCentavos }) =>
      [totalCentavos, discountCentavos].filter((amount) => amount > 0).map(formatReais),
    ),
    ...offers.map(({ validUntil }) => formatCalendarDate(validUntil)),
    ...instalments.flatMap(({ amountCentavos, dueDate }) => [formatReais(amountCentavos), formatCalendarDate(dueDate)]),
  ];
}

const NEAR = {
  amount: 'Obrigado por dizer quanto cabe no seu mês, {{firstName}}. O mais próximo disso é:',
  wish: 'Obrigado por dizer como fica melhor para você, {{firstName}}. O mais próximo disso é:',
  too_dear: 'Entendo, {{firstName}}. Esta pesa menos por mês:',
} as const;

/** The answer to a wish to negotiate, a proposal or an acceptance, with unfilled placeholders. */
export function offersTemplate(offered: OffersAnswer): string {
  const choose =
    '\n\n{{offers}}\n\nResponda com o número da opção, por exemplo: {{acceptance}}. Ou veja tudo e aceite nesta página:\n{{link}}';
  switch (offered.kind) {
    case 'list':
      if (offered.because === 'ended') return `Essa opção não vale mais, {{firstName}}. Estas valem:${choose}`;
      if (offered.because === 'unclear') {
        return `Para não haver engano, {{firstName}}, preciso do número da opção que você escolhe. São estas:${choose}`;
      }
      return `Claro, {{firstName}}. Estas são as opções da {{creditor}}:${choose}`;
    case 'near':
      return `${NEAR[offered.to]}\n\n{{offers}}\n\nPara aceitar, responda {{acceptance}}. As outras opções estão nesta página:\n{{link}}`;
    case 'accepted':
      return 'Combinado, {{firstName}}! Fechamos o {{agreement}}. Guarde este número.\n\n{{agreedWords}}\n\nO primeiro pagamento é até {{firstDate}}. O Pix está nesta página:\n{{link}}';
    case 'agreed':
      return '{{firstName}}, você já tem o {{agreement}} com a {{creditor}}, e ele continua valendo. {{nextInstalment}}\n\nOs detalhes e o Pix estão nesta página:\n{{link}}';
  }
}

/** The same for short texts, the most telling first. */
export function shortOffersTemplates(offered: OffersAnswer): readonly string[] {
  switch (offered.kind) {
    case 'list': {
      const lead = { asked: '{{firstName}}, ', ended: 'Essa opção não vale mais. ', unclear: 'Qual delas? ' };
      return [
        `${lead[offered.because]}{{offersShort}} Responda com o número. Detalhes: {{link}}`,
        `{{firstName}}, as opções, com valores e datas, estão aqui: {{link}}`,
      ];
    }
    case 'near':
      return [
        `${offered.to === 'too_dear' ? 'Pesa menos por mês' : 'O mais próximo'}, {{firstName}}: {{offersShort}} Responda {{acceptance}}. Detalhes: {{link}}`,
        '{{firstName}}, o mais próximo do que você pode está aqui: {{link}}',
      ];
    case 'accepted':
      return [
        'Combinado, {{firstName}}! Fechamos o {{agreement}}: {{agreedTotal}}. Primeiro pagamento: {{firstAmount}} até {{firstDate}}. Detalhes e Pix: {{link}}',
        'Combinado, {{firstName}}! Fechamos o {{agreement}}. Detalhes e Pix: {{link}}',
      ];
    case 'agreed':
      return [
        '{{firstName}}, você já tem o {{agreement}}. {{nextInstalment}} Pix: {{link}}',
        '{{firstName}}, você já tem o {{agreement}}. Detalhes e Pix: {{link}}',
      ];
  }
}

/**
 * What is asked about a debt in an agreement is answered about the agreement; null for what it changes nothing of. A claim
 * of payment that is passed on is answered as any other.
 */
export function agreementAnswer(asked: string, hasCode: boolean): string | null {
  switch (asked) {
    case 'amount':
      return 'Do {{agreement}} faltam {{agreementRest}}. {{nextInstalment}} Os detalhes estão nesta página:\n{{link}}';
    case 'due_date':
      return '{{nextInstalment}} Ao todo faltam {{agreementRest}}. As outras datas do {{agreement}} estão nesta página:\n{{link}}';
    case 'how_to_pay':
    case 'wants_to_pay':
      return `{{nextInstalment}} Ao todo faltam {{agreementRest}}, e você pode adiantar quando quiser. O Pix está nesta página:\n{{link}}${hasCode ? '\n\nPix copia e cola:\n{{brCode}}' : ''}`;
    case 'promise':
      return 'Obrigado por avisar, {{firstName}}. As datas do {{agreement}} continuam valendo. {{nextInstalment}} O Pix está nesta página:\n{{link}}';
    case 'already_paid':
      return 'Está tudo certo, {{firstName}}: o que venceu do {{agreement}} está pago. {{nextInstalment}} Os detalhes estão nesta página:\n{{link}}';
    case 'other':
      return 'Estou à disposição, {{firstName}}. Posso tirar dúvidas sobre o {{agreement}} ou chamar uma pessoa da equipe. Os detalhes e o Pix estão aqui:\n{{link}}';
    default:
      return null;
  }
}

export function shortAgreementAnswer(asked: string): string | null {
  switch (asked) {
    case 'amount':
      return 'Do {{agreement}} faltam {{agreementRest}}. {{nextInstalment}} Detalhes: {{link}}';
    case 'due_date':
    case 'how_to_pay':
    case 'wants_to_pay':
      return '{{nextInstalment}} Datas e Pix: {{link}}';
    case 'promise':
      return 'Obrigado por avisar, {{firstName}}. As datas do {{agreement}} continuam valendo. Pix: {{link}}';
    case 'already_paid':
      return 'Está tudo certo, {{firstName}}: o que venceu do {{agreement}} está pago. {{nextInstalment}} Detalhes: {{link}}';
    case 'other':
      return 'Estou à disposição, {{firstName}}, para tirar dúvidas sobre o {{agreement}}. Detalhes e Pix: {{link}}';
    default:
      return null;
  }
}
