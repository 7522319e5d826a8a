import { z } from 'zod';
import { contestUntilOf, type ReversalKind } from '../../../../kernel/reversal-kinds.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';
import { amount, moment } from './fields.ts';
import { referenceOf } from './txid.ts';

const text = z.string().max(64);

/** A return: asked for by the creditor, or made by the bank under the special mechanism of returns (MED). */
export const devolucao = z.object({
  id: z.string().min(1).max(64),
  valor: amount,
  natureza: text.nullish().catch(null),
  status: text,
  horario: z
    .object({ solicitacao: moment.nullish().catch(null), liquidacao: moment.nullish().catch(null) })
    .nullish()
    .catch(null),
});

const KINDS: ReadonlyMap<string, ReversalKind> = new Map([
  ['MED_FRAUDE', 'med_fraude'],
  ['MED_OPERACIONAL', 'med_operacional'],
  ['MED_PIX_AUTOMATICO', 'med_pix_automatico'],
]);
const STATES: ReadonlyMap<string, ProviderReversal['state']> = new Map([
  ['DEVOLVIDO', 'done'],
  ['NAO_REALIZADO', 'failed'],
]);

export function readReversal(read: z.infer<typeof devolucao>): ProviderReversal {
  const kind = KINDS.get(read.natureza ?? '') ?? 'refund';
  const at = read.horario?.liquidacao ?? read.horario?.solicitacao ?? null;
  return {
    id: referenceOf(read.id) ?? read.id,
    kind,
    // A state that is not listed has not ended.
    state: STATES.get(read.status) ?? 'pending',
    amountCentavos: read.valor,
    at,
    contestUntil: contestUntilOf(kind, at),
  };
}
