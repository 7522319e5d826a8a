import type { ChannelUsage } from '../api/client.ts';
import { formatCount } from '../format.ts';

const MONTHS = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const CHECK_PAYMENT =
  'Confira na Meta se a conta tem uma forma de pagamento: sem ela, o WhatsApp aceita as mensagens e não as entrega.';

/** Words about what a number of WhatsApp has delivered in a month. */
export const USAGE = {
  caption: (month: string) => `Mensagens entregues em ${MONTHS.format(new Date(`${month}-01T00:00:00Z`))}`,
  kind: 'Tipo',
  kinds: {
    service: 'Respostas na conversa',
    utility: 'Modelos de utilidade',
    marketing: 'Modelos de marketing',
    authentication: 'Modelos de autenticação',
  } satisfies Record<ChannelUsage['messages'][number]['kind'], string>,
  free: 'Gratuitas',
  paid: 'Pagas',
  cost: 'Custo',
  unknown: 'preço desconhecido',
  used: (used: number, eachMonth: number) =>
    `${formatCount(used)} das ${formatCount(eachMonth)} respostas gratuitas deste mês já foram usadas.`,
  total: (cost: string) => `Até agora, cerca de ${cost} pela lista de preços. A fatura da Meta pode ser diferente.`,
  totalUnknown: 'O custo de um dos tipos não é conhecido.',
  ending: `As respostas gratuitas deste mês estão acabando. ${CHECK_PAYMENT}`,
  usedUp: `As respostas gratuitas deste mês acabaram, e cada nova resposta entregue é cobrada. ${CHECK_PAYMENT}`,
  suspected:
    'O WhatsApp aceitou as últimas respostas e não deu notícia de nenhuma delas. É provável que falte uma forma de pagamento na conta da Meta. Confira em Cobrança e pagamentos, no Gerenciador de Negócios. O envio não foi interrompido.',
  missing:
    'A Meta não conseguiu cobrar a conta do WhatsApp Business da sua empresa. Confira a forma de pagamento em Cobrança e pagamentos, no Gerenciador de Negócios. Tentamos de novo a cada hora.',
} as const;
