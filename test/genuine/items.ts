import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { makeProtocol } from '../../src/kernel/protocol.ts';
import { shortPageUrl } from '../../src/modules/debts/use-cases/page-code.ts';
import { keepSentTexts } from '../../src/modules/genuine/use-cases/keep-sent-texts.ts';
import type { MessagingChannel } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { collectionMessage } from '../../src/modules/messaging/texts/collection.ts';
import { shortCollectionMessage } from '../../src/modules/messaging/texts/short.ts';
import type { Engine, MadeDebt } from '../../testing/engine.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

export const ORIGIN = 'https://quita.example';

export interface Item {
  readonly kind: 'message' | 'link' | 'pix' | 'sender';
  readonly content: string;
}

const NAMES = ['Ana Prado', 'Bruno Sá', 'Célia Nóbrega', 'Davi Luz', 'Íris Conceição'];

/** What a debtor reads of a message by this channel: the text, or the whole of what the channel makes of it. */
export async function sendTexts(
  engine: Engine,
  debt: MadeDebt,
  { channel, count, sandbox = false }: { channel: Partial<MessagingChannel>; count: number; sandbox?: boolean },
): Promise<Item[]> {
  const all = Array.from({ length: count }, (_, index) => {
    const facts = {
      debtorName: NAMES[index % NAMES.length]!,
      debtorIsCompany: false,
      creditor: { name: 'Escola Aurora', cnpj: '11222333000181', address: 'Rua das Flores, 1', email: null },
      amountCentavos: 10_000 + index,
      dueDate: '2026-10-05',
      invoiceId: null,
      description: null,
      together: null,
      disputed: null,
      checkoutUrl: `${ORIGIN}/checkout/${randomUUID()}`,
      shortUrl: shortPageUrl(ORIGIN, { kind: 'debt', id: randomUUID() }),
      brCode: null,
      receiptUrl: null,
    };
    const isShort = channel.capabilities?.texts === 'short';
    const text = isShort ? shortCollectionMessage('first', facts) : collectionMessage('first', 'friendly', facts).text;
    const forms =
      channel.formsOf?.({
        id: randomUUID(),
        text,
        creditorName: facts.creditor.name,
        debtId: debt.id,
        purpose: 'collection',
        rightsUrl: `${ORIGIN}/direitos/${randomUUID()}`,
      }) ?? [];
    return [text, ...forms];
  });
  await engine.db.tenant(debt.clientId).transactional(async (tx) => {
    for (const texts of all) await keepSentTexts(tx, engine.deps, { clientId: debt.clientId, sandbox, texts });
  });
  return all.map((texts, index) => ({ kind: 'message', content: texts[index % texts.length]! }));
}

export async function makeCodes(engine: Engine, debt: MadeDebt, count: number): Promise<Item[]> {
  const codes = Array.from(
    { length: count },
    () =>
      `00020126580014br.gov.bcb.pix0136${randomUUID()}5204000053039865406150.755802BR5913ESCOLA AURORA6006RECIFE62290525${randomBytes(12).toString('hex')}x6304${randomBytes(2).toString('hex').toUpperCase()}`,
  );
  await engine.query(
    debt,
    `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, br_code, expires_at)
     select $1, $2, n + 100, 'pix', 'PENDING', 15075, code, quita_now()
     from unnest($3::text[]) with ordinality as each (code, n)`,
    [debt.clientId, debt.id, codes],
  );
  return codes.map((content) => ({ kind: 'pix', content }));
}

