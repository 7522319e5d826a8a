import { stripAccents } from '../../../kernel/portuguese-text.ts';

/** Ways to pay beside the debt's own Pix code, and proofs of a payment. */
const WAYS = new Set(
  `cartao credito debito maquininha dinheiro especie boleto carne cheque ted doc transferencia transferi transferiu
  deposito depositei depositado loterica comprovante recibo parcelado parcelei adiantado pessoalmente presencial
  presencialmente diretamente`.split(/\s+/),
);
/** Places and people who take money. */
const PLACES = new Set(
  `recepcao balcao caixa guiche secretaria tesouraria loja escritorio clinica consultorio escola faculdade academia
  unidade sede matriz filial banco agencia financeiro vendedor vendedora secretario recepcionista atendente gerente
  dono dona cobrador motoboy entregador`.split(/\s+/),
);
/** Days that are not today. */
const DAYS = new Set(
  `ontem anteontem domingo segunda terca quarta quinta sexta sabado janeiro fevereiro marco abril maio junho julho agosto
  setembro outubro novembro dezembro`.split(/\s+/),
);
/** Two words that name another day, or another account. */
const PAIRS = new Set([
  'semana passada',
  'mes passado',
  'ano passado',
  'outro dia',
  'outra conta',
  'outro pix',
  'outra chave',
  'faz tempo',
  'ha tempo',
  'ha tempos',
  'ha muito',
  'faz dias',
]);

/** As long a text as one message may be. */
const MAX_TEXT_LENGTH = 4_096;
const DATE = /^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$/;
const NUMBER = /^\d{1,2}$/;

/**
 * Returns whether a text of somebody who says that a debt is paid names another way, day or place than the Pix code of
 * the debt just now: the provider will report no such payment, so that a person has to look.
 */
export function namesOtherPayment(text: string): boolean {
  const words = stripAccents(text.slice(0, MAX_TEXT_LENGTH).toLowerCase())
    .split(/[^a-z0-9/]+/)
    .filter((word) => word !== '');
  return words.some((word, index) => {
    const next = words[index + 1] ?? '';
    if (WAYS.has(word) || PLACES.has(word) || DAYS.has(word) || DATE.test(word)) return true;
    if (PAIRS.has(`${word} ${next}`)) return true;
    // `dia 5`, `há 3 dias`, `faz 2 semanas`
    return (word === 'dia' || word === 'ha' || word === 'faz') && NUMBER.test(next);
  });
}
