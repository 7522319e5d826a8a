import { z } from 'zod';
import { crc16 } from '../../../../kernel/brcode.ts';
import { DAY } from '../../../../kernel/calendar.ts';
import type { Instrument, ProviderCharge, ProviderSettlement } from '../../ports/payment-provider.ts';
import { amount, moment, sum } from './fields.ts';
import type { PixProfile } from './profile.ts';
import { devolucao, readReversal } from './refund-answer.ts';
import { referenceOf } from './txid.ts';

export type ChargeKind = 'cob' | 'cobv';

const part = z.object({ valor: amount }).nullish();
const components = z.object({
  original: part,
  multa: part,
  juros: part,
  desconto: part,
  abatimento: part,
  saque: part,
  troco: part,
});
export const receivedPix = z.object({
  endToEndId: z.string().regex(/^[A-Za-z0-9]{32}$/),
  txid: z.string().max(64).nullish().catch(null),
  valor: amount,
  horario: moment,
  componentesValor: components.nullish().catch(null),
  devolucoes: z.array(devolucao).max(1_000).nullish(),
});
type ReceivedPix = z.infer<typeof receivedPix>;

/** The members on which a decision depends are required and checked; the others may be missing. */
const chargeAnswer = z.looseObject({
  txid: z.string().min(1).max(64),
  status: z.string().min(1).max(64),
  chave: z.string().min(1).max(77),
  revisao: z.number().int().nullish().catch(null),
  calendario: z.object({
    criacao: moment.nullish().catch(null),
    expiracao: z.coerce.number().int().nonnegative().nullish().catch(null),
    dataDeVencimento: z.string().date().nullish().catch(null),
    validadeAposVencimento: z.coerce.number().int().nonnegative().nullish().catch(null),
  }),
  valor: z.object({ original: amount }),
  pix: z.array(receivedPix).max(1_000).nullish(),
});

export interface BankCharge {
  readonly charge: ProviderCharge;
  readonly revision: number;
}

const DEFAULT_LIFE_SECONDS = 86_400;
const DEFAULT_VALID_DAYS = 30;
const BRASILIA = '-03:00';
/** The bank may book a Pix that left the payer's bank in the last moment. */
const BOOKING_MS = 5 * 60_000;
/** A due date or a last day on a holiday moves to the next working day of the payer's town, which the bank alone knows. */
const MOVED_DAYS = 5;

interface Asked {
  readonly txid: string;
  readonly key: string;
  readonly kind: ChargeKind;
  readonly profile: PixProfile;
}

/** Throws for anything that is not this charge of this key. */
export function readCharge(answer: unknown, { txid, key, kind, profile }: Asked, now: Date): BankCharge {
  const read = chargeAnswer.parse(answer);
  if (read.txid !== txid) throw new TypeError('the answer is about another charge');
  if (read.chave.toLowerCase() !== key.toLowerCase()) throw new TypeError('the answer is about another key');
  const payments = [...(read.pix ?? [])].sort((a, b) => a.horario.getTime() - b.horario.getTime());
  if (payments.some((one) => (one.txid ?? txid) !== txid)) throw new TypeError('a payment is of another charge');

  const end = endOf(read.calendario, kind);
  const paid = sum(payments.map(({ valor }) => valor));
  const reversals = payments.flatMap(({ devolucoes }) => (devolucoes ?? []).map(readReversal));
  const refunded = sum(reversals.filter(({ state }) => state === 'done').map((one) => one.amountCentavos));
  const brCode = brCodeIn(read, profile.codeFields);
  const instruments: Instrument[] = brCode === null ? [] : [{ kind: kind === 'cob' ? 'pix' : 'pix_due', brCode }];
  const last = payments.at(-1);
  const moments = [read.calendario.criacao, last?.horario, ...reversals.map(({ at }) => at)].filter((at) => at != null);
  return {
    revision: read.revisao ?? 0,
    charge: {
      providerPaymentId: txid,
      ...stateOf(read.status, { paid, refunded, lapsed: end !== null && end.closedAt <= now }),
      amountCentavos: read.valor.original,
      paidAmountCentavos: paid,
      refundedCentavos: refunded,
      currency: 'BRL',
      externalReference: referenceOf(txid),
      paidAt: last?.horario ?? null,
      endToEndId: last?.endToEndId ?? null,
      expiresAt: end?.expiresAt ?? null,
      updatedAt: moments.length === 0 ? null : new Date(Math.max(...moments.map((at) => at.getTime()))),
      // Money that a bank takes back (MED) is a return, and stands among the reversals.
      chargedBack: false,
      instruments,
      settlements: payments.map((one) => settlementOf(one, kind)),
      reversals,
    },
  };
}

