import { formatCount } from '../format.ts';

/** Words of the panels that the dashboard and the page of a campaign share. */
export const RECOVERY = {
  agreements: 'Acordos',
  all: 'Ver os acordos',
  open: 'Em andamento',
  kept: 'Cumpridos',
  broken: 'Quebrados',
  recovered: 'Recuperado por acordos',
  agreementCount: (count: number) => `${formatCount(count)} ${count === 1 ? 'acordo' : 'acordos'}`,
  agreementsMethod:
    'O que entrou pelas parcelas conta aqui desde o pagamento, e no total recuperado quando o acordo termina. Acordos que a sua equipe cancelou não contam.',
  ageMethod:
    'Valor original das dívidas dos acordos em andamento, pelo número de dias desde o vencimento de cada dívida.',
  charges: 'Encargos por atraso',
  chargesCaption: 'O que o atraso acrescentou e o que entrou, por parte',
  part: 'Parte',
  charged: 'Acrescentado',
  recoveredPart: 'Recuperado',
  nothing: '–',
  chargesMethod:
    'Acrescentado é o que os códigos Pix e os pagamentos pediram além do principal. O que não entrou foi descontado, foi devolvido ou ainda está em aberto.',
} as const;
