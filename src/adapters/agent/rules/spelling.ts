import { normalizePortuguese } from '../../../domain/portuguese-text.ts';

/** Words on which a rule turns; what is one slip away from exactly one of them, and no word itself, becomes it. */
const KEY_WORDS = [
  'numero',
  'mensagem',
  'mensagens',
  'receber',
  'perturbar',
  'incomodar',
  'bloqueado',
  'contato',
  'whatsapp',
  'telefone',
  'celular',
  'cadastro',
  'reconheco',
  'cobranca',
  'processar',
  'advogado',
  'justica',
  'indevida',
  'contratei',
  'desconto',
  'parcelar',
  'parcelamento',
  'negociar',
  'renegociar',
  'proposta',
  'atendente',
  'atendimento',
  'gerente',
  'responsavel',
  'desempregado',
  'desempregada',
  'emprego',
  'dinheiro',
  'condicoes',
  'condicao',
  'hospital',
  'dificuldade',
  'trabalho',
  'pagamento',
  'comprovante',
  'deposito',
  'faleceu',
  'vencimento',
  'transferencia',
  'descadastrar',
  'segunda',
  'semana',
] as const;

/** Common words that are one slip away from a key word and mean themselves. */
const THEMSELVES = new Set(
  'numeros recebe recebo receberei recebera recebem recebeu recebi perturba perturbam incomoda incomodam contatos contata contate contrato conta conte contado cobrancas processa processo processei processado advogada advogados justica justo devida devido indevido contratar contrate contrata descontos desconta descontou parcela parcelas parcelado parcelada negocia negocio negocie renegocia propostas atende atendentes gerentes empregos emprega empresa empresta trabalha trabalhos pagamentos depositou depositar depositei falece falecer segundo seguida semanas celulares telefones cadastros cadastra cadastre'.split(
    ' ',
  ),
);

const isOneSlip = (word: string, key: string): boolean => {
  const difference = word.length - key.length;
  if (difference > 1 || difference < -1) return false;
  let start = 0;
  while (start < word.length && word[start] === key[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, key.length) - start && word[word.length - 1 - end] === key[key.length - 1 - end])
    end += 1;
  const left = word.slice(start, word.length - end);
  const right = key.slice(start, key.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
};

const KEYS = new Set<string>(KEY_WORDS);

const correct = (word: string): string => {
  if (word.length < 5 || KEYS.has(word) || THEMSELVES.has(word) || /\d/.test(word)) return word;
  const near = KEY_WORDS.filter((key) => isOneSlip(word, key));
  return near.length === 1 ? near[0]! : word;
};

/** What every rule and the classifier read. */
export const readable = (text: string): string => normalizePortuguese(text).split(' ').map(correct).join(' ');