type State = Pick<ProviderCharge, 'status' | 'rawStatus' | 'statusDetail'>;

/** A Pix that the bank lists has come, whatever became of the charge: it may have been removed in the same moment. */
function stateOf(
  status: string,
  { paid, refunded, lapsed }: { readonly paid: number; readonly refunded: number; readonly lapsed: boolean },
): State {
  if (paid > 0 && refunded >= paid) return { status: 'CANCELLED', rawStatus: 'refunded', statusDetail: 'refunded' };
  if (paid > 0) {
    return {
      status: 'APPROVED',
      rawStatus: 'approved',
      statusDetail: refunded > 0 ? 'partially_refunded' : 'accredited',
    };
  }
  if (status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR') {
    return { status: 'CANCELLED', rawStatus: 'cancelled', statusDetail: 'by_collector' };
  }
  if (status === 'REMOVIDA_PELO_PSP') return { status: 'CANCELLED', rawStatus: 'cancelled', statusDetail: 'by_bank' };
  // The record of a charge stays active after its end.
  if (status === 'ATIVA' && lapsed) return { status: 'CANCELLED', rawStatus: 'expired', statusDetail: 'expired' };
  return { status: 'PENDING', rawStatus: status, statusDetail: null };
}

function endOf(
  calendar: z.infer<typeof chargeAnswer>['calendario'],
  kind: ChargeKind,
): { readonly expiresAt: Date; readonly closedAt: Date } | null {
  const { criacao, expiracao, dataDeVencimento, validadeAposVencimento } = calendar;
  if (kind === 'cobv') {
    if (dataDeVencimento == null) return null;
    const days = (validadeAposVencimento ?? DEFAULT_VALID_DAYS) + 1;
    const expiresAt = new Date(`${dataDeVencimento}T00:00:00${BRASILIA}`).getTime() + days * DAY;
    return { expiresAt: new Date(expiresAt), closedAt: new Date(expiresAt + MOVED_DAYS * DAY) };
  }
  if (criacao == null) return null;
  const expiresAt = criacao.getTime() + (expiracao ?? DEFAULT_LIFE_SECONDS) * 1_000;
  return { expiresAt: new Date(expiresAt), closedAt: new Date(expiresAt + BOOKING_MS) };
}

function settlementOf(pix: ReceivedPix, kind: ChargeKind): ProviderSettlement {
  return {
    endToEndId: pix.endToEndId,
    amountCentavos: pix.valor,
    components: componentsOf(pix),
    paidAt: pix.horario,
    creditedAt: pix.horario,
    channel: kind === 'cob' ? 'pix' : 'pix_due',
  };
}

/** Null also where the parts are not the whole, because then they explain nothing. */
function componentsOf({ valor, componentesValor: given }: ReceivedPix): ProviderSettlement['components'] {
  if (!given?.original || given.saque || given.troco) return null;
  const made = {
    principalCentavos: given.original.valor,
    fineCentavos: given.multa?.valor ?? 0,
    interestCentavos: given.juros?.valor ?? 0,
    discountCentavos: (given.desconto?.valor ?? 0) + (given.abatimento?.valor ?? 0),
  };
  const total = made.principalCentavos + made.fineCentavos + made.interestCentavos - made.discountCentavos;
  return total === valor ? made : null;
}

const MAX_CODE_LENGTH = 512;

/** Returns the code that is paid, where the bank sent one that a bank's app would read: a torn one reaches no debtor. */
function brCodeIn(answer: Readonly<Record<string, unknown>>, fields: readonly string[]): string | null {
  for (const field of fields) {
    const given = answer[field];
    if (typeof given === 'string' && isReadable(given)) return given;
  }
  return null;
}

const isReadable = (code: string): boolean =>
  code.length <= MAX_CODE_LENGTH &&
  /^000201[\x20-\x7e]+$/.test(code) &&
  code.slice(-8, -4) === '6304' &&
  crc16(code.slice(0, -4)) === code.slice(-4).toUpperCase();
