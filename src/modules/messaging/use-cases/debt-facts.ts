import { isCnpj } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ClientAddress } from '../../accounts/tables/client.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { chargedOf, owedNow, paidInAll } from '../../debts/use-cases/owed.ts';
import { type DebtorPage, shortPageUrl } from '../../debts/use-cases/page-code.ts';
import { rightsUrl } from '../../debts/use-cases/rights-link.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Centavos, Owed } from '../../terms/rules/owed-on.ts';
import type { DebtFacts, Situation, Turn } from '../ports/collection-agent.ts';
import { LATEST_TURNS, latestMessages, type TurnRow } from '../queries/messages.ts';
import { CARD_TEXT } from '../texts/timeline-texts.ts';

export const checkoutUrl = (publicUrl: string, debtId: string): string => `${publicUrl}/checkout/${debtId}`;
const pageUrl = (publicUrl: string, { kind, id }: DebtorPage & { readonly kind: 'debt' | 'person' }): string =>
  kind === 'debt' ? checkoutUrl(publicUrl, id) : `${publicUrl}/pay/${id}`;

export const addressLine = ({ street, number, district, city, state, postalCode }: ClientAddress): string =>
  `${street}, ${number}, ${district}, ${city}/${state}, CEP ${postalCode}`;

const SITUATIONS: Partial<Record<DebtContext['status'], Situation>> = {
  PAID: 'paid',
  OPTED_OUT: 'opted_out',
  EXHAUSTED: 'exhausted',
  UNREACHABLE: 'exhausted',
  STOPPED: 'closed',
};

/** The other open debts that a text speaks of, and the page that shows all of them. There may be none but the page. */
export interface OtherDebts {
  readonly debts: readonly DebtContext[];
  readonly pageId: string;
}

/** The law asks for the creditor's own name, so the name of a campaign's sender never stands alone. */
export const creditorName = ({
  senderName,
  name,
}: {
  readonly senderName: string | null;
  readonly name: string;
}): string => (senderName === null || senderName === name ? name : `${senderName} (${name})`);

/** What is asked for; of a paid debt, what was paid. After a part was paid, only the rest is asked for. */
function amountsOf(debt: DebtContext, owed: Owed): Pick<DebtFacts, 'amountCentavos' | 'charged'> {
  if (debt.status === 'PAID') {
    return { amountCentavos: paidInAll(debt, owed), charged: null };
  }
  return { amountCentavos: owed.total, charged: chargedOf(debt, owed) };
}

/** What is asked for together; the parts of it, where terms add to any of the debts. */
function sumOf(debts: readonly DebtContext[], owedOf: (debt: DebtContext) => Owed): NonNullable<DebtFacts['together']> {
  const all = debts.map(owedOf);
  const add = (part: keyof Centavos | 'total'): number => all.reduce((sum, owed) => sum + owed[part], 0);
  const isCharged = debts.some((debt, at) => chargedOf(debt, all[at]!) !== null);
  return {
    count: debts.length,
    amountCentavos: add('total'),
    charged: isCharged
      ? { principal: add('principal'), fine: add('fine'), interest: add('interest'), correction: add('correction') }
      : null,
  };
}

/** Returns all facts that a text about this debt, or about all open debts of its person, may contain. */
export function factsOf(
  debt: DebtContext,
  deps: Pick<SharedDeps, 'publicUrl' | 'receiptLinks' | 'policy' | 'now'>,
  {
    brCode = null,
    others = null,
    rightsPageId = null,
    at,
  }: {
    readonly brCode?: string | null;
    readonly others?: OtherDebts | null;
    /** The page of the person, which also is the one of their rights. */
    readonly rightsPageId?: string | null;
    /** The debt's own moment, of which the text tells what is owed. */
    readonly at?: number;
  } = {},
): DebtFacts {
  const { publicUrl, receiptLinks } = deps;
  const owed = (one: DebtContext) => owedNow(deps, one, at);
  // A paid debt is not among those that are still open.
  const open = others === null ? [] : [...(debt.status === 'PAID' ? [] : [debt]), ...others.debts];
  const several = others !== null && others.debts.length > 0;
  const page =
    others === null ? ({ kind: 'debt', id: debt.id } as const) : ({ kind: 'person', id: others.pageId } as const);
  return {
    debtId: debt.id,
    debtorName: debt.debtorName,
    debtorIsCompany: isCnpj(debt.debtorTaxId),
    creditor: {
      name: creditorName({ senderName: debt.senderName, name: debt.clientName }),
      cnpj: debt.clientCnpj,
      address: debt.clientAddress === null ? null : addressLine(debt.clientAddress),
      email: debt.contactEmail,
    },
    ...amountsOf(debt, owed(debt)),
    dueDate: debt.dueDate,
    invoiceId: debt.invoiceId,
    description: debt.description,
    together: several ? sumOf(open, owed) : null,
    disputed: null,
    checkoutUrl: pageUrl(publicUrl, page),
    shortUrl: shortPageUrl(publicUrl, page),
    // One code cannot pay several debts, so the page shows one for each.
    brCode: several ? null : brCode,
    receiptUrl: debt.receiptProtocol === null ? null : receiptLinks.downloadUrl(debt.receiptProtocol),
    rights:
      rightsPageId === null
        ? null
        : {
            url: rightsUrl(publicUrl, rightsPageId),
            shortUrl: shortPageUrl(publicUrl, { kind: 'rights', id: rightsPageId }),
          },
    situation: SITUATIONS[debt.status] ?? 'open',
  };
}

/**
 * Returns the latest messages of the conversation with the person on this phone, oldest first, without received messages
 * that are not handled yet and without automatic answers, after which the debtor has not answered.
 */
export async function readTurns(tx: Tx, debt: DebtContext, phone: string): Promise<Turn[]> {
  // Erased debts of different persons have the same empty CPF.
  const rows = debt.erased
    ? []
    : await latestMessages.run(tx, {
        debtorTaxId: debt.debtorTaxId,
        sandbox: debt.sandbox,
        phone,
        limit: LATEST_TURNS,
      });
  return turnsOf(rows);
}

/** A card that somebody has shared is no turn of the debtor: whoever holds the phone has written nothing by it. */
export const turnsOf = (rows: readonly TurnRow[]): Turn[] =>
  rows
    .filter(({ direction, text }) => direction === 'out' || text !== CARD_TEXT)
    .map(({ direction, text, at }) => ({ from: direction === 'in' ? 'debtor' : 'creditor', text, at: at.getTime() }));
