import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { localDate } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { invoicesInText } from './invoice-words.ts';
import type { MatchableDebt } from './matchable-debt.ts';
import { paymentKey } from './payment-key.ts';
import { compareForMatching, type KeyedPayment, type KnownFacts, type PlannedRow, planRows } from './plan-rows.ts';
import type { ReceivedRow } from './received-row.ts';

const { holidays } = loadPolicy();

const debt = (id: string, taxId: string, centavos: number): MatchableDebt => ({
  id,
  sandbox: false,
  taxId,
  invoiceId: `F-${id}`,
  dueDate: '2026-10-05',
  isPaid: false,
  agreementId: null,
  amounts: {
    indebted: {
      terms: null,
      principalCentavos: centavos,
      dueDate: '2026-10-05',
      calendar: { holidays, states: ['SP'] },
      indices: { legalRate: new Map(), ipca: new Map() },
    },
    credits: [],
    agreement: null,
    dayOf: (at) => localDate(at.getTime(), -3),
  },
});

const DEBTS = [debt('1', 'ana', 100), debt('2', 'ana', 100), debt('3', 'ana', 70), debt('4', 'bia', 100)];

interface World {
  readonly stored: KnownFacts['stored'];
  readonly recorded: KnownFacts['recorded'];
  /** What the file has paid of each debt. */
  readonly paid: ReadonlyMap<string, readonly { readonly on: string; readonly amountCentavos: number }[]>;
}
const NOTHING: World = { stored: new Map(), recorded: new Map(), paid: new Map() };

function factsOf({ stored, recorded, paid }: World): KnownFacts {
  const debts = DEBTS.map((one) => {
    const credits = (paid.get(one.id) ?? []).map((credit) => ({ ...credit, waivesRest: false }));
    const sum = credits.reduce((all, { amountCentavos }) => all + amountCentavos, 0);
    const isPaid = sum >= one.amounts!.indebted.principalCentavos;
    return { ...one, isPaid, amounts: { ...one.amounts!, credits } };
  });
  return {
    byInvoice: new Map(debts.map((one) => [`f-${one.id}`, [{ invoiceKey: `f-${one.id}`, debt: one }]])),
    byTaxId: Map.groupBy(debts, ({ taxId }) => taxId),
    openAmounts: new Set([70, 100]),
    charges: new Map(),
    stored,
    recorded,
  };
}

const row = (given: Partial<ReceivedRow>, place: number): KeyedPayment => {
  const said: ReceivedRow = {
    ...{ row: place, invoiceId: null, ourNumber: null, taxId: null, txid: null, endToEndId: null, memo: null },
    ...{ sourceId: null, amountCentavos: 100, paidOn: '2026-11-20', method: null },
    ...given,
  };
  const paidAt = new Date(`${said.paidOn}T15:00:00Z`);
  return { ...said, place, paidAt, key: paymentKey(said, (content) => content) };
};

const planned = (world: World, rows: readonly KeyedPayment[]): PlannedRow[] => [
  ...planRows(factsOf(world), rows.toSorted(compareForMatching)),
];

/** The world after a file was applied: what settled is recorded, and what is doubtful is kept. */
function worldAfter(world: World, rows: readonly PlannedRow[]): World {
  const [stored, recorded, paid] = [new Map(world.stored), new Map(world.recorded), new Map(world.paid)];
  for (const one of rows) {
    const { key, amountCentavos, paidOn } = one.payment;
    if (one.state === 'known') continue;
    const { state } = one;
    const debtId = one.state === 'matched' ? one.debt.id : null;
    const doubt = one.state === 'matched' ? null : one.code;
    stored.set(key, { id: key, state: state === 'matched' ? 'settled' : (state as 'ambiguous'), doubt, debtId });
    if (debtId === null) continue;
    recorded.set(debtId, [...(recorded.get(debtId) ?? []), { amountCentavos, paidOn, key, otherInvoice: null }]);
    paid.set(debtId, [...(paid.get(debtId) ?? []), { amountCentavos, on: paidOn }]);
  }
  return { stored, recorded, paid };
}

const settled = (rows: readonly PlannedRow[]): string[] =>
  rows.flatMap((one) => (one.state === 'matched' ? [`${one.debt.id} ${one.payment.amountCentavos}`] : [])).sort();

const rows = fc
  .array(
    fc.record({
      invoiceId: fc.constantFrom(null, null, 'F-1', 'f-3', 'F-9'),
      taxId: fc.constantFrom('ana', 'bia', 'eva'),
      amountCentavos: fc.constantFrom(70, 100, 30),
      paidOn: fc.constantFrom('2026-11-20', '2026-11-21'),
    }),
    { maxLength: 10 },
  )
  .map((list) => list.map((one, at) => row(one.invoiceId === null ? one : { ...one, taxId: null }, at)));

