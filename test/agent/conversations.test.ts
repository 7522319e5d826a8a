import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localDate } from '../../src/kernel/calendar.ts';
import { addBusinessDays } from '../../src/kernel/holidays.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import type { CampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import {
  type Collector,
  collector,
  type Debt,
  ofKind,
  sent,
  startCollectionApp,
} from '../../testing/engine-harness.ts';
import { pagePath } from '../../testing/pages.ts';

const OPT_OUT_LINE = 'Para não receber mais mensagens, responda PARAR.';
const ACCOUNT = {
  cnpj: '11.222.333/0001-81',
  address: {
    street: 'Rua das Laranjeiras',
    number: '120',
    district: 'Centro',
    city: 'Recife',
    state: 'PE',
    postalCode: '50010-000',
  },
};

let app: CampaignsApp;
let client: Collector;
let campaignId: string;
const said = new Map<string, Promise<Talk> | null>();

/** One campaign for all: each conversation takes a debt of its own from it, and they are held side by side. */
beforeAll(async () => {
  app = await startCollectionApp({ env: { SANDBOX_MAX_WAIT: '1500ms' } });
  client = collector(await app.newClient());
  await client.call('PATCH', '/api/onboarding/me', { ...ACCOUNT, name: 'Escola Aurora', segment: 'outro' });
  const inputs = Array.from({ length: said.size }, (_, n) => debtInput(n + 100));
  const launched = await client.launch(inputs);
  campaignId = launched.campaignId;
  const free = launched.debts.map(({ id }) => id);
  for (const text of said.keys()) {
    const talk = tell(free.pop() ?? '', text);
    // A failure belongs to the test that waits for it.
    talk.catch(() => undefined);
    said.set(text, talk);
  }
});
afterAll(() => app.close());

interface Talk {
  readonly id: string;
  readonly debt: Debt;
  readonly reply: string;
  readonly intent: string;
}

let launches = 500;
/** A debt of its own, just contacted for the first time. */
const contacted = async (): Promise<string> => {
  launches += 1;
  const id = await client.launchOne({}, launches);
  await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length > 0);
  return id;
};
const answers = (debt: Debt) => [...sent(debt, 'reply'), ...sent(debt, 'opt_out_confirmation')];
const heard = (debt: Debt) => ofKind(debt, 'message_received');
const answered = (id: string, count = 1): Promise<Debt> =>
  client.reaches(id, `${count} answers`, (debt) => answers(debt).length >= count, 60_000);

async function tell(id: string, text: string): Promise<Talk> {
  await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length > 0, 60_000);
  const { status } = await client.say(id, text);
  if (status !== 202) throw new Error(`not taken: ${status}`);
  const debt = await answered(id);
  return { id, debt, reply: answers(debt)[0]?.['text'] ?? '', intent: heard(debt)[0]?.['intent'] ?? '' };
}

/** What `it.each` is about to ask is said while the first is waited for. */
const talks = <Row extends readonly [string, string, ...unknown[]]>(rows: readonly Row[]): readonly Row[] => {
  for (const [, text] of rows) said.set(text, null);
  return rows;
};
const talkOf = async (text: string): Promise<Talk> => {
  const talk = await said.get(text);
  if (talk == null) throw new Error(`never said: ${text}`);
  return talk;
};

