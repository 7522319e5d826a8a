import { describe, expect, it } from '@jest/globals';
import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { Understanding } from '../../messaging/ports/collection-agent.ts';
import { certainParts, textsToRead, understandTurn } from './understand-turn.ts';

const part = (text: string, button: Intent | null = null, files: AttachmentKind[] = []) => ({ text, button, files });
const conversation = { debtId: '', debtorName: '', today: '2026-11-18', isBusinessDay: () => true, turns: [] };
/** A turn that was written on one day. */
const day = (texts: readonly string[], certain: readonly Understanding[] = [], at = 0) => ({
  at,
  texts,
  certain,
  conversation,
});

describe('what of a turn is understood without reading', () => {
  it('is a pressed button, whose title is not read', () => {
    const messages = [part('Não sou eu', 'already_paid'), part('obrigada')];
    expect(textsToRead(messages)).toEqual(['obrigada']);
    expect(certainParts(messages)).toMatchObject([{ intent: 'already_paid', confidence: 1 }]);
  });

  it.each([
    ['image', ['already_paid']],
    ['document', ['already_paid']],
    ['audio', []],
    ['video', []],
    ['location', []],
    ['contact', []],
    ['other', []],
  ] as const)('is a claim of payment by a file of the kind %s: %p', (kind, intents) => {
    expect(certainParts([part('', null, [kind])]).map(({ intent }) => intent)).toEqual(intents);
    expect(textsToRead([part(' \n', null, [kind])])).toEqual([]);
  });

  it('accepts an offer only when nothing else in it says otherwise', async () => {
    const said = (intent: Intent, more: object = {}) => ({
      intent,
      date: null,
      confidence: 1,
      also: [],
      topics: [],
      mentionsDeath: false,
      ...more,
    });
    const turn = async (...parts: ReturnType<typeof said>[]) =>
      (await understandTurn({ understand: async () => parts[0]! }, [day(['text'], parts.slice(1))])).understood;
    const two = said('accept_offer', { offerNumber: 2 });
    expect(await turn(two, two)).toMatchObject({ intent: 'accept_offer', offerNumber: 2 });
    const three = await turn(two, said('accept_offer', { offerNumber: 3 }));
    expect(three).toMatchObject({ intent: 'negotiate', offerOpen: 'unclear' });
    expect(three.offerNumber).toBeUndefined();
    for (const intent of ['opt_out', 'dispute', 'hardship', 'already_paid', 'negotiate'] as const) {
      const other = await turn(two, said(intent));
      expect(other.intent).toBe(intent);
      expect(other.offerNumber).toBeUndefined();
    }
    const amounts = await turn(
      said('propose', { proposal: { monthlyCentavos: 10_000 } }),
      said('propose', { proposal: { monthlyCentavos: 20_000 } }),
    );
    expect(amounts).toMatchObject({ intent: 'negotiate' });
  });

  it('is combined with what was read, and the gravest intent counts first', async () => {
    const read = {
      intent: 'dispute',
      date: null,
      confidence: 0.8,
      also: [],
      topics: [],
      mentionsDeath: false,
    } as const;
    const agent = { understand: async () => read };
    const parts = certainParts([part('', null, ['image'])]);
    const { understood } = await understandTurn(agent, [day(['isso está errado'], parts)]);
    expect(understood).toMatchObject({ intent: 'dispute', also: ['already_paid'] });
  });

  it('asks nobody when there is nothing to read', async () => {
    const agent = { understand: () => Promise.reject(new Error('nothing is to be read')) };
    expect(await understandTurn(agent, [])).toMatchObject({ understood: { intent: 'other' } });
    const pressed = certainParts([part('Parar', 'opt_out')]);
    expect(await understandTurn(agent, [day([], pressed)])).toMatchObject({ understood: { intent: 'opt_out' } });
  });

  it('says when the debtor last claimed to have paid, and first accepted an offer', async () => {
    const said = (intent: Intent): Understanding => ({ ...certainParts([part('', intent)])[0]! });
    const words: Readonly<Record<string, Intent>> = { aceito: 'accept_offer', paguei: 'already_paid' };
    const agent = { understand: async (text: string) => said(words[text] ?? 'other') };
    const both = [day(['aceito'], [said('already_paid')], 10), day(['aceito'], [], 20), day(['oi'], [], 30)];
    expect(await understandTurn(agent, both)).toMatchObject({ claimedAt: 10, acceptedAt: 10 });
    const again = [day(['paguei'], [], 10), day([], [said('already_paid')], 20), day(['oi'], [], 30)];
    expect(await understandTurn(agent, again)).toMatchObject({ claimedAt: 20, acceptedAt: null });
  });
});
