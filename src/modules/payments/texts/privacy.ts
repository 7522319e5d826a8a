import type { LocalDate } from '../../../kernel/calendar.ts';
import type { LawfulGround } from '../../../kernel/lawful-ground.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import { PERSON_TEXTS } from './person.ts';

/** The controller of the debtor's data. */
export interface Controller {
  readonly name: string;
  /** As it is shown. */
  readonly cnpj: string | null;
  readonly email: string | null;
  /** Null when the client has stated none. */
  readonly lawfulGround: LawfulGround | null;
}

/** A debt of the page, with the consent of which the client knows. */
export interface DebtWithConsent {
  readonly invoiceId: string | null;
  readonly dueDate: LocalDate;
  readonly consent: { readonly date: LocalDate; readonly source: string | null } | null;
}

export const PRIVACY_HEADING = 'Privacidade';

const GROUNDS: Readonly<Record<LawfulGround | 'none', string>> = {
  none: 'como permite a Lei Geral de Proteção de Dados (LGPD, art. 7º, X, proteção do crédito)',
  contract:
    'com base na execução do contrato que deu origem à cobrança e na proteção do crédito (Lei Geral de Proteção de Dados, LGPD, art. 7º, V e X)',
  consent: 'com base no seu consentimento (Lei Geral de Proteção de Dados, LGPD, art. 7º, I)',
};

const RIGHTS: Readonly<Record<LawfulGround | 'none', string>> = {
  none: 'Para acessar, corrigir ou se opor ao uso dos seus dados,',
  contract: 'Para acessar, corrigir ou se opor ao uso dos seus dados,',
  consent: 'Você pode revogar o consentimento quando quiser. Para isso, ou para acessar ou corrigir os seus dados,',
};

const purpose = ({ name, cnpj, lawfulGround }: Controller): string =>
  `${name}${cnpj === null ? '' : `, CNPJ ${cnpj},`} é quem decide sobre o uso dos seus dados aqui (controlador). Eles servem para cobrar e receber este pagamento, ${GROUNDS[lawfulGround ?? 'none']}.`;

/** How a debtor reaches the creditor, as the end of a sentence. */
export const howToReach = ({ name, email }: Pick<Controller, 'name' | 'email'>): string =>
  email === null
    ? `responda à mensagem que trouxe você até aqui ou procure ${name} por um canal que você já conhece`
    : `escreva para ${email}`;

const rights = (controller: Controller): string =>
  `${RIGHTS[controller.lawfulGround ?? 'none']} ${howToReach(controller)}.`;

const given = ({ date, source }: NonNullable<DebtWithConsent['consent']>): string =>
  `dado em ${formatCalendarDate(date)}${source === null ? '' : `, desta forma: “${source}”`}.`;

/** The client is named as the source, because nobody else has checked it. */
const told = ({ name, lawfulGround }: Controller): string =>
  lawfulGround === 'consent'
    ? `segundo ${name}, o consentimento foi`
    : `segundo ${name}, há também um consentimento seu,`;

const ofDebt = ({ invoiceId, dueDate }: DebtWithConsent): string =>
  invoiceId === null ? `Conta com vencimento em ${formatCalendarDate(dueDate)}` : PERSON_TEXTS.debt.name(invoiceId);

/** Returns a paragraph for each consent, or a single one where all debts have the same. */
function consents(controller: Controller, debts: readonly DebtWithConsent[]): string[] {
  const all = debts.map(({ consent }) => (consent === null ? null : `${told(controller)} ${given(consent)}`));
  const [first = null] = all;
  if (first !== null && all.every((one) => one === first)) return [first.charAt(0).toUpperCase() + first.slice(1)];
  return debts.flatMap((debt, index) => {
    const one = all[index] ?? null;
    return one === null ? [] : [`${ofDebt(debt)}: ${one}`];
  });
}

/** Returns the paragraphs of the privacy notice of a page with these debts. */
export const privacyNotice = (controller: Controller, debts: readonly DebtWithConsent[]): readonly string[] => [
  purpose(controller),
  ...(controller.lawfulGround === null ? [] : consents(controller, debts)),
  rights(controller),
];