describe('a message of each intent is understood, obeyed and answered once', () => {
  it.each(
    talks([
      ['wants_to_pay', 'quero pagar, manda o pix', 'IN_COLLECTION', [/R\$\s150,75/, /copia e cola/]],
      ['promise', 'blz, vou pagar assim que eu receber', 'IN_COLLECTION', [/Em que dia|Não há mais mensagens/]],
      ['dispute', 'não reconheço essa dívida, nunca comprei aí', 'DISPUTED', [/não concorda com a cobrança/]],
      ['opt_out', 'parem de me mandar mensagem', 'OPTED_OUT', [/não receberá mais mensagens/]],
      ['wrong_person', 'esse numero nao é dela, é engano', 'STOPPED', [/não será mais usado/]],
      ['wrong_person', 'a maria faleceu mes passado, sou a filha', 'ON_HOLD', [/Sinto muito pela sua perda/]],
      ['negotiate', 'vcs fazem desconto? parcela em 5x?', 'ON_HOLD', [/passei o seu pedido/]],
      ['hardship', 'perdi o emprego e nao tenho como pagar agora', 'ON_HOLD', [/Sinto muito/]],
      ['human', 'quero falar com um atendente', 'ON_HOLD', [/falar com uma pessoa/]],
      ['other', 'bom dia', 'IN_COLLECTION', [/Escola Aurora/]],
    ] as const),
  )('%s: %s', async (intent, text, status, says) => {
    const { debt, reply, intent: understood } = await talkOf(text);
    expect(understood).toBe(intent);
    if (status === 'IN_COLLECTION') expect(['IN_COLLECTION', 'EXHAUSTED']).toContain(debt.status);
    else expect(debt.status).toBe(status);
    for (const pattern of says) expect(reply).toMatch(pattern);
    expect(answers(debt)).toHaveLength(1);
    const silent = intent === 'opt_out' || intent === 'wrong_person';
    // The first message says it, and a reply of the same day does not say it again.
    if (silent) expect(reply).not.toContain(OPT_OUT_LINE);
    if (intent === 'wrong_person') expect(reply).not.toMatch(/Maria|Aurora|150|checkout|d[ií]vida|cobran/i);
    const outbox = await client.outbox(debt.id);
    expect(outbox.filter(({ purpose }: { purpose: string }) => purpose !== 'collection')).toMatchObject([
      { purpose: intent === 'opt_out' ? 'opt_out_confirmation' : 'reply', text: reply },
    ]);
  });

  it.each(
    talks([
      ['amount', 'qual o valor?', /R\$\s150,75/],
      ['origin', 'essa divida é de que?', /fatura NF-\d+/],
      ['due_date', 'quando venceu?', /05\/10\/2026/],
      ['creditor', 'quem ta falando? que empresa é essa?', /Escola Aurora.*assistente virtual/],
      ['cnpj', 'qual o cnpj de vocês', /11\.222\.333\/0001-81/],
      ['fraud', 'isso é golpe?', /desconfiar/],
      ['receipt', 'depois vcs mandam recibo?', /termo de quitação/],
      ['bureau', 'meu nome sai do serasa quando?', /5 dias úteis/],
      ['how_to_pay', 'onde eu posso pagar?', /Pix/],
      ['privacy', 'como conseguiram meu numero?', /LGPD/],
    ] as const),
  )('question about %s: %s', async (_, text, says) => {
    const { reply, intent } = await talkOf(text);
    expect(['question', 'wants_to_pay']).toContain(intent);
    expect(reply).toMatch(says);
  });
});

