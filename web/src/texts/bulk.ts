import { formatCount } from '../format.ts';

const debts = (count: number): string => `${formatCount(count)} ${count === 1 ? 'dívida' : 'dívidas'}`;

/** Words of one decision about several debts. */
export const BULK = {
  actions: {
    resume: {
      name: 'Retomar',
      title: (count: number) => `Retomar ${debts(count)}`,
      text: 'Vale para as que foram contestadas, esperam você ou terminaram sem resposta há 30 dias ou mais: o Quita volta a escrever, no próximo horário que as regras permitem. As outras ficam como estão.',
      impossible: (count: number) =>
        `Nenhuma das ${debts(count)} pode ser retomada: só se retoma uma dívida contestada, que espera você ou que terminou sem resposta.`,
    },
    snooze: {
      name: 'Adiar',
      title: (count: number) => `Adiar ${debts(count)}`,
      text: 'Saem do atendimento e voltam no momento escolhido, ou antes, se a pessoa pedir de novo. Vale só para as que esperam você.',
      impossible: (count: number) => `Nenhuma das ${debts(count)} pode ser adiada: nenhuma espera você.`,
    },
    withdraw: {
      name: 'Encerrar',
      title: (count: number) => `Encerrar ${debts(count)}`,
      text: 'Estas pessoas não recebem mais cobranças destas dívidas, e os códigos Pix deixam de valer. Isto não pode ser desfeito. As que já foram pagas e as que estão em acordo ficam como estão: um acordo se cancela antes.',
      impossible: (count: number) =>
        `Nenhuma das ${debts(count)} pode ser encerrada: todas já terminaram ou estão em acordo.`,
    },
  },
  onlyPossible: (possible: number, count: number) =>
    `Isto é possível em ${formatCount(possible)} das ${debts(count)}. As outras ficam como estão.`,
  unanswered: (count: number) =>
    count === 1
      ? '1 destas pessoas espera uma resposta sua. Se você retomar, ela recebe uma cobrança em vez da resposta.'
      : `${formatCount(count)} destas pessoas esperam uma resposta sua. Se você retomar, elas recebem uma cobrança em vez da resposta.`,
  anyway: 'Retomar assim mesmo',
  noteHint: 'Obrigatório para quem contestou ou diz que já pagou; sem isto, essas dívidas ficam como estão.',
  changed: (before: number, now: number) =>
    `A lista mudou: eram ${debts(before)}, agora ${now === 1 ? 'é 1' : `são ${formatCount(now)}`}. Nada foi feito. Confira e confirme de novo.`,
  changedToNone: 'A lista mudou: nenhuma dívida cabe mais neste filtro. Nada foi feito.',
  working: 'Isto pode levar alguns minutos. Se a conexão cair, o trabalho continua.',
  done: (count: number) => (count === 0 ? 'Nada foi feito.' : `Feito em ${debts(count)}.`),
  skipped: (count: number, reasons: string) =>
    `${count === 1 ? '1 dívida ficou como estava' : `${debts(count)} ficaram como estavam`}: ${reasons}.`,
  because: (count: number, why: string) => `${formatCount(count)} porque ${why}`,
  why: {
    debt_state: 'a situação não permite',
    note_required: 'falta dizer o que a equipe conferiu',
    selection_changed: 'saíram do filtro antes',
    not_found: 'não existem mais',
    campaign_state: 'a campanha não permite',
  } as Readonly<Record<string, string>>,
  unnamed: (id: string) => `Dívida ${id.slice(0, 8)}`,
  moreSkipped: (count: number) => `e mais ${debts(count)}`,
} as const;
