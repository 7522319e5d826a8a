import { describe, expect, it } from '@jest/globals';
import { byDay, entriesOf } from './entries.ts';

const at = '2026-11-23T12:00:00.000Z';
const one = (entry: object) => entriesOf([{ at, kind: 'other', ...entry }])[0];

describe('the entries of a timeline', () => {
  it('tells who wrote a message, and how it went', () => {
    expect(one({ kind: 'message_received', channel: 'whatsapp', text: 'oi', intent: 'question' })).toMatchObject({
      type: 'message',
      from: 'debtor',
      intent: 'question',
      delivery: null,
    });
    expect(one({ kind: 'message_sent', text: 'olá', delivery: 'read', purpose: 'collection' })).toMatchObject({
      from: 'agent',
      delivery: 'read',
    });
    expect(one({ kind: 'message_sent', text: 'olá', delivery: 'sent', author: 'staff' })).toMatchObject({
      from: 'staff',
      refusedBy: null,
    });
  });

  it('says by which rules a message of the staff was refused in the end', () => {
    const given = { kind: 'message_sent', author: 'staff', delivery: 'failed', reason: 'contact_blocked' };
    expect(one({ ...given, rules: ['caps'] })).toMatchObject({ refusedBy: ['caps'] });
  });

  it('keeps the verdict with its rules', () => {
    expect(one({ kind: 'verdict', allowed: false, rules: ['window'], ruleIds: ['br.h'], notBefore: at })).toMatchObject(
      {
        type: 'verdict',
        allowed: false,
        rules: ['window'],
        ruleIds: ['br.h'],
        notBefore: at,
      },
    );
  });

  it('names the pack of rules and the own wording, which make them evidence', () => {
    const pack = { id: 'br', version: '2026-11-24' };
    expect(one({ kind: 'verdict', allowed: true, pack })).toMatchObject({ pack: { ...pack, ownVersion: null } });
    expect(one({ kind: 'verdict', allowed: true, pack: { ...pack, ownVersion: 3 } })).toMatchObject({
      pack: { ...pack, ownVersion: 3 },
    });
    expect(one({ kind: 'verdict', allowed: true, pack: 'br' })).toMatchObject({ pack: null });
    expect(one({ kind: 'message_sent', text: 'olá', textVersion: 2 })).toMatchObject({ textVersion: 2 });
  });

  it('says who has resumed or ended the collection', () => {
    const resumed = { kind: 'status_changed', from: 'ON_HOLD', to: 'IN_COLLECTION' };
    expect(one({ ...resumed, caller: 'session' })).toMatchObject({
      text: 'Situação: Em contato',
      detail: 'Quem retomou: sua equipe, no console',
    });
    expect(one({ ...resumed, caller: 'identity_provider' })).toMatchObject({
      detail: 'Quem retomou: sua equipe, no console',
    });
    expect(one({ ...resumed, to: 'STOPPED', caller: 'api_key', reason: 'engano' })).toMatchObject({
      detail: 'Quem encerrou: um programa da empresa, com a chave de API · Motivo: engano',
    });
    expect(one({ ...resumed })).toMatchObject({ detail: null });
  });

  it('says in words what happened to the money', () => {
    expect(one({ kind: 'payment_approved', amount: 100.5, method: 'cash', note: 'balcão' })).toMatchObject({
      text: 'Pagou R$ 100,50',
      detail: 'Recebido por fora, em dinheiro · balcão',
    });
    expect(one({ kind: 'payment_duplicate', amount: 10 })).toMatchObject({ text: 'Pagou mais uma vez: R$ 10,00' });
    expect(one({ kind: 'payment_duplicate', amount: 10, covers: true })).toMatchObject({
      detail: 'Este pagamento vale, porque o anterior foi devolvido.',
    });
    expect(one({ kind: 'payment_changed', problem: 'underpaid', amount: 10, expectedAmount: 20 })).toMatchObject({
      text: 'Pagou R$ 10,00 de R$ 20,00',
    });
    expect(one({ kind: 'payment_changed', change: 'refunded', refundedAmount: 10 })).toMatchObject({
      text: 'Devolvido à pessoa: R$ 10,00',
    });
  });

  it('says a correction with its values, and no place in a list of phones', () => {
    expect(one({ kind: 'debt_changed', field: 'originalAmount', reason: 'corrected', from: 1, to: 2 })).toMatchObject({
      detail: 'De R$ 1,00 para R$ 2,00',
    });
    expect(one({ kind: 'debt_changed', field: 'debtorPhone', reason: 'wrong_person', from: 0, to: 1 })).toMatchObject({
      detail: null,
    });
  });

  it('keeps a kind that it does not know, and survives members of another type', () => {
    expect(one({ kind: 'eclipse' })).toMatchObject({ type: 'step', text: 'Outro acontecimento (eclipse)' });
    expect(one({ kind: 'verdict', rules: 'window', ruleIds: [1] })).toMatchObject({ rules: [], ruleIds: [] });
    expect(one({ kind: 'message_received', text: 7, attachments: [{}, { id: 'a' }] })).toMatchObject({
      text: null,
      attachments: [{ id: 'a', kind: 'other', state: 'absent' }],
    });
  });

  it('gathers the entries of a day', () => {
    const entries = entriesOf([
      { at, kind: 'imported' },
      { at, kind: 'scored' },
      { at: '2026-11-24T12:00:00.000Z', kind: 'charge_created' },
    ]);
    expect(byDay(entries, (moment) => moment.slice(0, 10)).map(({ day, entries: of }) => [day, of.length])).toEqual([
      ['2026-11-23', 2],
      ['2026-11-24', 1],
    ]);
  });
});
