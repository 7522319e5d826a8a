import { afterEach, describe, expect, it } from '@jest/globals';
import { createGuardedAgent } from '../../src/modules/agent/adapters/guarded/guarded-agent.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { changeSettings, type SettingsChange } from '../../src/modules/campaigns/use-cases/change-settings.ts';
import { changeText } from '../../src/modules/campaigns/use-cases/message-texts.ts';
import { changeOwnRules } from '../../src/modules/campaigns/use-cases/own-rules.ts';
import { contactDebtor } from '../../src/modules/collection/contact/contact-debtor.ts';
import { insertRules } from '../../src/modules/policy/queries/client-rules.ts';
import { DAY, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { pagePath } from '../../testing/pages.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
// The tests of changed settings move their clock by weeks.
const engineOfWords = await opened(openEngine());

describe('settings that change while the campaign runs', () => {
  const contacted = async (): Promise<MadeDebt> => {
    const debt = await engine.debt(somebody());
    await engine.contact(debt, WEDNESDAY);
    return debt;
  };
  const change = ({ clientId, campaignId }: MadeDebt, settings: SettingsChange) =>
    changeSettings(engine.ofApi)({ clientId, campaignId, change: settings, source: SOURCE });
  const nextContact = async (debt: MadeDebt): Promise<number> => {
    const [row] = await engine.query<{ next_contact_at: Date }>(
      debt,
      'select next_contact_at from debts where id = $1',
      [debt.id],
    );
    return new Date(row!.next_contact_at).getTime();
  };

  it('end a debt that has no step left, and no other', async () => {
    const debt = await contacted();
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
    const { clientId, campaignId } = debt;
    // A campaign without a debt that is left to work is completed, and keeps its settings.
    const other = await engine.debt({ clientId, campaignId, cpf: '29999999999', phone: '+5511989999999' });
    await change(debt, { sequence: [{ kind: 'first', tone: 'friendly', thenWaitDays: 5 }] });
    await engine.contact(debt, WEDNESDAY + HOUR);
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
    await engine.contact(debt, WEDNESDAY + 5 * DAY);
    expect(await engine.status(debt)).toBe('EXHAUSTED');
    await change(debt, { sequence: null });
    await engine.contact(debt, WEDNESDAY + 30 * DAY);
    expect([await engine.status(debt), await engine.status(other)]).toEqual(['EXHAUSTED', 'QUEUED']);
  });

  it('plan the next contact by the waits of the new sequence', async () => {
    const debt = await contacted();
    const before = await nextContact(debt);
    const steps = [
      { kind: 'first', tone: 'friendly', thenWaitDays: 10 },
      { kind: 'last', tone: 'firm', thenWaitDays: 0 },
    ] as const;
    await change(debt, { sequence: steps });
    await engine.contact(debt, WEDNESDAY + HOUR);
    expect(await nextContact(debt)).toBe(before + 7 * DAY);
    await change(debt, { sequence: null });
    await engine.contact(debt, WEDNESDAY + HOUR);
    expect(await nextContact(debt)).toBe(before);
  });

  it('move later contacts into narrower hours, and name the creditor by both names', async () => {
    const debt = await contacted();
    await change(debt, { hours: { from: '15:00', to: '17:00' }, sender: 'Loja da Maria' });
    // Another name has to be verified before anything is sent under it.
    await engine.verify(debt.clientId);
    const sentBefore = engine.sent.length;
    await engine.contact(debt, await nextContact(debt));
    const moved = await nextContact(debt);
    expect(engine.sent.length).toBe(sentBefore);
    expect(new Date(moved - 3 * HOUR).getUTCHours()).toBeGreaterThanOrEqual(15);
    expect(new Date(moved - 3 * HOUR).getUTCHours()).toBeLessThan(17);
    await engine.gate(debt, moved + 3 * HOUR);
    expect((await engine.verdicts(debt)).at(-1)).toMatchObject({ allowed: false, rules: ['window'] });
    await engine.contact(debt, await nextContact(debt));
    expect(engine.sent.length).toBe(sentBefore + 1);
    expect(engine.sent.at(-1)!.text).toContain('Loja da Maria (Escola Aurora)');
  });

  describe('before the contact of a debt that is back in collection', () => {
    const NO_RULES = { hours: null, weekdays: null, caps: [], daysAfterDue: null };
    const EVENING = WEDNESDAY + 12 * HOUR;
    /** Was contacted once and disputed; the staff resume it in the evening, when the gate allows nothing. */
    const resumed = async (debt: MadeDebt): Promise<void> => {
      await engine.contact(debt, WEDNESDAY);
      await engine.hear(debt, 'Não reconheço essa dívida, nunca comprei nada de vocês.');
      expect(await engine.status(debt)).toBe('DISPUTED');
      engine.clock.now = EVENING;
      const { clientId, id: debtId } = debt;
      await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Conferimos o contrato e a nota.' });
      expect(await engine.status(debt)).toBe('IN_COLLECTION');
    };
    const changeRules = ({ clientId }: MadeDebt, more: object = {}) =>
      changeOwnRules(engine.ofApi)({ clientId, rules: { ...NO_RULES, ...more }, source: SOURCE });
    afterEach(engine.reset);

    it.each([false, true])('leave it due at the next opening, planned for it before: %s', async (isPlanned) => {
      const debt = await engine.debt(somebody());
      await resumed(debt);
      if (isPlanned) await engine.contact(debt, EVENING);
      await changeRules(debt, { hours: { from: '09:00', to: '18:00' } });
      await engine.contact(debt, EVENING);
      const opening = new Date((await nextContact(debt)) - 3 * HOUR).toISOString();
      expect(opening).toMatch(/^2026-11-19T(09|10):/);
      await changeRules(debt, { weekdays: [2] });
      await engine.contact(debt, EVENING);
      expect(new Date(await nextContact(debt)).toISOString()).toMatch(/^2026-11-24/);
      await changeRules(debt, { hours: { from: '09:00', to: '18:00' } });
      await engine.contact(debt, EVENING);
      expect(new Date((await nextContact(debt)) - 3 * HOUR).toISOString()).toBe(opening);
    });

    it('keep the wait that a message of the person about another debt has begun since', async () => {
      const person = somebody();
      const debt = await engine.debt(person);
      await resumed(debt);
      const { clientId, campaignId } = debt;
      const other = await engine.debt({ ...person, clientId, campaignId });
      await engine.hear(other, 'Tá bom, vou ver isso.');
      const before = await nextContact(debt);
      expect(before).toBeGreaterThan(EVENING + 2 * DAY);
      await changeRules(debt, { hours: { from: '08:00', to: '19:00' } });
      await engine.contact(debt, EVENING);
      expect(await nextContact(debt)).toBeGreaterThan(EVENING + 2 * DAY);
    });
  });

  it('never end a debt: without any opening it waits and the client is told, until the settings change', async () => {
    const debt = await contacted();
    // Settings that leave no opening are refused when they are saved. A new policy may cause the same.
    const { clientId } = debt;
    const shut = { hours: { from: '20:00', to: '22:00' }, weekdays: null, caps: [], daysAfterDue: null };
    await engine.ofApi.db
      .tenant(clientId)
      .transactional((tx) => insertRules(tx, { clientId, version: 1, rules: shut }));
    const waiting = () =>
      engine.query(debt, 'select reason from inbox_items where debt_id = $1 and closed_at is null', [debt.id]);
    const step = await engine.contact(debt, WEDNESDAY + 30 * DAY);
    expect(step).toMatchObject({ kind: 'waitForSignal' });
    expect((await engine.verdicts(debt)).at(-1)).toEqual({ allowed: false, rules: ['window'], notBefore: null });
    expect([await engine.status(debt), await waiting()]).toEqual(['IN_COLLECTION', [{ reason: 'settings' }]]);
    await engine.contact(debt, WEDNESDAY + 31 * DAY);
    expect(await waiting()).toHaveLength(1);
    const { woken } = await engine.services.wakePaused();
    const rules = { hours: null, weekdays: null, caps: [], daysAfterDue: null };
    await changeOwnRules(engine.ofApi)({ clientId, rules, source: SOURCE });
    await engine.contact(debt, WEDNESDAY + 33 * DAY);
    expect(await waiting()).toEqual([]);
    expect((await engine.services.wakePaused()).woken).toBe(woken);
    const sentBefore = engine.sent.length;
    await engine.contact(debt, await nextContact(debt));
    expect(engine.sent.length).toBe(sentBefore + 1);
  });

  it('of the client for all campaigns are kept by the gate, which names their version', async () => {
    const debt = await contacted();
    const { clientId } = debt;
    const rules = { hours: null, weekdays: [1], caps: [], daysAfterDue: null };
    await changeOwnRules(engine.ofApi)({ clientId, rules, source: SOURCE });
    await engine.contact(debt, WEDNESDAY + HOUR);
    const planned = await nextContact(debt);
    expect(new Date(planned).getUTCDay()).toBe(1);
    const sentBefore = engine.sent.length;
    await engine.gate(debt, planned + DAY);
    const [verdict] = await engine.query<{ data: object }>(
      debt,
      `select data from debt_events where debt_id = $1 and kind = 'verdict' order by seq desc limit 1`,
      [debt.id],
    );
    expect(verdict?.data).toMatchObject({
      allowed: false,
      rules: ['window'],
      ruleIds: expect.arrayContaining(['client.hours']),
      pack: { id: 'br', ownVersion: 1 },
    });
    await engine.contact(debt, planned + 7 * DAY);
    expect(engine.sent.length).toBe(sentBefore + 1);
  });
});

describe('the client’s own words', () => {
  const engine = engineOfWords;
  /** Without `templates` free text is always allowed, as in the sandbox. */
  const contact = async (debt: MadeDebt, { templates }: { readonly templates: boolean }): Promise<void> => {
    const rules = createRulesAgent();
    const freeTextWindowMs = templates ? DAY : null;
    const capabilities = { ...engine.channel.capabilities, templates: true, freeTextWindowMs };
    const channel = { ...engine.channel, capabilities };
    const deps = {
      ...engine.deps,
      agent: createGuardedAgent({ brain: rules, rules }),
      sendersOf: async () => [{ channel, credentials: null, id: null, number: null }],
    };
    await contactDebtor(deps)(engine.request(debt, WEDNESDAY));
  };
  const words = (debt: MadeDebt, step: number, wording: { text: string; short: string | null } | null) =>
    changeText(engine.ofApi)({ clientId: debt.clientId, campaignId: debt.campaignId, step, wording, source: SOURCE });

  it('are sent for their step with identity and opt-out line, and the timeline names their version', async () => {
    const debt = await engine.debt(somebody());
    await words(debt, 1, { text: 'Bom dia, {{nome}}! Veja aqui: {{link}}', short: null });
    await words(debt, 1, { text: 'Boa tarde, {{nome}}! Há {{pagamentos}}: {{link}}', short: null });
    await contact(debt, { templates: false });
    const { text } = engine.sent.at(-1)!;
    expect(text).toContain(`Boa tarde, Maria! Há um pagamento em aberto: https://quita.example${pagePath(debt.id)}`);
    expect(text).toContain('Credor: Escola Aurora');
    expect(text).toContain('responda PARAR');
    const [event] = await engine.query<{ data: object }>(
      debt,
      `select data from debt_events where debt_id = $1 and kind = 'message_sent'`,
      [debt.id],
    );
    expect(event?.data).toMatchObject({ textVersion: 2 });
  });

  it('stay away from channels that carry approved templates, and after they were deleted', async () => {
    const templated = await engine.debt(somebody());
    await words(templated, 1, { text: 'Bom dia, {{nome}}! Veja aqui: {{link}}', short: null });
    await contact(templated, { templates: true });
    expect(engine.sent.at(-1)!.text).toContain('assistente virtual');
    const deleted = await engine.debt(somebody());
    await words(deleted, 1, { text: 'Bom dia, {{nome}}! Veja aqui: {{link}}', short: null });
    await words(deleted, 1, null);
    await contact(deleted, { templates: false });
    expect(engine.sent.at(-1)!.text).toContain('assistente virtual');
  });
});
