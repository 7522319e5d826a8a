import {
  type CreateChargeInput,
  type CreatedCharge,
  type PaymentCredentials,
  PaymentProviderError,
  type ProviderCharge,
} from '../../ports/payment-provider.ts';
import { type BankClient, pixCredentialsOf } from './bank-client.ts';
import { type BankCharge, type ChargeKind, readCharge } from './charge-answer.ts';
import { amountText } from './fields.ts';
import { isPixProfileName, PIX_PROFILES } from './profiles.ts';
import { bankIdOf, isTxid } from './txid.ts';

const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
const MAX_NAME = 200;
const MAX_REQUEST_TEXT = 140;
/** A PUT whose outcome stays unknown is sent again with the same txid, which cannot make a second charge. */
const PUT_ATTEMPTS = 2;
/** The clocks of a bank and ours may differ by so much, and the way there takes time. */
const CLOCK_MS = 2 * 60_000;

const isKind = (error: unknown, ...kinds: readonly PaymentProviderError['kind'][]): error is PaymentProviderError =>
  error instanceof PaymentProviderError && kinds.includes(error.kind);

export const profileOf = (credentials: PaymentCredentials | null) => {
  const { profile } = pixCredentialsOf(credentials);
  return isPixProfileName(profile) ? PIX_PROFILES[profile] : PIX_PROFILES.custom;
};

