import type { BureauListing } from '../api/client.ts';
import type { Tone } from './words.ts';

type State = BureauListing['state'];

export const LISTINGS = {
  title: 'Cadastro de inadimplentes',
  none: 'Esta dívida não está em nenhum cadastro, pelo que a sua equipe registrou.',
  lead: 'O Quita não negativa ninguém: aqui fica o que a sua equipe fez, com os prazos da lei.',
  record: 'Registrar negativação',
  recordText:
    'Registre depois de negativar. A pessoa precisa ter sido avisada por escrito ao menos 10 dias antes, ou pelo prazo maior do estado dela.',
  recorded: 'Negativação registrada.',
  bureau: 'Cadastro (bureau)',
  bureauHint: 'Por exemplo, Serasa, SPC Brasil ou Boa Vista',
  at: 'Dia da negativação',
  notifiedAt: 'Dia do aviso à pessoa',
  remove: 'Registrar baixa',
  removeText: (bureau: string) => `A dívida saiu do cadastro ${bureau}. Registre o dia em que a baixa foi feita.`,
  removedAt: 'Dia da baixa',
  removeDone: 'Baixa registrada.',
  since: (bureau: string, day: string) => `${bureau}, desde ${day}`,
  until: (day: string) => `Retire do cadastro até ${day}.`,
  late: (day: string) => `O prazo para retirar do cadastro terminou em ${day}. Peça a baixa hoje.`,
  report: 'Ver todas as negativações',
  reportTitle: 'Negativações',
  reportNone: 'Nenhuma negativação registrada.',
  person: 'Pessoa',
  state: 'Situação',
  dueAt: 'Retirar até',
};

export const LISTING_STATES: Readonly<Record<State, { readonly label: string; readonly tone: Tone }>> = {
  listed: { label: 'No cadastro', tone: 'contact' },
  to_remove: { label: 'A retirar', tone: 'waiting' },
  late: { label: 'Prazo vencido', tone: 'danger' },
  removed: { label: 'Retirada', tone: 'ended' },
};
