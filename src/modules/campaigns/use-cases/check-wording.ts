import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { marketingWords } from '../../../kernel/marketing-words.ts';
import { type GuardProblem, patternsOf } from '../../../kernel/message-guard.ts';
import { stripAccents } from '../../../kernel/portuguese-text.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { creditorOfCampaign } from '../../debts/queries/campaign-settings.ts';
import { shortPageUrl } from '../../debts/use-cases/page-code.ts';
import type { DebtFacts } from '../../messaging/ports/collection-agent.ts';
import { namesIn, REQUIRED_PLACEHOLDERS, WORDING_PLACEHOLDERS } from '../../messaging/texts/own-wording.ts';
import { addressLine, checkoutUrl, creditorName } from '../../messaging/use-cases/debt-facts.ts';
import { termsVersions } from '../../terms/queries/late-payment-terms.ts';
import { charges } from '../../terms/rules/late-payment-terms.ts';

export interface CheckedWording {
  readonly text: string;
  readonly short: string | null;
}

interface WordingRequest {
  readonly clientId: string;
  readonly campaignId: string;
  readonly wording: CheckedWording;
}

export interface WordingExample {
  readonly debtorName: string;
  readonly text: string;
  /** Null where the product's short text is sent. */
  readonly short: string | null;
}

const PROBLEMS: Readonly<Record<GuardProblem, string>> = {
  missing: 'The message must name the debtor ({{nome}}) and the page ({{link}})',
  placeholder: 'The text contains what looks like a placeholder or code',
  hidden_characters: 'The text contains hidden characters, or letters of another script',
  too_long: 'The text is too long',
  number: 'A message names no numbers and no amounts before the debtor has answered',
  link: 'A message leads to the page of the debt alone',
  date: 'A message names no days and no dates',
  offer:
    'A first message offers nothing, neither instalments nor an agreement. Write "ver opções"; the page and the conversation say what there is',
  threat: 'A message must not threaten (Consumer Code, art. 42)',
  shame: 'A message must not expose or ridicule (Consumer Code, art. 42)',
  third_party: 'A message must not speak of family, work or other people',
  false_urgency: 'A message must not create false urgency',
  loan: 'A message must not advise to borrow elsewhere (Consumer Code, art. 54-C)',
  admission: 'A message must not ask anybody to admit the debt',
  asks_for_data: 'A message must not ask for data, documents or another way to pay',
  false_claim: 'A message must not claim what is not known, nor deny what your terms of late payment charge',
  disclosure: 'A message must not disclose the debt',
};

/** Returns what speaks against the words, each with a pointer into the body of the request. */
export async function checkWording(deps: CollectionDeps, request: WordingRequest): Promise<FieldProblem[]> {
  const { wording } = request;
  const problems = [...namesProblems('/text', wording.text), ...namesProblems('/short', wording.short)];
  if (problems.length > 0) return problems;
  const examples = await exampleFacts(deps, request);
  const found = new Map<string, FieldProblem>();
  for (const facts of examples) {
    for (const { member, problem } of deps.wordingGuard.problems(wording, facts)) {
      const told = problem === 'offer' ? offerProblems(member, wording[member] ?? '') : [toldOf(member, problem)];
      for (const one of told) found.set(`${one.pointer} ${one.code}`, one);
    }
  }
  return [...found.values()];
}

const toldOf = (member: string, problem: GuardProblem) => ({
  pointer: `/${member}`,
  code: `text_${problem}`,
  message: PROBLEMS[problem],
});

/** Names the words that make the text advertising, so that the writer need not look for them. */
function offerProblems(member: string, text: string) {
  const words = marketingWords(text);
  const plain = stripAccents(text.normalize('NFKC')).toLowerCase();
  const isOffer = words.length === 0 || patternsOf('offer').some((pattern) => pattern.test(withoutWords(plain, words)));
  return [
    ...(isOffer ? [toldOf(member, 'offer')] : []),
    ...(words.length === 0
      ? []
      : [{ pointer: `/${member}`, code: 'text_marketing', message: marketingMessage(words) }]),
  ];
}

