import { RULE_SOURCES, RULE_TEXTS } from './server-names.ts';

interface Cap {
  readonly count: number;
  readonly hours: number;
}

const inHours = (hours: number): string => (hours === 1 ? '1 hora' : `${hours} horas`);

export const RULES = {
  title: 'Regras',
  lead: 'Antes de cada mensagem o Quita confere todas estas regras, na hora de enviar. Se uma delas não permite, nada sai.',
  version: (version: string) => `Versão de ${version}`,
  older: (version: string) => `Você está vendo a versão de ${version}, que já foi substituída.`,
  current: 'Ver a versão atual',
  versions: 'Versões já usadas',
  contact: 'Quando e quanto se pode escrever',
  rule: 'Regra',
  says: 'O que diz',
  basis: 'Base',
  source: 'Fonte',
  readAt: (index: number) => `consulta ${index}`,
  inForce: 'Vigência',
  unproved: 'Sem prova de vigência',
  unprovedCount: (count: number) =>
    count === 1
      ? 'Uma regra está sem prova de vigência: continua valendo por cautela, e precisa da leitura de um advogado.'
      : `${count} regras estão sem prova de vigência: continuam valendo por cautela, e precisam da leitura de um advogado.`,
  notLaw: 'Ainda não é lei: não vale para ninguém.',
  ours: 'Vale por escolha do Quita.',
  provedBy: (seen: string) => `Comprovada por: ${seen}`,
  checkedOn: (date: string) => `Conferida em ${date}.`,
  onlyCollectors: 'Só para quem cobra dívidas de outras empresas.',
  hours: 'Horários por estado',
  hoursLead:
    'Valem no lugar da pessoa, só em dias úteis. Se o DDD cobre mais de um estado ou fuso, vale o horário que serve em todos.',
  state: 'Estado',
  allStates: 'Demais estados',
  weekdays: 'Segunda a sexta',
  holidays: (year: number) => `Feriados de ${year}`,
  holidaysLead: 'Nesses dias ninguém é contatado.',
  national: 'Brasil inteiro',
  chooseState: 'Estado',
  date: 'Data',
  holiday: 'Feriado',
  law: 'Lei',
  sequence: 'Sequência de contatos',
  sequenceLead: 'No máximo estes contatos, cada um só se ninguém respondeu e as regras permitem.',
  step: 'Contato',
  tone: 'Tom',
  wait: 'Depois espera',
  days: (days: number) => (days === 1 ? '1 dia' : `${days} dias`),
  ends: 'a sequência termina',
  kinds: { first: 'Primeiro contato', reminder: 'Lembrete', last: 'Último aviso' } as Readonly<Record<string, string>>,
  tones: { friendly: 'amigável', neutral: 'neutro', firm: 'firme' } as Readonly<Record<string, string>>,
  bases: {
    law: 'Lei',
    case: 'Tribunais',
    selfreg: 'Autorregulação',
    platform: 'Plataforma',
    bill: 'Projeto de lei',
    product: 'Escolha do Quita',
  } as Readonly<Record<string, string>>,
  /** What each rule says, by its id. */
  texts: RULE_TEXTS as Readonly<Record<string, string>>,
  /** Where the pack's source has an English remark, the same in Portuguese. */
  sources: RULE_SOURCES as Readonly<Record<string, string>>,
  own: 'Regras da sua empresa',
  ownLead: 'Você pode ser mais cauteloso que as regras abaixo, nunca menos. Vale para todas as campanhas.',
  ownVersion: (version: number) => `Versão ${version}`,
  none: 'Sem regra própria',
  from: 'Não antes das',
  to: 'Não depois das',
  weekdaysAllowed: 'Dias em que se pode escrever',
  perDays: 'Contatos no máximo',
  inDays: 'em quantos dias',
  inHours: (hours: number) => `Hoje o limite é em ${inHours(hours)}, e só muda se você mudar este campo.`,
  otherCaps: (caps: readonly Cap[]) =>
    `Também valem, e ficam como estão: ${caps
      .map(({ count, hours }) => `no máximo ${count === 1 ? '1 contato' : `${count} contatos`} em ${inHours(hours)}`)
      .join('; ')}.`,
  afterDue: 'Dias depois do vencimento, no mínimo',
  saveOwn: 'Salvar as regras da empresa',
  savedOwn: 'Regras da empresa salvas.',
  weekdayNames: [
    { key: 'mon', label: 'segunda' },
    { key: 'tue', label: 'terça' },
    { key: 'wed', label: 'quarta' },
    { key: 'thu', label: 'quinta' },
    { key: 'fri', label: 'sexta' },
  ],
} as const;
