import { setTimeout as sleep } from 'node:timers/promises';
import type { Said } from '../../../testing/checker/log.ts';
import { dateOf } from '../../../testing/checker/place.ts';
import type { Random } from '../../support/random.ts';
import type { Person } from '../people.ts';
import { amountOn, offersIn } from './agreement-words.ts';
import type { Bank } from './bank.ts';
import type { ArrivedMessage, Phones } from './phones.ts';

export interface DebtorsPlan {
  readonly people: readonly Person[];
  readonly random: Random;
  readonly phones: () => Phones;
  readonly bank: () => Pick<Bank, 'chargesOf' | 'pay'>;
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

async function openPage(url: string): Promise<string | null> {
  for (let tries = 0; tries < PAGE_TRIES; tries += 1) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(15_000) }).catch(() => null);
    const text = await answer?.text().catch(() => '');
    if (answer?.status === 200 && text !== undefined) return text;
    await sleep(1_500);
  }
  return null;
}

const pageIn = (text: string): string | undefined => /https?:\/\/\S+\/(?:checkout|pay|p)\/[\w-]+/.exec(text)?.[0];

interface Deal {
  agreed: boolean;
  paid: boolean;
}

/** The people of a campaign: each reacts to the contacts that reach the phone, as its behaviour says. */
export function createDebtors({ people, random, phones, bank, now }: DebtorsPlan) {
  const byPhone = new Map(people.map((person) => [digits(person.phone), person]));
  const contacts = new Map<string, number>();
  const deals = new Map<string, Deal>();
  let acting = 0;

  /** Pays the newest code of each bill with this client; one that pays twice also pays the older codes. */
  async function pay(person: Person, { client, text }: ArrivedMessage): Promise<void> {
    const page = pageIn(text);
    if (page !== undefined) await openPage(page);
    const charges = bank().chargesOf(client, person.cpf);
    const newest = new Map(charges.map((charge) => [charge.centavos, charge]));
    for (const charge of person.behaviour === 'pays_twice' ? charges : newest.values()) bank().pay(charge);
  }

  const say = (person: Person, client: number, said: Said, text: string) => {
    const promisedFor = said === 'promise' ? nextFriday(person.phone, now()) : null;
    return phones().write(client, person.phone, text, { said, promisedFor });
  };

  /**
   * Pays what the page of an agreement asks for. Who pays the second instalment pays the code of the whole rest with it, so
   * that this instalment is paid twice.
   */
  async function payAgreed(person: Person, { client, text, told }: ArrivedMessage): Promise<boolean> {
    const page = pageIn(text);
    if (page === undefined) return false;
    const isTwice = told !== null && told.kind !== 'agreed' && told.instalment === 2;
    const shown = [await openPage(page), isTwice ? await openPage(`${page}?quitar=tudo`) : null];
    const amounts = new Set(shown.map((one) => (one === null ? null : amountOn(one))));
    const charges = bank().chargesOf(client, person.cpf);
    const codes = charges.filter((one) => charges.findLast(({ centavos }) => centavos === one.centavos) === one);
    return codes
      .filter(({ centavos }) => amounts.has(centavos))
      .map(bank().pay)
      .includes(true);
  }

  /** Asks for offers, accepts one by its number, and pays what it is told: all of it, or the first instalment alone. */
  async function negotiate(person: Person, message: ArrivedMessage, deal: Deal): Promise<void> {
    const { client, text, told, collects } = message;
    await sleep(random.between(...THINKS_MS));
    const keeps = person.behaviour === 'agrees_and_pays';
    if (told !== null) deal.agreed = true;
    if (deal.agreed && (told !== null || collects)) {
      if (keeps || !deal.paid) deal.paid = (await payAgreed(person, message)) || deal.paid;
      return;
    }
    const offers = offersIn(text);
    // Half of those who pay choose to pay at once.
    const atOnce = keeps && Number(person.phone.at(-1)) % 2 === 0;
    const number = atOnce ? offers[0] : offers.at(-1);
    if (number !== undefined && !deal.agreed) return say(person, client, 'accept', `Aceito a ${number}`);
    if (collects) return say(person, client, 'negotiate', 'Quero negociar');
  }

  async function react(person: Person, message: ArrivedMessage, contact: number): Promise<void> {
    const { client } = message;
    await sleep(random.between(...THINKS_MS));
    switch (person.behaviour) {
      case 'silent':
      case 'agrees_and_pays':
      case 'agrees_and_breaks':
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
      if (person === undefined) return;
      const key = `${message.client} ${person.cpf}`;
      if (person.behaviour === 'agrees_and_pays' || person.behaviour === 'agrees_and_breaks') {
        const deal = deals.get(key) ?? { agreed: false, paid: false };
        deals.set(key, deal);
        acting += 1;
        void negotiate(person, message, deal).finally(() => {
          acting -= 1;
        });
        return;
      }
      if (!message.collects) return;
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
