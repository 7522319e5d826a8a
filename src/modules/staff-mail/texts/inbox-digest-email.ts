import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';
import type { InboxReason } from '../../debts/rules/inbox-reasons.ts';

export interface InboxDigestInput {
  /** What no digest has told before. */
  readonly told: readonly {
    readonly reason: InboxReason;
    readonly campaign: string;
    readonly items: number;
    /** The first day by which something has to be done; null where nothing ends by itself. */
    readonly dueAt?: Date | null;
  }[];
  /** All that is open, with what earlier digests have told. */
  readonly open: number;
  readonly inboxUrl: string;
  readonly sandbox: boolean;
}

/** In the order in which a reason is urgent: a dispute first, then people, then money. */
const REASONS: Readonly<Record<InboxReason, readonly [one: string, many: string]>> = {
  disputed: ['cobrança contestada', 'cobranças contestadas'],
  rights: ['pedido sobre dados e direitos', 'pedidos sobre dados e direitos'],
  hardship: ['pedido de quem está em dificuldade', 'pedidos de quem está em dificuldade'],
  human: ['pedido para falar com uma pessoa', 'pedidos para falar com uma pessoa'],
  negotiate: ['pedido de negociação', 'pedidos de negociação'],
  agreement: ['acordo parado, à espera de uma decisão', 'acordos parados, à espera de uma decisão'],
  negativation: ['negativação a retirar do cadastro', 'negativações a retirar do cadastro'],
  said_paid: ['pessoa que diz que já pagou', 'pessoas que dizem que já pagaram'],
  question: ['pergunta sem resposta', 'perguntas sem resposta'],
  attachment: ['arquivo recebido', 'arquivos recebidos'],
  underpaid: ['pagamento menor que o valor', 'pagamentos menores que o valor'],
  settings: ['dívida sem horário de contato possível', 'dívidas sem horário de contato possível'],
  duplicate: ['pagamento em dobro, para devolver', 'pagamentos em dobro, para devolver'],
  overpaid: ['pagamento maior que o valor, para devolver', 'pagamentos maiores que o valor, para devolver'],
  refunded: ['pagamento devolvido ou contestado no banco', 'pagamentos devolvidos ou contestados no banco'],
  undelivered: ['mensagem que não pôde ser enviada', 'mensagens que não puderam ser enviadas'],
};

const MAX_CAMPAIGNS = 5;
/** A campaign may have a name of 200 characters. */
const MAX_NAME_LENGTH = 60;

const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`;

/** Tells the client's staff what waits for them. It names campaigns and counts, and nothing of a debtor. */
export function inboxDigestEmail({ told, open, inboxUrl, sandbox }: InboxDigestInput): Email {
  const total = sum(told);
  const links = (Object.keys(REASONS) as InboxReason[])
    .map((reason) => ({ reason, count: sum(told.filter((each) => each.reason === reason)) }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => ({
      label: `${counted(count, REASONS[reason])}${termOf(told.filter((each) => each.reason === reason))}`,
      url: `${inboxUrl}?motivo=${reason}`,
    }));
  const content = {
    heading: total === 1 ? 'Um caso espera por você' : `${counted(total, ['caso', 'casos'])} esperam por você`,
    notice: sandbox ? 'Teste: estes casos são de campanhas simuladas, sem pessoas reais.' : undefined,
    paragraphs: [
      'Nestes casos, a cobrança automática parou, ou há dinheiro para conferir, até que a sua equipe decida.',
      campaignsOf(told),
    ],
    links,
    button: { label: 'Abrir o atendimento', url: inboxUrl },
    footnotes: [
      `Ao todo, ${counted(open, ['caso está aberto', 'casos estão abertos'])} no atendimento. Este aviso sai no máximo a cada 15 minutos e só quando há algo novo.`,
      'Por segurança, este e-mail não traz nomes nem mensagens de devedores.',
    ],
  };
  const subject = `${sandbox ? '[TESTE] ' : ''}Quita: ${content.heading.toLocaleLowerCase('pt-BR')}`;
  return emailOf(subject, content);
}

const DAY = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });

/** A return by the bank can be contested until a day: whoever reads only the mail has to know it. */
function termOf(told: InboxDigestInput['told']): string {
  const terms = told.flatMap(({ dueAt }) => dueAt?.getTime() ?? []);
  return terms.length === 0 ? '' : `, prazo até ${DAY.format(Math.min(...terms))}`;
}

const sum = (counts: readonly { readonly items: number }[]): number =>
  counts.reduce((total, { items }) => total + items, 0);

function campaignsOf(told: InboxDigestInput['told']): string {
  const campaigns = [...Map.groupBy(told, ({ campaign }) => campaign)]
    .map(([name, counts]) => ({ name: shortened(oneLine(name)), items: sum(counts) }))
    .sort((one, other) => other.items - one.items);
  const named = campaigns
    .slice(0, MAX_CAMPAIGNS)
    .map(({ name, items }) => `${name} (${items.toLocaleString('pt-BR')})`);
  const rest = campaigns.length - named.length;
  const more = rest === 0 ? '' : ` e mais ${counted(rest, ['campanha', 'campanhas'])}`;
  return `${campaigns.length === 1 ? 'Campanha' : 'Campanhas'}: ${named.join(', ')}${more}.`;
}

const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length <= MAX_NAME_LENGTH ? name : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
};