describe('a first message', () => {
  it('names debtor, creditor, CNPJ, address, link and how to opt out, and neither amount nor due date', async () => {
    const id = await contacted();
    const [{ text }] = await client.outbox(id);
    for (const part of ['Maria', 'Escola Aurora', '11.222.333/0001-81', 'Rua das Laranjeiras, 120', OPT_OUT_LINE]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(pagePath(id));
    expect(text).not.toMatch(/150,75|05\/10\/2026|Conceição/);
  });
});

describe('time after an answer', () => {
  const dayOf = (entry: { readonly at: string } | undefined) => localDate(Date.parse(entry?.at ?? ''), -3);
  const nextCollection = (debt: Debt) => {
    const at = debt.timeline.findIndex(({ purpose }) => purpose === 'reply');
    return debt.timeline.slice(at).find(({ purpose }) => purpose === 'collection');
  };
  const { holidays } = loadPolicy();

  it('a promise with a date: nothing until a business day after it', async () => {
    const { id, debt, reply } = await tell(await contacted(), 'vou pagar semana que vem');
    expect(debt.status).toBe('PROMISED');
    const promised = /anotei (\d{2})\/(\d{2})\/(\d{4})/.exec(reply);
    expect(promised).not.toBeNull();
    const date = `${promised?.[3]}-${promised?.[2]}-${promised?.[1]}`;
    const later = await client.reaches(id, 'contacted again', (one) => nextCollection(one) !== undefined);
    expect(dayOf(nextCollection(later)) >= addBusinessDays(holidays, date, 1, ['SP'])).toBe(true);
  });

  it('already paid: two business days of silence, and then a person has to look', async () => {
    const { id, debt, intent, reply } = await tell(await contacted(), 'Já paguei.');
    expect(intent).toBe('already_paid');
    expect(reply).toMatch(/dois dias úteis/);
    const later = await client.reaches(id, 'held', ({ status }) => status === 'ON_HOLD');
    expect(nextCollection(later)).toBeUndefined();
    const held = ofKind(later, 'status_changed').at(-1);
    expect(dayOf(held) > addBusinessDays(holidays, dayOf(heard(debt)[0]), 2, ['SP'])).toBe(true);
    const { body: inbox } = await client.call('GET', '/api/inbox?reason=said_paid&limit=100');
    expect(inbox.items.map((item: { debt: { id: string } }) => item.debt.id)).toContain(id);
  });

  it('already paid in another way: a person is told at once, and the answer says so', async () => {
    const { debt, reply } = await tell(await contacted(), 'ja paguei semana passada no cartao na recepcao');
    expect(debt.status).toBe('ON_HOLD');
    expect(reply).toMatch(/Passei para a equipe/);
  });

  it('already paid, and it is true: the provider is asked at once, though nobody has told of the payment', async () => {
    const id = await contacted();
    await app.query(
      `update sandbox_charges set status = 'approved', paid_amount_centavos = amount_centavos, paid_at = now(),
        end_to_end_id = 'E00000000202611211200abcdefghijk', updated_at = now(), notified_at = 'infinity'
      where external_reference in (select id::text from charges where debt_id = $1)`,
      [id],
    );
    await client.say(id, 'ja paguei hoje cedo');
    // The receipt is the whole answer: two messages would say the same, and cost twice.
    const paid = await client.reaches(
      id,
      'receipt',
      (one) =>
        ofKind(one, 'receipt_issued').length === 1 && ofKind(one, 'message_sent').at(-1)?.['purpose'] === 'receipt',
    );
    expect(paid.status).toBe('PAID');
    expect(ofKind(paid, 'message_sent').at(-1)?.['text']).toMatch(/Pagamento confirmado.*termo de quitação/s);
    expect(answers(paid)).toEqual([]);
  });
});

describe('one answer for each message', () => {
  it('a burst is one turn; a later message is another; silence is answered by nothing', async () => {
    const id = await contacted();
    const silent = await contacted();
    await Promise.all(['oi', 'quem é?', 'qual o valor disso?'].map((text) => client.say(id, text)));
    const first = await answered(id);
    expect(heard(first)).toHaveLength(3);
    expect(answers(first)).toHaveLength(1);
    expect(answers(first)[0]?.['text']).toMatch(/R\$\s150,75/);
    await client.say(id, 'ok obrigada');
    const second = await answered(id, 2);
    expect(answers(second)).toHaveLength(2);
    const other = await client.ended(silent);
    expect(answers(other)).toEqual([]);
  });

  it('a paid debt is answered with the receipt link', async () => {
    const id = await contacted();
    await client.call('POST', `/api/sandbox/debts/${id}/pay`);
    await client.reaches(id, 'receipt', (one) => ofKind(one, 'receipt_issued').length === 1);
    await client.say(id, 'obrigado');
    const debt = await answered(id);
    expect(debt.status).toBe('PAID');
    expect(answers(debt)).toHaveLength(1);
    expect(answers(debt)[0]?.['text']).toMatch(/\/api\/receipts\/download\/QT-\S+\?sig=/);
  });
});

describe('the client is told', () => {
  it('what is held and disputed in the numbers of campaign and dashboard, and why in the score', async () => {
    await Promise.all(said.values());
    const [debts, { body: statistics }, { body: dashboard }] = await Promise.all([
      client.allDebts(campaignId),
      client.call('GET', `/api/campaigns/${campaignId}/statistics`),
      client.call('GET', '/api/dashboard?sandbox=true'),
    ]);
    expect(statistics.debts.byStatus).toMatchObject({ ON_HOLD: 4, DISPUTED: 1, OPTED_OUT: 1, STOPPED: 1 });
    // Two people have said that they have paid, and nobody has found the payment.
    expect(dashboard.debts.byStatus).toMatchObject({ ON_HOLD: 6, DISPUTED: 1, OPTED_OUT: 1, STOPPED: 1, PAID: 2 });
    expect(statistics.contacts.received).toBe(said.size);
    expect(dashboard.contacts.received).toBeGreaterThan(said.size);
    const { body: debt } = await client.call('GET', `/api/debts/${debts[0]?.id}`);
    expect(debt.scoreReasons.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['base', 'age', 'amount']),
    );
    const sum = debt.scoreReasons.reduce((total: number, { points }: { points: number }) => total + points, 0);
    expect(debt.score).toBe(Math.max(0, Math.min(100, sum)));
    expect(debt.timeline.find(({ kind }: { kind: string }) => kind === 'scored')).toMatchObject({ score: debt.score });
  });
});
