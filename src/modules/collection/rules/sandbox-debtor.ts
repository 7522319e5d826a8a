import { isContactPurpose } from '../../policy/rules/contact-policy.ts';

/** What a simulated debtor does next: says something, or pays. The same is done once, whatever is sent again. */
export type SandboxAct =
  | { readonly kind: 'say'; readonly text: string }
  /** `once` names what is paid, where the debtor pays several times. */
  | { readonly kind: 'pay'; readonly once: string | null };

export interface SentToDebtor {
  readonly id: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
}

/** Stands for the monthly amount that a debtor of this kind proposes: see `monthlyAmountOf`. */
const MONTHLY = '{{monthly}}';

const SAYS: Readonly<Record<string, string>> = {
  '0002': 'Vou pagar na sexta-feira.',
  '0003': 'Não reconheço essa dívida, nunca comprei nada com vocês.',
  '0004': 'PARAR. Não quero mais receber mensagens.',
  '0005': 'Qual é o valor dessa conta?',
  '0006': 'Esse número não é dessa pessoa, vocês ligaram para o contato errado.',
  '0007': 'Quero negociar.',
  '0008': 'Quero parcelar, quais são as opções?',
  '0009': `Posso pagar ${MONTHLY} por mês.`,
};
/** The message after which a debtor of this kind pays: the first one to the debtor, or an answer. */
const PAYS_AFTER: Readonly<Record<string, 'first' | 'reply'>> = { '0001': 'first', '0002': 'reply', '0005': 'reply' };
/** Debtors who take an offer: the first one, or the one with the most instalments. */
const TAKES: Readonly<Record<string, 'first' | 'longest'>> = { '0007': 'first', '0008': 'longest', '0009': 'first' };
const PAYS_THE_FIRST_ALONE = '0008';

/** The last four digits of the phone select the kind of debtor; a debtor with any other digits never answers. */
export function actAfter({ id, to, purpose, text }: SentToDebtor): SandboxAct | null {
  const kind = to.slice(-4);
  const isFirst = isContactPurpose(purpose);
  if (PAYS_AFTER[kind] === (isFirst ? 'first' : purpose)) return { kind: 'pay', once: null };
  const says = isFirst ? SAYS[kind] : undefined;
  if (says !== undefined) return { kind: 'say', text: says };
  const takes = TAKES[kind];
  if (takes === undefined) return null;
  if (purpose === 'agreement') return kind === PAYS_THE_FIRST_ALONE ? null : { kind: 'pay', once: id };
  return purpose === 'reply' ? afterReply(text, takes) : null;
}

const OFFER = /Opção (\d{1,6}): ([^\n]{1,300})/g;
const PROTOCOL = /\bAC-\d{4}-[A-Z0-9]{6,20}\b/;

function afterReply(text: string, takes: 'first' | 'longest'): SandboxAct | null {
  const protocol = PROTOCOL.exec(text)?.[0];
  if (protocol !== undefined) return { kind: 'pay', once: protocol };
  const offers = [...text.matchAll(OFFER)].map(([, number, terms]) => ({ number, count: countIn(terms!) }));
  const [first] = takes === 'first' ? offers : offers.toSorted((one, other) => other.count - one.count);
  return first === undefined ? null : { kind: 'say', text: `Aceito a opção ${first.number}.` };
}

const countIn = (terms: string): number =>
  Number(/(\d{1,3}) parcelas?/.exec(terms)?.[1] ?? 1) + (terms.includes('entrada') ? 1 : 0);

/** Fills in what a debtor with this debt could pay each month: about a quarter of it, in tens of reais. */
export const withMonthlyAmount = (text: string, debtCentavos: number): string =>
  text.replace(MONTHLY, String(Math.max(1, Math.round(debtCentavos / 4_000)) * 10));
