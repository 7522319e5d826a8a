import { randomBytes, randomUUID } from 'node:crypto';
import { keepSentTexts } from '../../src/modules/genuine/use-cases/keep-sent-texts.ts';
import { collectionMessage } from '../../src/modules/messaging/texts/collection.ts';
import { cpfOf } from '../../testing/debts.ts';
import type { Engine, MadeDebt } from '../../testing/engine.ts';
import { ORIGIN } from './items.ts';

/** So many people owe, and as many of the same kind are unknown. */
const PEOPLE = 200;
/**
 * Each question is asked again, at moments far from each other; its least time is the one without other work in it. The
 * rounds end once the least times lie near each other, whoever they are about, so that a busy machine gets more of them.
 */
const ROUNDS = { least: 3, most: 8 };
const isQuiet = (times: readonly number[]): boolean => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.75)]! < 1.25 * sorted[Math.floor(sorted.length * 0.1)]!;
};

/** What somebody may know or guess of a person, each of which has to be answered as that of nobody. */
const KINDS = ['cpf', 'phone', 'name', 'text', 'link', 'code'] as const;
type Kind = (typeof KINDS)[number];

interface Somebody {
  readonly id: string;
  readonly cpf: string;
  readonly phone: string;
  readonly name: string;
  readonly brCode: string;
}

const NAMES = ['Ana', 'Bia', 'Caio', 'Davi', 'Elza', 'Fábio', 'Gil', 'Hugo', 'Inês', 'João'];

const personOf = (n: number): Somebody => ({
  id: randomUUID(),
  cpf: cpfOf(710_000_000 + n),
  phone: `+55119${71_000_000 + n}`,
  name: `${NAMES[n % 10]} ${NAMES[Math.floor(n / 10) % 10]} ${NAMES[Math.floor(n / 100) % 10]} Prado`,
  brCode: `00020126580014br.gov.bcb.pix0136${randomUUID()}5204000053039865406150.755802BR62290525${randomBytes(12).toString('hex')}x6304A1B`,
});

/** The message to the person, with this link, which nobody can guess. */
const textTo = ({ name }: Somebody, link: string): string =>
  collectionMessage('first', 'friendly', {
    debtorName: name,
    debtorIsCompany: false,
    creditor: { name: 'Escola Aurora', cnpj: '11222333000181', address: 'Rua das Flores, 1', email: null },
    amountCentavos: 15_075,
    dueDate: '2026-10-05',
    invoiceId: null,
    description: null,
    together: null,
    disputed: null,
    checkoutUrl: `${ORIGIN}/checkout/${link}`,
    shortUrl: `${ORIGIN}/checkout/${link}`,
    brCode: null,
    receiptUrl: null,
  }).text;

const triesOf = (person: Somebody): Readonly<Record<Kind, string>> => ({
  cpf: person.cpf,
  phone: person.phone,
  name: person.name,
  text: textTo(person, randomUUID()),
  // The id of a debt is that of no page of a person.
  link: `${ORIGIN}/pay/${person.id}`,
  code: `${person.brCode}0`,
});

/** Makes the debtors: their debts, what was sent to them, and their Pix codes. */
async function makeDebtors(engine: Engine, debt: MadeDebt, people: readonly Somebody[]): Promise<void> {
  const { clientId, campaignId } = debt;
  const columns = (['id', 'name', 'phone', 'cpf', 'brCode'] as const).map((name) => people.map((one) => one[name]));
  await engine.query(
    debt,
    `with given as (
       select * from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
         with ordinality as each (id, name, phone, cpf, code, n)
     ), made as (
       insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, sandbox)
       select id, $1, $2, n + 5000, name, phone, cpf, 15075, '2026-10-05', 'QUEUED', false from given returning id
     )
     insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, br_code, expires_at)
     select $1, made.id, 1, 'pix', 'PENDING', 15075, given.code || 'C', quita_now() from made join given using (id)`,
    [clientId, campaignId, ...columns],
  );
  await engine.db.tenant(clientId).transactional(async (tx) => {
    const texts = people.map((person) => textTo(person, person.id));
    await keepSentTexts(tx, engine.deps, { clientId, sandbox: false, texts });
  });
}

export interface Tried {
  readonly kind: Kind;
  /** The answers, as bodies that differ. */
  readonly bodies: readonly string[];
  /** How likely a debtor's answer takes longer than a stranger's: a half where the time tells nothing. */
  readonly advantage: number;
}

/** The share of pairs of a debtor and a stranger in which the debtor's time is the longer one (Mann and Whitney's U). */
const advantageOf = (debtors: readonly number[], strangers: readonly number[]): number => {
  const wins = debtors.flatMap((one) => strangers.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
};

/**
 * Asks about debtors and strangers in turn, whose values are of one series, and of whom each second time the debtor comes
 * first. So a busy machine delays both alike, and whatever the times are, chance alone decides which are longer.
 */
export async function tryOut(
  engine: Engine,
  debt: MadeDebt,
  ask: (content: string) => Promise<object>,
): Promise<readonly Tried[]> {
  const people = Array.from({ length: 2 * PEOPLE }, (_, n) => personOf(n));
  const isDebtor = (n: number): boolean => n % 4 === 0 || n % 4 === 3;
  await makeDebtors(
    engine,
    debt,
    people.filter((_, n) => isDebtor(n)),
  );
  const tries = people.map(triesOf);
  const least = KINDS.map(() => people.map(() => Number.POSITIVE_INFINITY));
  const bodies = KINDS.map(() => new Set<string>());
  for (let round = 0; round < ROUNDS.most; round += 1) {
    for (const [k, kind] of KINDS.entries()) {
      if (round >= ROUNDS.least && isQuiet(least[k]!)) continue;
      for (const [n, values] of tries.entries()) {
        const before = performance.now();
        const answer = await ask(values[kind]);
        least[k]![n] = Math.min(least[k]![n]!, performance.now() - before);
        bodies[k]!.add(JSON.stringify(answer));
      }
    }
  }
  return KINDS.map((kind, k) => ({
    kind,
    bodies: [...bodies[k]!],
    advantage: advantageOf(
      least[k]!.filter((_, n) => isDebtor(n)),
      least[k]!.filter((_, n) => !isDebtor(n)),
    ),
  }));
}

/**
 * How far chance alone takes the advantage from a half, but for one time in a hundred thousand: four and a half standard
 * deviations of Mann and Whitney's U.
 */
export const BY_CHANCE = 4.5 * Math.sqrt((2 * PEOPLE + 1) / (12 * PEOPLE * PEOPLE));

/** The middle of the least times of some questions, each asked in turn with the others. */
export async function middleTimes(
  questions: readonly (readonly string[])[],
  ask: (content: string) => Promise<object>,
): Promise<readonly number[]> {
  const least = questions.map((some) => some.map(() => Number.POSITIVE_INFINITY));
  for (let round = 0; round < ROUNDS.least; round += 1) {
    for (const n of questions[0]!.keys()) {
      for (const [k, some] of questions.entries()) {
        const before = performance.now();
        await ask(some[n]!);
        least[k]![n] = Math.min(least[k]![n]!, performance.now() - before);
      }
    }
  }
  return least.map((times) => times.toSorted((a, b) => a - b)[times.length >> 1]!);
}
