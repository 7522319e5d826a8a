import { writeEntry } from '../../../testing/checker/log.ts';
import { FakeBank, type Fault, MAINTENANCE } from '../../../testing/fake-bank/fake-bank.ts';
import type { FakeCharge } from '../../../testing/fake-bank/ledger.ts';
import type { Bank, BankPlan } from './bank.ts';
import type { AnswerFault } from './faulty-proxy.ts';

const SHARE = 0.5;
const FAULTS: Readonly<Record<AnswerFault, Fault>> = {
  refuse: MAINTENANCE,
  throttle: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
  hang: { kind: 'hang' },
  late: { kind: 'wrong_answer', status: 201, body: '{"txid":' },
  lose: { kind: 'lost_answer' },
};

export interface PixBank extends Omit<Bank, 'proxy'> {
  readonly bank: FakeBank;
  setFault(fault: AnswerFault | null): void;
}

export interface PixBankPlan extends Omit<BankPlan, 'provider'> {
  /** The client whose account it has. */
  readonly client: number;
  readonly notificationUrl: () => string;
}

const uuidOf = (txid: string): string => txid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const isPayable = ({ status, pix }: FakeCharge): boolean => status === 'ATIVA' && pix.length === 0;

/** A bank with the API Pix, which has the account of one client, and its notifications. */
export async function openPixBank(plan: PixBankPlan): Promise<PixBank> {
  const { client, random, deliveries, logFile, clientIdOf, notificationUrl } = plan;
  const bank = await new FakeBank('inter', { wantsScope: false }).start();
  bank.ledger.made = ({ txid }) =>
    writeEntry(logFile, {
      kind: 'charge_made',
      clientId: clientIdOf(client),
      providerPaymentId: txid,
      reference: uuidOf(txid),
    });
  const centavosOf = ({ valor }: FakeCharge): number => Math.round(Number(valor.original) * 100);
  return {
    bank,
    setFault(fault) {
      bank.clearFaults();
      if (fault !== null) bank.failWhere(() => random.next() < SHARE, FAULTS[fault]);
    },
    chargesOf: (of, cpf) =>
      of !== client
        ? []
        : [...bank.ledger.charges.values()]
            .filter(({ devedor }) => devedor?.['cpf'] === cpf)
            .map((charge) => ({ id: charge.txid, client, cpf, centavos: centavosOf(charge) })),
    pay({ id }) {
      const charge = bank.charge(id);
      if (!isPayable(charge)) return false;
      const clientId = clientIdOf(client);
      const pix = bank.pay(id);
      writeEntry(logFile, { kind: 'payment_made', clientId, providerPaymentId: id, centavos: centavosOf(charge) });
      void deliveries.start({
        post: () => bank.notify([pix], { url: notificationUrl() }),
        accepted: () => writeEntry(logFile, { kind: 'notification_accepted', clientId, providerPaymentId: id }),
        lost: 0.15,
        twice: 0.2,
        withinMs: 3_000,
      });
      return true;
    },
  };
}
