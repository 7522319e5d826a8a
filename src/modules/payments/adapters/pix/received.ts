import { z } from 'zod';
import { DAY } from '../../../../kernel/calendar.ts';
import { type PaymentCredentials, PaymentProviderError, type ReceivedPage } from '../../ports/payment-provider.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';
import type { BankClient } from './bank-client.ts';
import { receivedPix } from './charge-answer.ts';
import { profileOf } from './charges-at-bank.ts';
import { momentText } from './fields.ts';
import { readReversal } from './refund-answer.ts';
import { isTxid } from './txid.ts';

/** A bank that counts more pages is not believed. */
const MAX_PAGES = 10_000;

const receivedAnswer = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.coerce.number().int().nonnegative() }) }),
  pix: z.array(receivedPix).max(5_000).nullish(),
});

export interface Period {
  readonly from: Date;
  readonly to: Date;
  readonly page: string | null;
  readonly onlyReturned?: boolean;
}

/**
 * Asks in the windows and pages that the bank allows; the name of a page is its window and its number. Windows follow
 * each other in time, and a page is sorted; in which order a bank fills the pages of one window is its own affair.
 * Two windows share the second at which they meet, so that a payment may be listed twice, but is never left out.
 */
export async function listReceived(
  bank: BankClient,
  period: Period,
  credentials: PaymentCredentials | null,
): Promise<ReceivedPage> {
  const { maxWindowDays, pageSize } = profileOf(credentials).received;
  const windowMs = maxWindowDays * DAY;
  const windows = Math.max(1, Math.ceil((period.to.getTime() - period.from.getTime()) / windowMs));
  const at = readPage(period.page, windows);
  const from = new Date(period.from.getTime() + at.window * windowMs);
  // Seconds are sent, so the end is rounded up; a window must not become longer than the bank allows.
  const end = Math.min(from.getTime() + windowMs, Math.ceil(period.to.getTime() / 1_000) * 1_000);
  const answer = await bank.send(credentials, {
    method: 'GET',
    path: '/pix',
    name: '/pix',
    query: {
      inicio: momentText(from),
      fim: momentText(new Date(end)),
      'paginacao.paginaAtual': String(at.page),
      'paginacao.itensPorPagina': String(pageSize),
      ...(period.onlyReturned === true ? { devolucaoPresente: 'true' } : {}),
    },
    read: (given) => receivedAnswer.parse(given),
  });
  const items = (answer.pix ?? [])
    .map(({ endToEndId, txid, valor, horario, devolucoes }) => {
      const reversals = (devolucoes ?? []).map(readReversal);
      return {
        endToEndId,
        providerPaymentId: txid != null && isTxid(txid) ? txid : null,
        amountCentavos: valor,
        returnedCentavos: reversals.reduce(addReturned, 0),
        reversals,
        paidAt: horario,
      };
    })
    .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  const pages = Math.min(answer.parametros.paginacao.quantidadeDePaginas, MAX_PAGES);
  return { items, next: nextPage(at, { windows, pages }), pagesLeft: Math.max(0, pages - at.page - 1) };
}

const addReturned = (total: number, { state, amountCentavos }: ProviderReversal): number =>
  state === 'done' ? total + amountCentavos : total;

interface Place {
  readonly window: number;
  readonly page: number;
}

function nextPage({ window, page }: Place, { windows, pages }: { readonly windows: number; readonly pages: number }) {
  if (page + 1 < pages) return `${window}.${page + 1}`;
  return window + 1 < windows ? `${window + 1}.0` : null;
}

function readPage(given: string | null, windows: number): Place {
  if (given === null) return { window: 0, page: 0 };
  const parts = /^(\d{1,6})\.(\d{1,6})$/.exec(given);
  const place = { window: Number(parts?.[1]), page: Number(parts?.[2]) };
  if (parts === null || place.window >= windows || place.page >= MAX_PAGES) {
    throw new PaymentProviderError('rejected', 'this page does not exist');
  }
  return place;
}