describe('a plan of the rows of a file', () => {
  it('settles nothing more when the file is sent again', () => {
    fc.assert(
      fc.property(rows, (file) => {
        const first = planned(NOTHING, file);
        const again = planned(worldAfter(NOTHING, first), file);
        expect(settled(again)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for every order of the rows', () => {
    const shuffled = rows.chain((file) =>
      fc.tuple(fc.constant(file), fc.shuffledSubarray(file, { minLength: file.length })),
    );
    fc.assert(
      fc.property(shuffled, ([file, other]) => {
        const again = other.map((one, place) => ({ ...one, place }));
        expect(settled(planned(NOTHING, again))).toEqual(settled(planned(NOTHING, file)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts each row of a file once, also when the file comes in two overlapping parts', () => {
    fc.assert(
      fc.property(rows, fc.nat(10), fc.nat(10), (file, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const first = planned(NOTHING, file.slice(0, to));
        const second = planned(worldAfter(NOTHING, first), file.slice(from));
        const keys = [...first, ...second].flatMap(({ state, payment }) => (state === 'matched' ? payment.key : []));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('tells two payments of one day apart by the numbers of the banks alone', () => {
    const [one, other] = ['E0000000020261120143000000000001', 'E0000000020261120143000000000002'];
    const states = (...given: Partial<ReceivedRow>[]) =>
      planned(
        NOTHING,
        given.map((each, at) => row({ invoiceId: 'F-1', ...each }, at)),
      ).map((each) => (each.state === 'matched' ? each.state : `${each.state} ${each.code}`));
    expect(states({ endToEndId: one }, { endToEndId: other })).toEqual(['matched', 'matched']);
    expect(states({ endToEndId: one }, { endToEndId: one })).toEqual(['matched', 'known repeated']);
    expect(states({ sourceId: 'a' }, { sourceId: 'b' })).toEqual(['matched', 'ambiguous same_day']);
    expect(states({ sourceId: 'a' }, {})).toEqual(['matched', 'known recorded']);
  });
});

describe('a file about one person with many bills', () => {
  it('asks once what each bill needs, and again only for a bill that it has paid', () => {
    const BILLS = 200;
    let asked = 0;
    const bills = Array.from({ length: BILLS }, (_, at) => {
      const bill = debt(String(at), 'ana', 1_000 + at);
      const amounts = {
        ...bill.amounts!,
        get indebted() {
          asked += 1;
          return bill.amounts!.indebted;
        },
      };
      return { ...bill, amounts };
    });
    const facts = { ...factsOf(NOTHING), byTaxId: new Map([['ana', bills]]) };
    const paid = bills.map((_, at) => row({ taxId: 'ana', amountCentavos: 1_000 + at }, at));
    const states = [...planRows(facts, paid.toSorted(compareForMatching))].map(({ state }) => state);
    expect(states).toEqual(paid.map(() => 'matched'));
    expect(asked).toBeLessThanOrEqual(2 * BILLS);
  });

  it('plans the rows as one that asks anew for each of them does', () => {
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
    const given = fc.record({ taxId: fc.constantFrom('ana', 'bia'), amountCentavos: fc.constantFrom(30, 70, 100) });
    const dated = fc.record({ what: given, paidOn: fc.constantFrom(...days), sourceId: fc.uuid() });
    fc.assert(
      fc.property(fc.array(dated, { maxLength: 12 }), (said) => {
        const all = said
          .map(({ what, ...when }, place) => row({ ...what, ...when }, place))
          .toSorted(compareForMatching);
        // A file of one row remembers nothing: the world after each row says what the rows before have paid.
        let world = NOTHING;
        const oneByOne = all.flatMap((one) => {
          const next = planned(world, [one]);
          world = worldAfter(world, next);
          return next;
        });
        expect(settled(planned(NOTHING, all))).toEqual(settled(oneByOne));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the invoices in a text', () => {
  it('are words, with and without a name in front, and not numbers that stand everywhere', () => {
    const words = invoicesInText('PIX RECEBIDO 25/11 NF:1234, ref. (FAT-1) parcela 3 de 10 NF 55-A');
    expect(words).toEqual(expect.arrayContaining(['1234', 'fat-1', 'nf 55-a', '55-a']));
    expect(words).not.toContain('3');
    expect(words).not.toContain('10');
  });
});
