import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { STATES, type State } from '../../../kernel/phone.ts';
import type {
  DayDifference,
  MinuteRange,
  PackDifference,
  RuleDifference,
  WeekDifference,
} from '../rules/pack-difference.ts';
import { CHANNELS, type Channel, type LegalStatus, type PolicyRule } from '../rules/policy-pack.ts';

const DAYS = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'];
const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  email: 'e-mail',
  call: 'ligação',
};
const STATUS_NAMES: Readonly<Record<LegalStatus, string>> = {
  law: 'lei',
  case: 'tribunais',
  selfreg: 'autorregulação',
  platform: 'regra de plataforma',
  bill: 'projeto de lei, que não vale para ninguém',
  product: 'escolha do produto',
};
const COLLECTS: Readonly<Record<CollectsFor, string>> = {
  itself: 'quem cobra as próprias dívidas',
  others: 'quem cobra dívidas de outras empresas',
};

const two = (part: number): string => String(part).padStart(2, '0');
const time = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
const ranges = (all: readonly MinuteRange[]): string =>
  all.length === 0 ? '—' : all.map(({ from, to }) => `${time(from)}–${time(to)}`).join(', ');
const day = (date: string): string => date.split('-').toReversed().join('/');
const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} e ${all.at(-1)}`;
/** So many states are easier to read as the ones that are left out. */
const FEW = 6;
const statesOf = (states: 'all' | readonly State[]): string => {
  if (states === 'all' || states.length === STATES.length) return 'todos os estados';
  const missing = STATES.filter((state) => !states.includes(state));
  return missing.length <= FEW ? `todos os estados, menos ${listed(missing)}` : listed(states);
};
const channelsOf = (channels: 'all' | readonly Channel[]): string =>
  channels === 'all' || channels.length === CHANNELS.length
    ? 'todos os canais'
    : listed(channels.map((channel) => CHANNEL_NAMES[channel]));

const COLUMNS = ['dia', 'antes', 'depois', 'abre', 'fecha'];

function table(days: readonly DayDifference[]): string[] {
  const rows = days.map((one) => [
    DAYS[one.day]!,
    ranges(one.before),
    ranges(one.after),
    ranges(one.opens),
    ranges(one.closes),
  ]);
  const widths = COLUMNS.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd();
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

const week = ({ collectsFor, states, channels, days }: WeekDifference): string[] => [
  '',
  `${statesOf(states)} · ${channelsOf(channels)} · ${collectsFor.length === 2 ? 'para todos' : `para ${COLLECTS[collectsFor[0]!]}`}`,
  ...table(days),
];

const OF_KIND: Readonly<Record<'opt_out' | 'dispute' | 'hold' | 'wrong_person', string>> = {
  opt_out: 'silêncio para quem pediu para não ser contatado',
  dispute: 'nada enquanto a dívida é contestada',
  hold: 'nada enquanto uma pessoa da empresa não decide',
  wrong_person: 'nunca mais o telefone de outra pessoa',
};

const daysOf = (days: readonly number[]): string =>
  days.toSorted().join() === '1,2,3,4,5' ? 'segunda a sexta' : listed(days.map((one) => DAYS[one]!));

/** What a rule says, in one sentence without its subject. */
function saying(rule: PolicyRule): string {
  switch (rule.rule) {
    case 'window':
      return rule.windows.map(({ days, from, to }) => `${daysOf(days)} das ${time(from)} às ${time(to)}`).join('; ');
    case 'holidays': {
      const kinds = [...(rule.national ? ['nacionais'] : []), ...(rule.state ? ['do estado'] : [])];
      return kinds.length === 0 ? 'nenhum feriado' : `nada em feriados ${listed(kinds)}`;
    }
    case 'caps': {
      const period = rule.period === 'calendar_day' ? 'por dia' : `em ${counted(rule.period.hours, 'hora', 'horas')}`;
      const per = listed(rule.countedPer.map((one) => (one === 'person' ? 'pessoa' : 'telefone')));
      return `no máximo ${counted(rule.count, 'contato', 'contatos')} ${period}, por ${per}`;
    }
    case 'due':
      return `a partir de ${counted(rule.daysAfterDue, 'dia', 'dias')} depois do vencimento`;
    case 'prescription':
      return `nada depois de ${counted(rule.years, 'ano', 'anos')} do vencimento`;
    case 'promise':
      return `silêncio até ${counted(rule.businessDays, 'dia útil', 'dias úteis')} depois da data prometida`;
    case 'said_paid':
      return `${counted(rule.businessDays, 'dia útil', 'dias úteis')} de silêncio depois de “já paguei”`;
    case 'inbox':
      return `nada enquanto há mensagem por tratar; nova consulta em ${counted(rule.retryMinutes, 'minuto', 'minutos')}`;
    case 'reply':
      return `no máximo ${counted(rule.perMessage, 'resposta', 'respostas')} por mensagem e ${rule.perDay} por dia`;
    case 'person_answering':
      return `a equipe responde até ${counted(rule.hours, 'hora', 'horas')} depois; o assistente cala ${counted(rule.businessDays, 'dia útil', 'dias úteis')}`;
    case 'receipt':
      return `no máximo ${counted(rule.sendingsPerDay, 'envio', 'envios')} do recibo por dia`;
    case 'identity':
      return `a cobrança traz: ${rule.requires.join(', ')}`;
    case 'free_text':
      return `texto livre até ${counted(rule.hours, 'hora', 'horas')} depois da última mensagem da pessoa`;
    default:
      return OF_KIND[rule.rule];
  }
}

function sentence(rule: PolicyRule): string {
  const { status, states, channels, binds, effectiveFrom, effectiveTo, statusProof, checkedAt } = rule;
  const marks = [
    STATUS_NAMES[status],
    statesOf(states),
    channelsOf(channels),
    ...(binds === 'collectors' ? ['só para quem cobra dívidas de outras empresas'] : []),
    ...(effectiveFrom === null ? [] : [`desde ${day(effectiveFrom)}`]),
    ...(effectiveTo === null ? [] : [`até ${day(effectiveTo)}`]),
    ...(checkedAt === null ? [] : [`conferida em ${day(checkedAt)}`]),
    ...(status === 'bill' || (status === 'product' && statusProof !== null)
      ? []
      : [statusProof === null ? 'sem prova de vigência' : `comprovada por: ${statusProof.seen}`]),
  ];
  return `${saying(rule)} (${marks.join('; ')})`;
}

const rule = ({ before, after }: RuleDifference): string[] => {
  if (before === null) return [`+ ${after!.id}: ${sentence(after!)}`];
  if (after === null) return [`- ${before.id}: ${sentence(before)}`];
  const [was, is] = [sentence(before), sentence(after)];
  if (was === is) return [`~ ${after.id}: mudam só a fonte, as páginas lidas ou a observação`];
  return [`~ ${after.id}`, `    antes:  ${was}`, `    depois: ${is}`];
};

interface Named {
  readonly id: string;
  readonly version: string;
}

/** The difference of two packs, as tables of an ordinary week and a list of rules. */
export function packDifferenceText(before: Named, after: Named, { dated, rules }: PackDifference): string {
  const title = `De ${before.id} ${before.version} para ${after.id} ${after.version}`;
  if (dated.length === 0 && rules.length === 0) return `${title}\n\nAs regras são as mesmas.\n`;
  const lines = [title, '', 'Horários numa semana comum, sem feriados, na hora do lugar da pessoa'];
  if (dated.length === 0) lines.push('', 'Nenhum minuto abre ou fecha.');
  for (const { on, weeks } of dated) {
    lines.push('', `Em ${day(on)} e depois`);
    if (weeks.length === 0) lines.push('', 'Os horários são os mesmos.');
    else lines.push(...weeks.flatMap(week));
  }
  lines.push('', 'Regras que mudam (+ nova, - retirada, ~ alterada)', '', ...rules.flatMap(rule));
  return `${lines.join('\n')}\n`;
}
