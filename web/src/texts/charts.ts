import { formatCount } from '../format.ts';

/** Words of the charts. Sentences that are made from figures stand beside each chart. */
export const CHARTS = {
  empty: 'Ainda não há dados',
  method: 'Como se calcula',
  table: 'Ver tabela',
  total: 'Total',
  share: 'Parte',
  lessThanOnePercent: 'menos de 1%',
  moreThanNinetyNinePercent: 'mais de 99%',
  debts: 'Dívidas',
  debtWord: (debts: number) => (debts === 1 ? 'dívida' : 'dívidas'),
  debtCount: (debts: number) => `${formatCount(debts)} ${debts === 1 ? 'dívida' : 'dívidas'}`,
  recovered: {
    name: 'Recuperado por dia',
    day: 'Dia',
    recovered: 'Recuperado',
    total: 'Acumulado',
    perDay: 'Por dia',
    ofDay: (day: string, recovered: string, total: string) => `${day}: ${recovered}; acumulado: ${total}`,
  },
  status: {
    name: 'Dívidas por situação',
    status: 'Situação',
  },
  /** A range of days past due, ends included. */
  daysLate: (from: number, to: number | null): string => {
    if (to === null) return from > 365 ? 'Mais de 1 ano' : `Mais de ${from} dias`;
    return to < 0 ? 'A vencer' : `${from} a ${to} dias`;
  },
  band: 'Atraso',
  aging: {
    name: 'Em cobrança por tempo de atraso',
    open: 'Em cobrança',
    state: 'em cobrança',
  },
  agreementAging: {
    name: 'Dívidas em acordo por tempo de atraso',
    open: 'Em acordo',
    state: 'em acordo',
  },
  heat: {
    name: 'Contatos por dia e hora',
    day: 'Dia',
    hour: (hour: number) => `${hour} h`,
    scale: 'Quanto mais forte a cor, mais contatos naquela hora. Dias sem contatos não aparecem.',
  },
} as const;
