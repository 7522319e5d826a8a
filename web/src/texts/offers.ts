import type { OffersPolicy } from '../api/client.ts';
import { formatMoney, formatPlainDate } from '../format.ts';
import { fieldText } from './problem-texts.ts';

/** The amounts of an example in a message of the service: of the first, an entry of the second leaves the third. */
function neverOffered(message: string): string {
  const [of, entry, rest] = message.replaceAll('\u00a0', ' ').match(/R\$ [\d.]{1,14},\d{2}/g) ?? [];
  const example =
    rest === undefined ? '' : ` Por exemplo, de ${of} uma entrada de ${entry} deixa ${rest} para a segunda parcela.`;
  return `Nenhuma dívida chegaria a ter parcelas.${example} Diminua a entrada mínima ou a menor parcela, aumente o limite acima do qual uma pessoa decide, ou ofereça só 1 parcela.`;
}

/** What is wrong with the policy, where the code alone does not say it. */
function problemAt({
  pointer = '',
  code,
  message,
}: {
  readonly pointer?: string;
  readonly code: string;
  readonly message: string;
}): string {
  if (code === 'never_offered') return neverOffered(message);
  if (code !== 'invalid_value') return fieldText(code);
  if (pointer.endsWith('/fromDays')) return 'Esta faixa repete dias de outra.';
  if (pointer.endsWith('/toDays')) return 'A faixa termina antes de começar.';
  if (pointer.endsWith('Percent'))
    return 'De 0 a 100, com no máximo duas casas. Um desconto de tudo não deixa o que combinar.';
  if (pointer === '/minInstalment') return 'Ao menos R$ 1,00. Exemplo: 50,00.';
  if (pointer === '/personAbove') return 'O valor não confere. Exemplo: 5.000,00.';
  return fieldText(code);
}

/** Words of the page of what a company offers to its debtors. */
export const OFFERS = {
  title: 'Ofertas de acordo',
  lead: 'O que o Quita pode oferecer sozinho a quem quer negociar. Sem uma política, ele não oferece nada e passa a conversa para a sua equipe.',
  none: 'Nenhuma política salva: hoje nada é oferecido. Abaixo há um ponto de partida; nada vale até você salvar.',
  saved: 'Política salva. Ela vale para as próximas ofertas.',
  policy: 'Política',
  policyLead: 'As ofertas já feitas continuam como foram feitas, até o último dia delas. Acordos aceitos não mudam.',

  bands: 'Desconto pelo atraso',
  bandsLead:
    'O maior desconto conforme os dias de atraso; fora das faixas não há desconto. À vista vai até o máximo da faixa; em 2 ou 3 parcelas, até a metade; em mais, não há.',
  band: (number: number) => `Faixa ${number}`,
  fromDays: 'De (dias de atraso)',
  toDays: 'Até (dias)',
  toDaysEmpty: '(vazio: sem fim)',
  maxDiscount: 'Desconto máximo (%)',
  addBand: 'Adicionar faixa',
  removeBand: 'Remover faixa',
  bandRemoved: (number: number) => `Faixa ${number} removida.`,
  discountOn: 'O desconto vale sobre',
  discountOns: [
    { value: 'charges', label: 'Só multa, juros e correção' },
    { value: 'all', label: 'Tudo, também o valor da dívida' },
  ] satisfies readonly { value: OffersPolicy['discountOn']; label: string }[],

  instalments: 'Parcelas',
  minEntry: 'Entrada mínima (%)',
  minEntryHint: '0 para parcelas iguais, sem entrada.',
  minInstalment: 'Menor parcela (R$)',
  maxInstalments: 'Máximo de parcelas',
  maxInstalmentsHint: 'De 1 a 60; a entrada conta como uma. Com 1, só à vista.',
  maxDaysToFirst: 'Dias até o primeiro pagamento',
  maxDaysToFirstHint: 'De 0 a 90, contados do dia da oferta.',

  talk: 'Conversa',
  holdDays: 'Uma oferta vale por (dias)',
  holdDaysHint: 'De 0 a 90. Depois, a pessoa recebe outras.',
  maxOffers: 'Propostas respondidas sem a sua equipe',
  maxOffersHint: 'Quando a pessoa diz quanto pode pagar. Depois de tantas, o caso vai para o Atendimento.',
  personAbove: 'Acima deste total, uma pessoa decide (R$)',
  personAboveHint: 'O que a pessoa deve à empresa, tudo junto. Vazio: sem limite.',
  graceMoves: 'Vezes que a pessoa pode mudar uma data',
  graceMovesHint: 'De 0 a 3, em até 10 dias cada uma.',

  breach: 'Se uma parcela não for paga',
  afterDays: 'O acordo quebra depois de (dias de atraso)',
  afterDaysHint: 'De 5 a 60. Antes a pessoa recebe um aviso, e três dias úteis para pagar.',
  whatFollows: 'E então',
  followings: [
    { value: 'restore', label: 'Voltam o valor e as datas originais' },
    { value: 'keep', label: 'Continua valendo o que falta do combinado' },
  ] satisfies readonly { value: OffersPolicy['breach']['then']; label: string }[],
  whatFollowsHint: 'Nos dois casos, o que a pessoa já pagou é abatido.',

  save: 'Salvar a política',
  problemAt,

  example: 'Exemplo',
  exampleLead: 'O que seria oferecido hoje. Muda enquanto você digita. Nada é salvo.',
  amount: 'Valor da dívida (R$)',
  daysLate: 'Dias de atraso',
  exampleWaits: 'Complete ou corrija os campos para ver o exemplo.',
  examplePerson: 'Nada é oferecido sem a sua equipe: o total passa do limite, ou o desconto não deixa o que combinar.',
  noCharges: 'A sua empresa não cobra encargos desta dívida, e por isso um desconto só sobre eles não muda nada.',
  toCharges: 'Ver os encargos',
  owed: (owed: number, charges: number) =>
    charges === 0
      ? `Deve hoje ${formatMoney(owed)}, sem encargos.`
      : `Deve hoje ${formatMoney(owed)}, com ${formatMoney(charges)} de encargos.`,
  offer: (number: number, total: number) => `${number}. ${formatMoney(total)}`,
  discount: (amount: number) => (amount > 0 ? `desconto de ${formatMoney(amount)}` : 'sem desconto'),
  until: (day: string) => `aceitar até ${formatPlainDate(day)}`,

  remove: 'Remover a política',
  removeText:
    'O Quita não oferece mais nada sozinho, e quem quiser negociar espera a sua equipe. As ofertas que já foram feitas e ninguém aceitou terminam agora.',
  removeKeeps: 'Os acordos aceitos continuam como estão.',
  removed: 'Política removida. Nada mais é oferecido.',
} as const;