/** The links that texts, mails and documents contain, and the addresses that a browser shows afterwards. */
export async function makeLinks(
  engine: Engine,
  debt: MadeDebt,
  { count, endOf }: { count: number; endOf: (debtId: string) => string },
): Promise<Item[]> {
  const some = (make: () => string): string[] => Array.from({ length: Math.floor(count / 4) }, make);
  const debtIds = some(randomUUID);
  const pageIds = some(randomUUID);
  const protocols = some(() => makeProtocol('QT', 2026, randomBytes(10)));
  const agreements = some(() => makeProtocol('AC', 2026, randomBytes(10)));
  const { clientId, campaignId, id: debtId } = debt;
  await engine.query(
    debt,
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
       original_amount_centavos, due_date, status, sandbox)
     select id, $1, $2, n + 1000, 'Rui', '+5511980001000', lpad(n::text, 11, '7'), 15075, '2026-10-05', 'QUEUED', false
     from unnest($3::uuid[]) with ordinality as each (id, n)`,
    [clientId, campaignId, debtIds],
  );
  await engine.query(
    debt,
    `insert into debtor_pages (id, client_id, debtor_tax_id, sandbox)
     select id, $1, n::text, false from unnest($2::uuid[]) with ordinality as each (id, n)`,
    [clientId, pageIds],
  );
  await engine.query(
    debt,
    `with paid as (
       insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, expires_at)
       select $1, $2, n + 10000, 'pix', 'PENDING', 15075, quita_now() from generate_series(1, cardinality($3::text[])) n
       returning id, attempt
     )
     insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at)
     select $1, $2, id, ($3::text[])[attempt - 10000], '{}', quita_now() from paid`,
    [clientId, debtId, protocols],
  );
  await engine.query(
    debt,
    `with offered as (
       insert into offers (client_id, debt_id, sandbox, number, kind, debts, total_centavos, discount_centavos,
         entry_centavos, instalments, made_on, valid_until, made_by, policy_version)
       select $1, $2, false, n, 'cash', '[]', 15075, 0, 0, '[]', '2026-11-01', '2026-11-02', 'policy', 1
       from generate_series(1, cardinality($3::text[])) n returning id, number
     )
     insert into agreements (client_id, debt_id, offer_id, sandbox, protocol, status, total_centavos, discount_centavos,
       instalments, breach_after_days, after_breach, moves_left, agreed_on, accepted_at, accepted_by, accepted_text,
       accepted_text_hash, accepted_phone, ended_at)
     select $1, $2, id, false, ($3::text[])[number], 'CANCELLED', 15075, 0, '[]', 5, 'keep', 0, '2026-11-01',
       quita_now(), 'page', '', repeat('0', 64), '', quita_now() from offered`,
    [clientId, debtId, agreements],
  );
  const { verifyUrl, downloadUrl } = engine.deps.receiptLinks;
  const contents = [
    ...debtIds.map(
      (id, n) =>
        [
          `${ORIGIN}/checkout/${id}`,
          `quita.example/checkout/${id}/`,
          shortPageUrl(ORIGIN, { kind: 'debt', id }),
          `http://QUITA.example/checkout/${id}?quitar=tudo`,
          endOf(id),
        ][n % 5]!,
    ),
    ...pageIds.map(
      (id, n) => [`${ORIGIN}/pay/${id}`, shortPageUrl('Https://quita.example', { kind: 'person', id })][n % 2]!,
    ),
    ...protocols.map((protocol, n) => (n % 2 === 0 ? verifyUrl(protocol) : downloadUrl(protocol))),
    ...agreements.map((protocol, n) => (n % 2 === 0 ? verifyUrl(protocol) : downloadUrl(protocol))),
  ];
  return contents.map((content) => ({ kind: 'link', content }));
}

const inWords = (digits: string, n: number): string => {
  const [area, first, last] = [digits.slice(2, 4), digits.slice(4, 9), digits.slice(9)];
  return [
    `+55 (${area}) ${first}-${last}`,
    `(${area}) ${first}-${last}`,
    `+${digits}`,
    `0${area} ${first}${last}`,
    digits,
  ][n % 5]!;
};

/** One connected sender of each of many companies, written as people write it. */
export async function makeSenders(engine: Engine, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let n = 0; n < count; n += 1) {
    const digits = `5511${9_0000_0000 + n * 70_000 + randomInt(10) * 1_000}`;
    const isMail = n % 4 === 3;
    const isWord = n % 8 === 6;
    const word = `Escola-${Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;
    const shown = isWord
      ? word
      : isMail
        ? `Cobranca${n}@Escola${n}.Example`
        : n % 2 === 0
          ? `+${digits}`
          : inWords(digits, 0);
    const clientId = randomUUID();
    await engine.db.tenant(clientId).transactional(async (tx) => {
      await runInTransaction(
        tx,
        `insert into clients (id, name, email, plan, status, cnpj) values ($1, 'Escola Aurora', $2, 'GROWTH', 'ACTIVE', '11222333000181')`,
        [clientId, `x@${clientId}.com.br`],
      );
      await runInTransaction(
        tx,
        `insert into channel_senders (client_id, channel, sender_id, shown_as) values ($1, $2, $3, $4)`,
        [clientId, isWord ? 'zenvia' : isMail ? 'email' : n % 2 === 0 ? 'twilio' : 'whatsapp', `sender-${n}`, shown],
      );
    });
    items.push({
      kind: 'sender',
      content: isWord ? `${word.toUpperCase()} ` : isMail ? ` cobranca${n}@escola${n}.example` : inWords(digits, n),
    });
  }
  return items;
}