export interface ChargesAtBank {
  create(input: CreateChargeInput): Promise<CreatedCharge>;
  get(txid: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
  remove(txid: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
}

export function createChargesAtBank(bank: BankClient, now: () => Date): ChargesAtBank {
  const readerOf = (txid: string, kind: ChargeKind, credentials: PaymentCredentials | null) => {
    const asked = { txid, kind, key: pixCredentialsOf(credentials).key, profile: profileOf(credentials) };
    return (answer: unknown) => readCharge(answer, asked, now());
  };

  const getOf = (
    kind: ChargeKind,
    txid: string,
    credentials: PaymentCredentials | null,
    query: Readonly<Record<string, string>> = {},
  ): Promise<BankCharge> =>
    bank.send(credentials, {
      method: 'GET',
      path: `/${kind}/${txid}`,
      name: `/${kind}/${txid}`,
      query,
      read: readerOf(txid, kind, credentials),
    });

  /** Both kinds share their ids. Charges without a due date are asked for first, because there are more of them. */
  async function find(txid: string, credentials: PaymentCredentials | null) {
    if (!isTxid(txid)) throw new PaymentProviderError('not_found', 'this is not the id of a charge at a bank');
    try {
      return { kind: 'cob' as const, ...(await getOf('cob', txid, credentials)) };
    } catch (error) {
      if (!isKind(error, 'not_found') || !profileOf(credentials).cobv) throw error;
      try {
        return { kind: 'cobv' as const, ...(await getOf('cobv', txid, credentials)) };
      } catch (second) {
        // An account without the product answers 403.
        throw isKind(second, 'not_found', 'unauthorized') ? error : second;
      }
    }
  }

  /** What a PUT has made whose answer did not come, or was a refusal. */
  async function findMade(kind: ChargeKind, txid: string, credentials: PaymentCredentials | null) {
    try {
      return await getOf(kind, txid, credentials);
    } catch (error) {
      if (isKind(error, 'not_found')) return null;
      throw isKind(error, 'retryable') ? unknownOutcome(error) : error;
    }
  }

  /** A PUT may have revised a charge that existed: its first amount decides whether it was the same. */
  async function refuseRevised({ revision }: BankCharge, kind: ChargeKind, txid: string, input: CreateChargeInput) {
    if (revision === 0) return;
    const first = await getOf(kind, txid, input.credentials, { revisao: '0' });
    if (first.charge.amountCentavos !== input.amountCentavos) throw keyUsed();
  }

  /**
   * Not every account may make codes with a due date. What the bank refuses is made as an ordinary code that can be paid
   * for as long.
   */
  async function makeByKind(txid: string, input: CreateChargeInput): Promise<readonly [ChargeKind, BankCharge]> {
    if (input.payable.kind === 'due') {
      try {
        return ['cobv', await makeOrFind('cobv', txid, input)];
      } catch (error) {
        if (!isKind(error, 'unauthorized', 'rejected', 'not_found')) throw error;
      }
    }
    return ['cob', await makeOrFind('cob', txid, input)];
  }

  async function makeOrFind(kind: ChargeKind, txid: string, input: CreateChargeInput): Promise<BankCharge> {
    for (let number = 1; ; number += 1) {
      try {
        const made = await bank.send(input.credentials, {
          method: 'PUT',
          path: `/${kind}/${txid}`,
          name: `/${kind}/${txid}`,
          body: bodyOf(kind, input, now()),
          read: readerOf(txid, kind, input.credentials),
        });
        await refuseRevised(made, kind, txid, input);
        return made;
      } catch (error) {
        if (!isKind(error, 'unknown_outcome', 'conflict', 'rejected') || error.message === KEY_USED) throw error;
        const found = await findMade(kind, txid, input.credentials);
        if (found !== null) return found;
        if (error.kind === 'rejected') throw error;
        if (number >= PUT_ATTEMPTS) throw unknownOutcome(error);
      }
    }
  }

  return {
    async create(input) {
      const txid = txidOf(input);
      if (input.payable.kind === 'due' && !profileOf(input.credentials).cobv) {
        throw new PaymentProviderError('unsupported', 'the bank makes no charges with a due date');
      }
      const [kind, made] = await makeByKind(txid, input);
      let { charge } = made;
      if (charge.instruments.length === 0) ({ charge } = await getOf(kind, txid, input.credentials));
      return createdCharge(input, charge);
    },

    get: async (txid, credentials) => (await find(txid, credentials)).charge,

    async remove(txid, credentials) {
      const found = await find(txid, credentials);
      if (found.charge.paidAmountCentavos > 0) throw paidMeanwhile();
      // One that has expired cannot be paid any more, and most banks refuse to remove it.
      if (found.charge.status === 'CANCELLED') return found.charge;
      try {
        const { charge } = await bank.send(credentials, {
          method: 'PATCH',
          path: `/${found.kind}/${txid}`,
          name: `/${found.kind}/${txid}`,
          body: REMOVED,
          read: readerOf(txid, found.kind, credentials),
        });
        if (charge.status === 'CANCELLED' && charge.paidAmountCentavos === 0) return charge;
      } catch (error) {
        if (!isKind(error, 'unknown_outcome', 'conflict', 'rejected')) throw error;
        const { charge } = await getOf(found.kind, txid, credentials);
        if (charge.paidAmountCentavos > 0) throw paidMeanwhile();
        if (charge.status === 'CANCELLED') return charge;
        throw error;
      }
      const { charge } = await getOf(found.kind, txid, credentials);
      if (charge.paidAmountCentavos > 0 || charge.status !== 'CANCELLED') throw paidMeanwhile();
      return charge;
    },
  };
}

const unknownOutcome = ({ message }: PaymentProviderError) =>
  new PaymentProviderError('unknown_outcome', `what became of the charge is not known: ${message}`);
const KEY_USED = 'the key was used for another charge';
const keyUsed = () => new PaymentProviderError('conflict', KEY_USED);
const paidMeanwhile = () => new PaymentProviderError('conflict', 'the charge was paid meanwhile');

function txidOf(input: CreateChargeInput): string {
  const txid = bankIdOf(input.idempotencyKey);
  // The bank keeps one id of a charge, so key and reference have to be the same.
  if (txid === null || input.externalReference !== input.idempotencyKey) {
    throw new PaymentProviderError('rejected', 'key and reference of a charge at a bank are one UUID');
  }
  return txid;
}

function bodyOf(as: ChargeKind, input: CreateChargeInput, now: Date) {
  const { payer, payable, credentials } = input;
  const nome = [payer.firstName, payer.lastName]
    .filter((one) => one !== '')
    .join(' ')
    .slice(0, MAX_NAME);
  const { kind, number } = payer.taxId;
  return {
    calendario:
      as === 'cobv' && payable.kind === 'due'
        ? { dataDeVencimento: payable.dueDate, validadeAposVencimento: payable.validDays }
        : { expiracao: Math.floor((payable.expiresAt.getTime() - now.getTime()) / 1_000) },
    devedor: kind === 'CPF' ? { cpf: number, nome } : { cnpj: number, nome },
    valor: { original: amountText(input.amountCentavos) },
    chave: pixCredentialsOf(credentials).key,
    solicitacaoPagador: input.description.slice(0, MAX_REQUEST_TEXT),
  };
}

/** Refuses a code for another amount, because such a code must never reach a debtor. */
function createdCharge(input: CreateChargeInput, charge: ProviderCharge): CreatedCharge {
  if (charge.amountCentavos !== input.amountCentavos) throw keyUsed();
  if (charge.status === 'CANCELLED' || charge.status === 'REJECTED') {
    throw new PaymentProviderError('rejected', 'the charge was ended at the bank', {
      providerCodes: [charge.rawStatus],
    });
  }
  if (charge.instruments.length === 0) {
    throw new PaymentProviderError('unknown_outcome', 'the bank made the charge but returned no code');
  }
  const asked = input.payable.expiresAt;
  const there = charge.expiresAt ?? asked;
  const isAsAsked = Math.abs(there.getTime() - asked.getTime()) <= CLOCK_MS;
  return {
    providerPaymentId: charge.providerPaymentId,
    instruments: charge.instruments,
    expiresAt: isAsAsked ? asked : there,
  };
}
