import type { Agreement } from '../api/client.ts';
import type { Tone } from './words.ts';

interface Word {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: 'agreement' | 'check' | 'clock' | 'stop' | 'warning';
}

export type AgreementStatus = Agreement['status'];
export type InstalmentStatus = Agreement['instalments'][number]['status'];

export const AGREEMENT_STATUS: Readonly<Record<AgreementStatus, Word>> = {
  ACTIVE: { label: 'Em andamento', tone: 'contact', icon: 'agreement' },
  COMPLETED: { label: 'Cumprido', tone: 'paid', icon: 'check' },
  BROKEN: { label: 'Quebrado', tone: 'ended', icon: 'warning' },
  CANCELLED: { label: 'Cancelado', tone: 'ended', icon: 'stop' },
};

export const INSTALMENT_STATUS: Readonly<Record<InstalmentStatus, Word>> = {
  PENDING: { label: 'A pagar', tone: 'contact', icon: 'clock' },
  APPROVED: { label: 'Paga', tone: 'paid', icon: 'check' },
  LATE: { label: 'Atrasada', tone: 'waiting', icon: 'warning' },
  CANCELLED: { label: 'Não vale mais', tone: 'ended', icon: 'stop' },
};

/** By which way the debtor accepted, behind "aceito". */
export const ACCEPTED_BY: Readonly<Partial<Record<string, string>>> = {
  page: 'aceito na página',
  message: 'aceito por mensagem',
  staff: 'aceite registrado por sua equipe',
};

/** Why an agreement waits for a person, in the middle of a sentence. */
export const STOPPED_BECAUSE: Readonly<Partial<Record<string, string>>> = {
  opt_out: 'a pessoa pediu silêncio',
  dispute: 'a pessoa contesta a dívida',
  hardship: 'a pessoa passa por dificuldade',
  wrong_person: 'o telefone é de outra pessoa',
  death: 'há notícia de falecimento',
};

/** How many payments, as people say it. */
export const times = (count: number): string => (count === 1 ? 'à vista' : `em ${count} vezes`);