const withoutWords = (plain: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(stripAccents(word).toLowerCase(), ' · '), plain);

function marketingMessage(words: readonly string[]): string {
  const named = words.map((word) => `“${word}”`).join(', ');
  const [which, make] = words.length === 1 ? ['A palavra', 'transforma'] : ['As palavras', 'transformam'];
  return `${which} ${named} ${make} a mensagem em propaganda, que custa mais e chega a menos gente. Escreva “ver opções”: o que há de vantagem aparece na página e na conversa.`;
}

/** Shows the words as three invented debtors would read them, and what speaks against them. */
export const previewWording =
  (deps: CollectionDeps) =>
  async (
    request: WordingRequest,
  ): Promise<{ readonly examples: readonly WordingExample[]; readonly problems: readonly FieldProblem[] }> => {
    const problems = await checkWording(deps, request);
    const unfilled = problems.some(({ code }) => code === 'placeholder_unknown');
    const facts = unfilled ? [] : await exampleFacts(deps, request);
    const examples = facts.map((each) => ({
      debtorName: each.debtorName,
      ...deps.wordingGuard.fill(request.wording, each),
    }));
    return { examples, problems };
  };

function namesProblems(pointer: string, text: string | null): FieldProblem[] {
  if (text === null) return [];
  const names = namesIn(text);
  const known = Object.keys(WORDING_PLACEHOLDERS);
  const list = known.map((name) => `{{${name}}}`).join(', ');
  return [
    ...(names.every((name) => Object.hasOwn(WORDING_PLACEHOLDERS, name))
      ? []
      : [{ pointer, code: 'placeholder_unknown', message: `Only these placeholders are known: ${list}` }]),
    ...REQUIRED_PLACEHOLDERS.filter((name) => !names.includes(name)).map((name) => ({
      pointer,
      code: 'placeholder_missing',
      message: `The message must contain {{${name}}}`,
    })),
  ];
}

const EXAMPLE_ID = '7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45';
/** For a client whose terms add to its debts, so that its words may not deny it. */
const EXAMPLE_PARTS = { principal: 15_000, fine: 0, interest: 0, correction: 0 };
const DEBTORS = [
  { debtorName: 'Maria da Silva', debtorIsCompany: false, together: null },
  { debtorName: 'João Pedro Santos', debtorIsCompany: false, together: { count: 3, amountCentavos: 45_000 } },
  { debtorName: 'Padaria Sol Nascente Ltda', debtorIsCompany: true, together: null },
] as const;

async function exampleFacts(
  { db, publicUrl }: CollectionDeps,
  { clientId, campaignId }: WordingRequest,
): Promise<DebtFacts[]> {
  const { creditor, versions } = await db.tenant(clientId).transactional(async (tx) => ({
    creditor: await creditorOfCampaign(tx, campaignId),
    versions: await termsVersions(tx, clientId),
  }));
  if (creditor === undefined) throw new AppError('not_found');
  const charged = versions.some(({ terms }) => charges(terms)) ? EXAMPLE_PARTS : null;
  const { name, senderName, cnpj, address, contactEmail } = creditor;
  const page = { kind: 'debt', id: EXAMPLE_ID } as const;
  return DEBTORS.map((debtor) => ({
    ...debtor,
    together: debtor.together && { ...debtor.together, charged },
    charged,
    debtId: EXAMPLE_ID,
    creditor: {
      name: creditorName({ senderName, name }),
      cnpj,
      address: address === null ? null : addressLine(address),
      email: contactEmail,
    },
    amountCentavos: 15_000,
    dueDate: '2026-10-05',
    invoiceId: null,
    description: null,
    disputed: null,
    checkoutUrl: checkoutUrl(publicUrl, EXAMPLE_ID),
    shortUrl: shortPageUrl(publicUrl, page),
    brCode: null,
    receiptUrl: null,
    situation: 'open',
  }));
}
