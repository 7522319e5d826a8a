import { setTimeout as sleep } from 'node:timers/promises';
import { dateOf } from '../../../testing/checker/place.ts';
import type { Random } from '../../support/random.ts';
import type { Person } from '../people.ts';
import type { Bank } from './bank.ts';
import type { ArrivedMessage, Phones } from './phones.ts';

export interface DebtorsPlan {
  readonly people: readonly Person[];
  readonly random: Random;
  readonly phones: () => Phones;
  readonly bank: () => Bank;
  /** The clock of the service, by which debtors name days. */
  readonly now: () => number;
}

const digits = (phone: string): string => phone.replace(/\D/g, '');
const DAY = 24 * 3_600_000;

/** The next Friday at the debtor's place, today included. */
export function nextFriday(phone: string, now: number): string {
  for (let at = now; ; at += DAY) {
    const date = dateOf(phone, at);
    if (new Date(`${date}T00:00:00Z`).getUTCDay() === 5) return date;
  }
}

const THINKS_MS = [300, 3_000] as const;
/** A page is tried again while the service is away. */
const PAGE_TRIES = 20;

async function openPage(url: string): Promise<void> {
  for (let tries = 0; tries < PAGE_TRIES; tries += 1) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(15_000) }).catch(() => null);
    const text = await answer?.text().catch(() => '');
    if (answer?.status === 200 && text !== undefined) return;
    await sleep(1_500);
  }
}

/** The people of a campaign: each reacts to the contacts that reach the phone, as its behaviour says. */
export function createDebtors({ people, random, phones, bank, now }: DebtorsPlan) {
  const byPhone = new Map(people.map((person) => [digits(person.phone), person]));
  const contacts = new Map<string, number>();
  let acting = 0;

  /** Pays the newest code of each bill with this client; one that pays twice also pays the older codes. */
  async function pay(person: Person, { client, text }: ArrivedMessage): Promise<void> {
    const page = /https?:\/\/\S+\/(?:checkout|pay|p)\/[\w-]+/.exec(text)?.[0];
    if (page !== undefined) await openPage(page);
    const charges = bank().chargesOf(client, person.cpf);
    const newest = new Map(charges.map((charge) => [charge.centavos, charge]));
    for (const charge of person.behaviour === 'pays_twice' ? charges : newest.values()) bank().pay(charge);
  }

  const say = (person: Person, client: number, said: 'opt_out' | 'dispute' | 'question' | 'promise', text: string) => {
    const promisedFor = said === 'promise' ? nextFriday(person.phone, now()) : null;
    return phones().write(client, person.phone, text, { said, promisedFor });
  };

  async function react(person: Person, message: ArrivedMessage, contact: number): Promise<void> {
    const { client } = message;
    await sleep(random.between(...THINKS_MS));
    switch (person.behaviour) {
      case 'silent':
        return;
      case 'pays':
        return pay(person, message);
      case 'pays_twice':
        return contact >= 2 ? pay(person, message) : undefined;
      case 'pays_late':
        return contact >= 3 ? pay(person, message) : undefined;
      case 'pays_after_the_end':
        return contact >= 6 ? pay(person, message) : undefined;
      case 'asks':
        return contact === 1 ? say(person, client, 'question', 'Qual é o valor dessa conta?') : pay(person, message);
      case 'promises':
        return contact === 1 ? say(person, client, 'promise', 'Vou pagar na sexta-feira.') : pay(person, message);
      case 'opts_out':
        return say(person, client, 'opt_out', 'PARAR');
      case 'disputes':
        return say(person, client, 'dispute', 'Não reconheço essa dívida, nunca comprei nada com vocês.');
    }
  }

  return {
    arrived(message: ArrivedMessage): void {
      const person = byPhone.get(digits(message.to));
      if (person === undefined || !message.collects) return;
      const key = `${message.client} ${person.cpf}`;
      const contact = (contacts.get(key) ?? 0) + 1;
      contacts.set(key, contact);
      acting += 1;
      void react(person, message, contact).finally(() => {
        acting -= 1;
      });
    },
    acting: () => acting,
  };
}
