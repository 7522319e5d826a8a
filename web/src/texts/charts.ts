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
  aging: {
    name: 'Em cobrança por tempo de atraso',
    band: 'Atraso',
    open: 'Em cobrança',
  },
  heat: {
    name: 'Contatos por dia e hora',
    day: 'Dia',
    hour: (hour: number) => `${hour} h`,
    scale: 'Quanto mais forte a cor, mais contatos naquela hora. Dias sem contatos não aparecem.',
  },
} as const;
