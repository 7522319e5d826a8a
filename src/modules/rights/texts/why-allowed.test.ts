import { expect, it } from '@jest/globals';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { RIGHTS_TEXTS } from './rights-page.ts';
import { whyAllowed } from './why-allowed.ts';

const bases = new Map(loadPolicy().pack.rules.map(({ id, source }) => [id, source]));
const { contacts } = RIGHTS_TEXTS;
const CDC = 'Código de Defesa do Consumidor (Lei 8.078/1990)';

it('names the law behind each rule of a verdict, and none for a choice of the product, the company or the person', () => {
  const ruleIds = ['br-cc-206', 'br-cap-day', 'client.hours', 'debtor-preference'];
  const why = whyAllowed({ purpose: 'collection', ruleIds }, bases);
  expect(why.map(({ source }) => source)).toEqual([
    expect.stringContaining('Código Civil (Lei 10.406/2002), art. 206'),
    expect.stringContaining('art. 42 e 71'),
    null,
    null,
  ]);
  expect(why[2]!.says).toBe(contacts.ofClient);
  for (const { says, source } of why) expect(`${says} ${source}`).not.toMatch(/ and |Choice|br-/);
});

it.each([
  ['reply', contacts.reply, 'WhatsApp Business'],
  ['receipt', contacts.receipt, 'Código Civil (Lei 10.406/2002), art. 319 e 320'],
  ['opt_out_confirmation', contacts.confirmation, CDC],
])('says why %s went out without a verdict, and by which law', (purpose, says, law) => {
  expect(whyAllowed({ purpose, ruleIds: null }, bases)).toEqual([{ says, source: expect.stringContaining(law) }]);
});

it('says so where the history of a contact is gone', () => {
  expect(whyAllowed({ purpose: 'collection', ruleIds: null }, bases)).toEqual([
    { says: contacts.unknown, source: null },
  ]);
});

it('puts no sentence of English before a reader, whatever rule of the pack allowed a contact', () => {
  for (const { says, source } of whyAllowed({ purpose: 'collection', ruleIds: [...bases.keys()] }, bases))
    expect([says, / and | of the /.test(source ?? '')]).toEqual([says, false]);
});
