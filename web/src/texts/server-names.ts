/**
 * Written by `scripts/make-web-client.ts`. A name is changed where the server has it: `src/modules/debts/texts/names.ts`,
 * `src/modules/terms/texts/components.ts`, `src/modules/policy/texts/contact-rules.ts`, `src/kernel/texts/payment-methods.ts` and `src/kernel/phone.ts`; the limit, in `src/modules/policy/rules/collection-sequence.ts`.
 */

export const COMPONENT_NAMES = {
  principal: 'Principal',
  fine: 'Multa',
  interest: 'Juros',
  correction: 'Correção',
} as const;

export const METHOD_NAMES = {
  pix: 'Pix',
  cash: 'Dinheiro',
  bank_transfer: 'Transferência bancária',
  boleto: 'Boleto',
  card: 'Cartão',
  cheque: 'Cheque',
  other: 'Outro meio de pagamento',
} as const;

export const METHOD_PHRASES = {
  pix: 'por Pix',
  cash: 'em dinheiro',
  bank_transfer: 'por transferência bancária',
  boleto: 'por boleto',
  card: 'por cartão',
  cheque: 'em cheque',
  other: 'por outro meio de pagamento',
} as const;

export const REASON_NAMES = {
  disputed: 'Contestou a dívida',
  hardship: 'Passa por dificuldade',
  negotiate: 'Quer negociar',
  human: 'Quer falar com uma pessoa',
  underpaid: 'Pagou a menos',
  agreement: 'Acordo parado',
  negativation: 'Negativação a retirar',
  settings: 'Sem horário possível',
  duplicate: 'Pagou duas vezes',
  overpaid: 'Pagou a mais',
  refunded: 'Pagamento devolvido',
  undelivered: 'Mensagem não entregue',
  attachment: 'Enviou um arquivo',
  said_paid: 'Diz que já pagou',
  question: 'Pergunta sem resposta',
  rights: 'Pedido sobre direitos',
} as const;

export const RULE_SOURCES = {
  'br-hours': 'Leis estaduais (RJ, ES, SP, AL); Código de Defesa do Consumidor (Lei 8.078/1990), art. 71',
  'br-holidays': 'Lei estadual SP 15.426/2014; Lei estadual AL 7.782/2016; a lei de cada feriado está na lista abaixo',
  'br-opt-out':
    'Código de Defesa do Consumidor (Lei 8.078/1990), art. 42 e 71; política de mensagens do WhatsApp Business',
  'br-wrong-person': 'Código de Defesa do Consumidor (Lei 8.078/1990), art. 42 e 71, como os tribunais os aplicam',
  'br-reply': 'Política de mensagens do WhatsApp Business',
  'wa-24h': 'Política de mensagens do WhatsApp Business, janela de atendimento',
} as const;

export const RULE_TEXTS = {
  'br-hours': 'Só de segunda a sexta, das 9h às 19h: o horário que todas as leis estaduais em vigor permitem.',
  'br-sp-lei-15426-2014': 'São Paulo: dias úteis das 8h às 20h.',
  'br-al-lei-7782-2016': 'Alagoas: dias úteis das 8h às 20h.',
  'br-rj-lei-6854-2014': 'Rio de Janeiro: dias úteis das 9h às 19h.',
  'br-rj-lei-7868-2018':
    'Rio de Janeiro: o telefone de outra pessoa nunca é usado, mesmo que tenha sido dado como referência.',
  'br-es-lei-10626-2017': 'Espírito Santo: dias úteis das 8h às 19h.',
  'br-am-lei-360-2016': 'Amazonas: dias úteis até as 19h. O STF derrubou uma parte desta lei.',
  'br-am-lei-4644-2018': 'Amazonas: dias úteis das 8h às 18h, a leitura mais cautelosa do texto.',
  'br-mt-lei-11792-2022-hours':
    'Mato Grosso: empresas de cobrança só escrevem em horário comercial, que lemos como dias úteis das 8h às 18h.',
  'br-mt-lei-11792-2022':
    'Mato Grosso: empresas de cobrança fazem no máximo 2 contatos por dia, somados telefone, e-mail, SMS e WhatsApp.',
  'br-ba-pl-23236-2019': 'Bahia: cobrança por qualquer meio só em dias úteis, das 8h às 18h.',
  'br-ms-pl-130-2025': 'Mato Grosso do Sul: ligações de cobrança só em dias úteis, das 8h às 18h.',
  'br-mg-hours':
    'Minas Gerais: dias úteis até as 18h. A lei que fixava o horário foi vetada; mantemos o limite por cautela.',
  'br-holidays': 'Nenhum contato em feriado nacional nem em feriado do estado da pessoa.',
  'br-cap-day': 'No máximo 1 contato de cobrança por dia para cada pessoa e cada telefone.',
  'br-cap-week': 'No máximo 3 contatos de cobrança em 7 dias (168 horas) para cada pessoa e cada telefone.',
  'br-due': 'Só a partir do dia seguinte ao vencimento.',
  'br-cc-206': 'Nenhuma cobrança de dívida vencida há mais de 5 anos. A pessoa ainda pode pagar.',
  'br-opt-out': 'Quem pede para não ser contatado não recebe mais nada, em nenhuma dívida. Só uma confirmação.',
  'br-dispute': 'Quem contesta não é cobrado até que a empresa decida.',
  'br-hold':
    'Quem passa por dificuldade, quer negociar ou quer falar com uma pessoa não recebe mensagens automáticas até que a empresa decida.',
  'br-wrong-person':
    'O telefone de outra pessoa nunca mais é usado para aquele CPF. O aviso de falecimento vale o mesmo.',
  'br-promise': 'Depois de uma promessa, silêncio até um dia útil após a data prometida.',
  'br-said-paid': 'Quem diz que já pagou tem dois dias úteis de silêncio.',
  'br-inbox': 'Nada sai enquanto uma mensagem da pessoa ou um aviso de pagamento espera tratamento.',
  'br-reply': 'A resposta à mensagem da pessoa pode sair na hora: uma para cada mensagem, até 5 por dia.',
  'br-person-answering':
    'Uma pessoa da equipe pode responder enquanto alguém espera resposta ou escreveu nas últimas 24 horas; o assistente fica em silêncio por dois dias úteis.',
  'br-receipt': 'O recibo sai assim que o pagamento é confirmado; até 5 envios por dia.',
  'br-cdc-42a':
    'Toda cobrança leva o primeiro nome da pessoa, nome, CNPJ e endereço do credor, o link e como pedir silêncio.',
  'wa-24h':
    'No WhatsApp, texto livre só até 24 horas depois da última mensagem da pessoa; antes disso, um modelo aprovado.',
  'debtor-preference': 'Só nos dias, nas horas e pelo meio que a própria pessoa pediu.',
} as const;

export const STATUS_NAMES = {
  IMPORTED: 'Importada',
  QUEUED: 'Na fila',
  IN_COLLECTION: 'Em contato',
  PROMISED: 'Prometeu pagar',
  AGREEMENT: 'Em acordo',
  ON_HOLD: 'Espera você',
  DISPUTED: 'Contestada',
  OPTED_OUT: 'Pediu silêncio',
  PAID: 'Paga',
  EXHAUSTED: 'Tentativas esgotadas',
  UNREACHABLE: 'Sem contato possível',
  STOPPED: 'Encerrada',
} as const;

export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;

export const MAX_SEQUENCE_STEPS = 12;
