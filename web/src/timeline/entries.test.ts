import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry } from '../api/client.ts';
import { byDay, entriesOf, isMessage, refusedBy, type StepEntry, saidOf, topicOf, writerOf } from './entries.ts';

const at = '2026-11-23T12:00:00.000Z';
const paymentId = '7f8e5a8e-0a7b-4c8e-9d0e-2f1a4b5c6d7e';
const message = {
  at,
  kind: 'message_sent',
  messageId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  channel: 'whatsapp',
  purpose: 'collection',
  text: 'olá',
  delivery: 'read',
} as const;
const one = (entry: TimelineEntry) => entriesOf([entry])[0]!;
const said = (entry: TimelineEntry) => saidOf(one(entry) as StepEntry);

describe('the entries of a timeline', () => {
  it('tells who wrote a message', () => {
    const writer = (entry: TimelineEntry) => entriesOf([entry]).filter(isMessage).map(writerOf);
    expect(writer({ at, kind: 'message_received', channel: 'whatsapp', text: 'oi', intent: null })).toEqual(['debtor']);
    expect(writer(message)).toEqual(['agent']);
    expect(writer({ ...message, author: 'staff' })).toEqual(['staff']);
    expect(writer({ at, kind: 'imported' })).toEqual([]);
  });

  it('says by which rules a message of the staff was refused in the end', () => {
    const refused = (entry: object) =>
      entriesOf([{ ...message, ...entry }])
        .filter(isMessage)
        .map(refusedBy);
    expect(refused({ delivery: 'failed', reason: 'contact_blocked', rules: ['caps'] })).toEqual([['caps']]);
    expect(refused({ delivery: 'failed' })).toEqual([null]);
  });

  it('says who has resumed or ended the collection', () => {
    const resumed = { at, kind: 'status_changed', from: 'ON_HOLD', to: 'IN_COLLECTION' } as const;
    expect(said({ ...resumed, caller: 'session' })).toMatchObject({
      text: 'Situação: Em contato',
      detail: 'Quem retomou: sua equipe, no console',
    });
    expect(said({ ...resumed, caller: 'identity_provider' })).toMatchObject({
      detail: 'Quem retomou: sua equipe, no console',
    });
    expect(said({ ...resumed, to: 'STOPPED', caller: 'api_key', reason: 'engano' })).toMatchObject({
      detail: 'Quem encerrou: um programa da empresa, com a chave de API · Motivo: engano',
    });
    expect(said({ ...resumed })).toMatchObject({ detail: null });
  });

  it('says in words what happened to the money', () => {
    const payment = { at, paymentId, amount: 10 };
    expect(said({ ...payment, kind: 'payment_approved', amount: 100.5, method: 'cash', note: 'balcão' })).toMatchObject(
      {
        text: 'Pagou R$ 100,50',
        detail: 'Recebido por fora, em dinheiro · balcão',
      },
    );
    expect(said({ ...payment, kind: 'payment_approved', overpaidAmount: 2 })).toMatchObject({
      detail: 'R$ 2,00 a mais que a dívida',
    });
    expect(said({ ...payment, kind: 'payment_duplicate' })).toMatchObject({ text: 'Pagou mais uma vez: R$ 10,00' });
    expect(said({ ...payment, kind: 'payment_duplicate', covers: true })).toMatchObject({
      detail: 'Este pagamento vale, porque o anterior foi devolvido.',
    });
    expect(said({ ...payment, kind: 'payment_changed', problem: 'underpaid', expectedAmount: 20 })).toMatchObject({
      text: 'Pagou R$ 10,00 de R$ 20,00',
    });
    expect(said({ at, kind: 'payment_changed', paymentId, change: 'refunded', refundedAmount: 10 })).toMatchObject({
      text: 'Devolvido à pessoa: R$ 10,00',
    });
    const returned = { at, kind: 'payment_changed', paymentId, change: 'refunded', refundedAmount: 10 } as const;
    expect(said({ ...returned, returnKind: 'med_fraude', contestUntil: '2027-02-15T12:00:00.000Z' })).toMatchObject({
      text: expect.stringContaining('MED'),
      detail: expect.stringContaining('15/02/2027'),
    });
    const refund = { at, kind: 'payment_changed', paymentId, refundId: paymentId, amount: 10 } as const;
    expect(said({ ...refund, change: 'refund_asked' })).toMatchObject({ text: 'Devolução pedida: R$ 10,00' });
    expect(said({ ...refund, change: 'refund_failed' })).toMatchObject({ icon: 'warning' });
    expect(said({ at, kind: 'payment_changed', paymentId, problem: 'unknown_to_provider' })).toMatchObject({
      detail: 'O provedor de pagamentos não conhece este código.',
    });
  });

  it('says what became of an agreement', () => {
    const of = { at, agreementId: paymentId, protocol: 'AC-2026-AAAA' };
    expect(
      said({ ...of, kind: 'agreement_accepted', acceptedBy: 'staff', total: 850, discount: 150, instalments: 3 }),
    ).toMatchObject({
      text: 'Acordo aceito: R$ 850,00 em 3 vezes',
      detail: 'Termo AC-2026-AAAA · desconto de R$ 150,00 · aceite registrado por sua equipe',
    });
    const changed = { ...of, kind: 'agreement_changed' } as const;
    expect(said({ ...changed, change: 'moved', instalment: 2, from: '2026-12-03', to: '2026-12-10' })).toMatchObject({
      detail: 'De 03/12/2026 para 10/12/2026',
    });
    expect(said({ ...changed, change: 'stopped', because: 'dispute' }).detail).toContain('a pessoa contesta a dívida');
    expect(said({ ...of, kind: 'agreement_broken', paid: 50, afterBreach: 'keep' })).toMatchObject({
      detail: 'R$ 50,00 pagos · continua valendo o que falta do combinado',
    });
    const instalment = { ...of, kind: 'instalment_paid', paymentId, amount: 10 } as const;
    expect(said({ ...instalment, instalment: 2 })).toMatchObject({ text: 'Parcela 2 paga: R$ 10,00', detail: null });
    expect(said({ ...instalment, instalment: null }).detail).not.toBeNull();
  });

  it('says a correction with its values, and no place in a list of phones', () => {
    const changed = { at, kind: 'debt_changed', from: 1, to: 2 } as const;
    expect(said({ ...changed, field: 'originalAmount', reason: 'corrected' })).toMatchObject({
      detail: 'De R$ 1,00 para R$ 2,00',
    });
    expect(said({ ...changed, field: 'debtorPhone', reason: 'wrong_person' })).toMatchObject({ detail: null });
  });

  it('does not say that another address took over where none was left', () => {
    const given = { at, kind: 'debt_changed', field: 'debtorEmail', reason: 'wrong_person', from: 0 } as const;
    expect(said(given).text).not.toBe(said({ ...given, to: 1 }).text);
  });

  it('keeps a kind that it does not know as one line', () => {
    const unknown = { at, kind: 'eclipse' } as unknown as TimelineEntry;
    expect(said(unknown)).toMatchObject({ text: 'Outro acontecimento (eclipse)' });
    expect(topicOf(one(unknown))).toBe('work');
  });

  it('gathers the entries of a day', () => {
    const entries = entriesOf([
      { at, kind: 'imported' },
      { at, kind: 'scored', score: 50 },
      { at: '2026-11-24T12:00:00.000Z', kind: 'charge_created', paymentId },
    ]);
    expect(byDay(entries, (moment) => moment.slice(0, 10)).map(({ day, entries: of }) => [day, of.length])).toEqual([
      ['2026-11-23', 2],
      ['2026-11-24', 1],
    ]);
  });
});
