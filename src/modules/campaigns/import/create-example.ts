import { randomInt } from 'node:crypto';
import { addDays } from '../../../kernel/calendar.ts';
import { cpfOf } from '../../../kernel/cpf.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { insertOffersPolicy, newestOffersPolicy } from '../../agreements/queries/offers-policies.ts';
import type { OffersPolicy } from '../../agreements/rules/offers-policy.ts';
import { CREATE_CAMPAIGN } from '../../debts/queries/campaigns.ts';
import type { SharedDeps } from '../../deps.ts';
import type { DueReminders } from '../../policy/rules/reminder-days.ts';
import { checkDebts } from './check-debts.ts';
import type { ImportDebts } from './import-debts.ts';

const EXAMPLE_CAMPAIGN = 'Exemplo';

interface ExampleDebtor {
  readonly name: string;
  readonly areaCode: string;
  /** The end of the phone, by which the sandbox chooses how the debtor acts. */
  readonly phoneEnding: string;
  /** Reais. */
  readonly amount: number;
  /** Below zero for a bill that is not due yet. */
  readonly daysOverdue: number;
}

const debtor = (
  name: string,
  areaCode: string,
  phoneEnding: string,
  amount: number,
  daysOverdue: number,
): ExampleDebtor => ({ name, areaCode, phoneEnding, amount, daysOverdue });

/**
 * Invented people for the first steps of a client's staff: each behaviour of the sandbox, some who stay silent, and two
 * who are reminded of bills before these fall due.
 */
const EXAMPLE_DEBTORS: readonly ExampleDebtor[] = [
  debtor('Ana Beatriz Moura', '11', '0001', 420.5, 18),
  debtor('Bruno Tavares Lima', '21', '0002', 1_180, 42),
  debtor('Carla Menezes Duarte', '31', '0003', 299.9, 25),
  debtor('Diego Farias Pinheiro', '41', '0004', 150.75, 63),
  debtor('Elaine Prado Nogueira', '51', '0005', 860.4, 34),
  debtor('Fábio Queiroz Sales', '61', '0006', 512.3, 51),
  debtor('Karina Bastos Leal', '27', '0007', 980, 75),
  debtor('Leandro Paiva Rangel', '48', '0008', 1_540.6, 130),
  debtor('Marina Vieira Couto', '62', '0009', 2_400, 210),
  debtor('Gabriela Assis Rocha', '71', '0001', 239.9, 12),
  debtor('Heitor Barros Amaral', '81', '0002', 645, 97),
  debtor('Isadora Cunha Freitas', '85', '0100', 1_999.99, 140),
  debtor('João Vitor Peixoto', '92', '0200', 330, 380),
  // Their bills are not due yet: one pays after the reminder, the other one is collected afterwards.
  debtor('Natália Rezende Coelho', '19', '0001', 189.9, -6),
  debtor('Otávio Bragança Neri', '84', '0300', 274.5, -7),
];

/** How the example shows reminders. */
const EXAMPLE_REMINDERS: DueReminders = { daysBefore: [3, 0] };

/** What a client offers in a test that has not stated anything: a discount that grows with the age, or instalments. */
const EXAMPLE_POLICY: OffersPolicy = {
  bands: [
    { fromDays: 31, toDays: 90, maxDiscountPercent: 10 },
    { fromDays: 91, toDays: null, maxDiscountPercent: 20 },
  ],
  discountOn: 'all',
  minEntryPercent: 10,
  minInstalmentCentavos: 5_000,
  maxInstalments: 12,
  maxDaysToFirst: 5,
  holdDays: 5,
  maxOffers: 3,
  personAboveCentavos: null,
  // biome-ignore lint/suspicious/noThenProperty: the policy names it so, and nobody awaits one.
  breach: { afterDays: 15, then: 'restore' },
  graceMoves: 1,
};

interface NewExample {
  readonly clientId: string;
  readonly campaignId: string;
  readonly source: RequestSource;
}

/**
 * CPF and phone are drawn anew for each example, so that contacts, opt-outs and wrong numbers of an earlier one do not
 * count for it. The invoice comes from the campaign: an import that is repeated stores nothing twice.
 */
const debtOf = (debtor: ExampleDebtor, index: number, campaignId: string, today: string) => ({
  debtorName: debtor.name,
  debtorPhone: `+55${debtor.areaCode}9${randomInt(6_000, 10_000)}${debtor.phoneEnding}`,
  // No number of these has equal digits only, which no CPF may have.
  debtorCpf: cpfOf(String(randomInt(100_000_000, 111_111_111))),
  originalAmount: debtor.amount,
  dueDate: addDays(today, -debtor.daysOverdue),
  invoiceId: `EXEMPLO-${campaignId.slice(0, 8).toUpperCase()}-${String(index + 1).padStart(2, '0')}`,
});

async function* batchesOf(elements: readonly unknown[]) {
  yield { elements };
}

/**
 * Creates a draft of invented debtors who show each behaviour of the sandbox. It belongs to the sandbox before its
 * launch, also where the adapters are real: the invented phones may belong to people.
 */
export const createExample =
  ({ db, now, sandboxOnly }: Pick<SharedDeps, 'db' | 'now' | 'sandboxOnly'>, runImport: ImportDebts) =>
  async ({ clientId, campaignId, source }: NewExample): Promise<void> => {
    const { ip, by } = source;
    const campaign = { id: campaignId, name: EXAMPLE_CAMPAIGN, channels: null, sandbox: true } as const;
    const reminders = JSON.stringify(EXAMPLE_REMINDERS);
    await db.writePrepared({ clientId }, CREATE_CAMPAIGN, { ...campaign, reminders, clientId, at: now(), ip, by });
    if (sandboxOnly) await offerInExample(db, { clientId, source });
    const today = statisticsDay(now().getTime());
    const debts = EXAMPLE_DEBTORS.map((debtor, index) => debtOf(debtor, index, campaignId, today));
    const target = { clientId, campaignId, checkOnly: false, source };
    await runImport(target, (at) => checkDebts(batchesOf(debts), at));
  };

/**
 * Gives a client that has never stated what it offers a policy to try. Where messages reach real people nothing is
 * stated for it, because the policy would hold for its real debtors too.
 */
const offerInExample = (
  db: SharedDeps['db'],
  { clientId, source }: Pick<NewExample, 'clientId' | 'source'>,
): Promise<void> =>
  db.tenant(clientId).transactional(async (tx) => {
    if ((await newestOffersPolicy(tx, clientId)) !== undefined) return;
    const stored = await insertOffersPolicy(tx, { clientId, version: 1, policy: EXAMPLE_POLICY });
    if (stored === undefined) return;
    const entry = {
      clientId,
      source,
      action: 'offers_policy_changed',
      target: stored.id,
      details: { version: 1 },
    } as const;
    await addRequestAudit(tx, entry);
  });
