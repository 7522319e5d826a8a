import type { FakePix } from './ledger.ts';
import type { Quirks } from './quirks.ts';

export interface NotificationOptions {
  /** Another address than the one that was set. */
  readonly url?: string;
  readonly shape?: 'member' | 'bare';
  /** What the notification says, whatever the bank has booked. */
  readonly claimedAmount?: string;
  /** What a proxy in front of the receiver has found out about the bank's certificate. */
  readonly certificate?: 'SUCCESS' | 'NONE';
}

/** The payer is masked where the bank masks it. */
export function notificationOf(
  payments: readonly FakePix[],
  quirks: Quirks,
  options: NotificationOptions = {},
): unknown {
  const pix = payments.map((one) => ({
    ...one,
    valor: options.claimedAmount ?? one.valor,
    pagador: quirks.masksPayer ? { cpf: '***.982.247-**', nome: 'Ana S***' } : one.pagador,
  }));
  const isBare = options.shape === undefined ? quirks.bareNotification : options.shape === 'bare';
  return isBare ? pix : { pix };
}
