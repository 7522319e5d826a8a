import { cpfOf } from '../../testing/debts.ts';
import type { Random } from '../support/random.ts';

/** What a debtor does after each contact; the debtors of `bench/chaos/world/debtors.ts` act so. */
export const BEHAVIOURS = [
  'silent',
  'pays',
  'pays_twice',
  'pays_late',
  'pays_after_the_end',
  'asks',
  'promises',
  'opts_out',
  'disputes',
  'agrees_and_pays',
  'agrees_and_breaks',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** How many of 20 debtors behave in each way. */
const SHARES: Readonly<Record<Behaviour, number>> = {
  silent: 3,
  pays: 3,
  pays_twice: 1,
  pays_late: 2,
  pays_after_the_end: 1,
  asks: 2,
  promises: 2,
  opts_out: 2,
  disputes: 1,
  agrees_and_pays: 2,
  agrees_and_breaks: 1,
};

export interface Bill {
  readonly client: number;
  readonly invoiceId: string;
  readonly amountCentavos: number;
  /** Whether it falls due during the run, and its debtor is reminded of it before. */
  readonly upcoming: boolean;
}

export interface Person {
  readonly name: string;
  readonly cpf: string;
  readonly phone: string;
  readonly behaviour: Behaviour;
  readonly bills: readonly Bill[];
}

export const CLIENTS = 2;

/** São Paulo, Rio, Minas Gerais (closes at 18:00), Pernambuco (two zones), Amazonas (an hour behind), Acre (two). */
export const AREA_CODES = ['11', '11', '21', '31', '81', '92', '68', '51', '71'] as const;

/**
 * Every seventh person has two bills with one client, and every eleventh one with each client. A person who disputes has
 * one bill, because a dispute is about the bills that the person means. Every fourth person has a bill that is not due yet,
 * except who negotiates, because nothing is offered before a bill is overdue.
 */
export function makePeople(debts: number, random: Random): readonly Person[] {
  const ways = BEHAVIOURS.flatMap((behaviour) => Array.from({ length: SHARES[behaviour] }, () => behaviour));
  const people: Person[] = [];
  let made = 0;
  let round: Behaviour[] = [];
  for (let index = 0; made < debts; index += 1) {
    if (round.length === 0) round = random.shuffled(ways);
    const behaviour = round.pop()!;
    const client = index % CLIENTS;
    const isSingle = behaviour === 'disputes' || made + 2 > debts;
    const owners = isSingle ? [client] : index % 11 === 5 ? [0, 1] : index % 7 === 3 ? [client, client] : [client];
    const isUpcoming = index % 4 === 1 && !behaviour.startsWith('agrees');
    people.push({
      name: `Maria Silva ${index}`,
      cpf: cpfOf(500_000_000 + index),
      phone: `+55${random.oneOf(AREA_CODES)}98${String(7_000_000 + index)}`,
      behaviour,
      bills: owners.map((owner, nth) => ({
        client: owner,
        invoiceId: `NF-${index}-${nth}`,
        // Each amount is unique, so that a charge at the provider tells which bill it is for.
        amountCentavos: 10_000 + made + nth,
        // A person with bills of two clients is collected by one of them and reminded by the other.
        upcoming: isUpcoming && (nth === owners.length - 1 || owners[0] === owners[1]),
      })),
    });
    made += owners.length;
  }
  return people;
}
