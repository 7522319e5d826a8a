import { describe, expect, it } from '@jest/globals';
import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { certainParts, textsToRead, understandTurn } from './understand-turn.ts';

const part = (text: string, button: Intent | null = null, files: AttachmentKind[] = []) => ({ text, button, files });
const conversation = { debtId: '', debtorName: '', today: '2026-11-18', isBusinessDay: () => true, turns: [] };

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
    const { understood } = await understandTurn(agent, ['isso está errado'], conversation, parts);
    expect(understood).toMatchObject({ intent: 'dispute', also: ['already_paid'] });
  });

  it('asks nobody when there is nothing to read', async () => {
    const agent = { understand: () => Promise.reject(new Error('nothing is to be read')) };
    expect(await understandTurn(agent, [], conversation, [])).toMatchObject({ understood: { intent: 'other' } });
    const pressed = certainParts([part('Parar', 'opt_out')]);
    expect(await understandTurn(agent, [], conversation, pressed)).toMatchObject({ understood: { intent: 'opt_out' } });
  });
});
