import { formatReais } from '../../../kernel/money.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';

interface OfferFacts {
  readonly kind: 'cash' | 'instalments';
  readonly discountCentavos: number;
  readonly instalments: readonly unknown[];
}

const some = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** The words about offers. Their layout is `src/modules/payments/routes/pages/offers.ts`. */
export const OFFER_TEXTS = {
  title: (creditor: string) => `Opções de acordo · ${creditor}`,
  heading: 'Opções de acordo',

  link: {
    heading: 'Quer combinar de outro jeito?',
    text: (creditor: string) => `Veja outras formas de pagar que ${creditor} oferece.`,
    see: 'Ver opções de acordo',
  },

  about: (creditor: string, count: number) =>
    `${some(count, 'As opções são sobre a sua conta', `As opções são sobre as suas ${count} contas`)} em aberto com ${creditor}:`,
  aboutOnly: 'Esta opção é sobre:',
  debt: (invoiceId: string | null, dueDate: string) =>
    `${invoiceId === null ? 'Conta' : `Conta ${invoiceId}`}, vencida em ${formatCalendarDate(dueDate)}`,
  noHurry: 'Nada muda enquanto você não confirmar.',

  /** What an offer is, after its number. */
  name: (number: number, { kind, discountCentavos, instalments }: OfferFacts) =>
    `Opção ${number}: ${kind === 'cash' ? 'à vista' : `em ${instalments.length} vezes`}${discountCentavos > 0 ? ' com desconto' : ''}`,
  total: 'no total',
  once: 'Pagamento único:',
  until: 'até',
  discount: (centavos: number) => `Desconto de ${formatReais(centavos)}.`,
  validUntil: (date: string) => `Vale até ${formatCalendarDate(date)}.`,
  choose: (number: number) => `Escolher a opção ${number}`,
  inWords: (number: number) =>
    `Se preferir, responda à nossa mensagem com o número da opção. Por exemplo: “aceito a ${number}”.`,

  none: (contact: string) =>
    `No momento não há opções para mostrar aqui. Para conversar sobre outra forma de pagar, ${contact}.`,
  /** In place of the notice that leads to the options of today, where there are none. */
  noneAfterEnd: 'Essa opção já não vale mais. Nada mudou na sua conta, e você não assumiu nenhum compromisso.',
  back: 'Voltar para a página de pagamento',

  ask: {
    heading: (number: number) => `Aceitar a opção ${number}?`,
    stored:
      'Ao aceitar, guardamos este texto com a data e a hora, e você recebe o Termo de Acordo (PDF) na sua página.',
    accept: 'Aceitar o acordo',
    back: 'Voltar sem aceitar',
  },
} as const;

/** The words about an agreement. Their layout is `src/modules/payments/routes/pages/agreement.ts`. */
export const AGREEMENT_TEXTS = {
  heading: 'Seu acordo',
  paid: {
    heading: 'Acordo pago',
    text: 'Obrigado! Recebemos tudo o que foi combinado. O termo de quitação de cada conta aparece aqui em instantes.',
  },

  /** What the code asks for. */
  next: (number: number, count: number, dueDate: string, isLate: boolean) =>
    `${count === 1 ? 'pagamento único' : `${number}ª de ${count} parcelas`}, ${isLate ? 'venceu' : 'vence'} em ${formatCalendarDate(dueDate)}`,
  part: (received: string) => `Já recebemos ${received} desta parcela. Este é o valor que falta.`,
  rest: 'tudo o que falta do acordo',
  payRest: 'Quitar tudo agora',
  payNext: 'Pagar só a próxima parcela',
  noCode: 'Não foi possível gerar o código Pix agora.',
  tryAgain: 'Tente de novo em instantes',

  instalments: {
    heading: 'Parcelas',
    state: {
      APPROVED: (date: string) => `paga em ${date}`,
      PENDING: (date: string) => `vence em ${date}`,
      LATE: (date: string) => `em atraso, venceu em ${date}`,
      CANCELLED: (date: string) => `venceria em ${date}`,
    },
    openPart: (amount: string) => `faltam ${amount}`,
  },

  details: {
    heading: 'Sobre o acordo',
    total: 'Total combinado',
    discount: 'Desconto',
    paid: 'Já pago',
    open: 'Falta pagar',
    debts: 'Contas do acordo',
    protocol: 'Protocolo',
    term: 'Baixar o Termo de Acordo (PDF)',
  },

  move: {
    summary: 'Mudar a data de uma parcela',
    text: (left: number) =>
      `A parcela pode ir até 10 dias depois da data combinada, sem passar da data da parcela seguinte. Se o dia cair em fim de semana ou feriado, vale o próximo dia útil. ${some(left, 'Você pode fazer isso uma vez', `Você ainda pode fazer isso ${left} vezes`)}.`,
    instalment: 'Qual parcela?',
    choice: (number: number, until: string) => `${number}ª parcela, até ${formatCalendarDate(until)}`,
    to: 'Nova data',
    confirm: 'Mudar a data',
  },

  /** On the page of a person, above the debts that are paid by themselves. */
  others: (count: number) => some(count, 'Uma conta fora do acordo', `${count} contas fora do acordo`),
} as const;
