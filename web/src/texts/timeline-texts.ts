import { formatCount, formatDate, formatMoney, formatPlainDate } from '../format.ts';
import { ACCEPTED_BY, STOPPED_BECAUSE, times } from './agreement-words.ts';
import { METHOD_PHRASES } from './server-names.ts';
import { DEBT_STATUS, type DebtStatus, whyNot, wordOf } from './words.ts';

const HIDDEN_TEXT = 'Texto apagado a pedido da pessoa';

const FIELD: Readonly<Record<string, string>> = {
  debtorPhone: 'Telefone em uso',
  debtorEmail: 'E-mail em uso',
  dueDate: 'Vencimento',
  originalAmount: 'Valor',
};

const FIELD_REASON: Readonly<Record<string, string>> = {
  corrected: 'corrigido por você',
  wrong_person: 'trocado, porque o anterior é de outra pessoa',
  /** No other phone or address is known. */
  given_up: 'não é mais usado, porque é de outra pessoa',
  undeliverable: 'trocado, porque o anterior não recebe mensagens',
  unreachable: 'trocado, porque o anterior não recebe mensagens',
};

const NEEDS: Readonly<Record<string, string>> = {
  not_understood: 'O assistente não entendeu uma mensagem. Leia a conversa.',
  end_forgotten: 'O serviço foi restaurado de uma cópia e já não sabe como esta dívida terminou. Confira e decida.',
  conversation_forgotten: 'O serviço foi restaurado de uma cópia e parte da conversa se perdeu. Confira e decida.',
};

const MAIL: Readonly<Record<string, string>> = {
  sent: 'enviado',
  unknown: 'de entrega incerta',
  failed: 'não entregue',
};

const PAYMENT_PROBLEM: Readonly<Record<string, string>> = {
  provider_unauthorized: 'O provedor de pagamentos recusa a conta da sua empresa. Confira a conexão em Conta.',
  provider_unavailable: 'O provedor de pagamentos não respondeu. O Quita tenta de novo sozinho.',
  charge_refused: 'O provedor de pagamentos recusou criar o código. Confira valor, vencimento e CPF.',
  unknown_to_provider: 'O provedor de pagamentos não conhece este código.',
  reference_mismatch: 'O provedor informou um pagamento de outra cobrança. Confira com ele.',
  currency_mismatch: 'O provedor informou outra moeda. Confira com ele.',
  amount_mismatch: 'O provedor informou outro valor de cobrança. Confira com ele.',
  paid_amount_missing: 'O provedor não informou o valor pago. Confira com ele.',
};

const ATTACHMENT_KIND: Readonly<Record<string, string>> = {
  image: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  document: 'Documento',
  location: 'Localização',
  contact: 'Contato',
  other: 'Arquivo de tipo desconhecido',
};

const size = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

const MADE_BY: Readonly<Partial<Record<string, string>>> = {
  policy: 'feita pela política da empresa',
  staff: 'feita por sua equipe',
  proposal: 'responde a uma proposta da pessoa',
};

const discountText = (discount: number): string =>
  discount > 0 ? `desconto de ${formatMoney(discount)}` : 'sem desconto';

/** Who took money back that the company did not ask to give back here. */
const TAKEN_BY: Readonly<Record<string, string>> = {
  med_fraude: 'Devolvido pelo banco por suspeita de fraude (MED)',
  med_operacional: 'Devolvido pelo banco por falha operacional (MED)',
  med_pix_automatico: 'Devolvido pelo banco por Pix Automático (MED)',
  refund: 'Devolvido pelo painel do provedor',
};

export const TIMELINE = {
  label: 'Histórico, do mais antigo ao mais recente',
  zone: (place: string) => `Horário de ${place}, o da pessoa`,
  simulatedClock: 'Relógio do simulador',
  debtor: 'Pessoa',
  agent: 'Assistente',
  staff: 'Sua equipe',
  erased: HIDDEN_TEXT,
  noText: 'Mensagem sem texto',
  cutFrom: (length: number) => `A mensagem tinha ${formatCount(length)} caracteres; o início está aqui.`,
  understood: (intent: string) => `entendido como: ${intent}`,
  purpose: {
    receipt: 'recibo',
    opt_out_confirmation: 'confirmação do pedido de silêncio',
    collection: 'cobrança',
    reminder: 'lembrete antes do vencimento',
    agreement: 'aviso do acordo',
    reply: 'resposta',
  } as Readonly<Record<string, string>>,
  allowed: (rules: number) => (rules === 1 ? 'Permitido, 1 regra' : `Permitido, ${formatCount(rules)} regras`),
  blocked: (rules: readonly string[]) => `Não permitido: ${rules.map(whyNot).join(', ')}`,
  blockedPlain: 'Não permitido',
  notBefore: (moment: string) => `Permitido a partir de ${moment}`,
  ruleIds: 'Regras conferidas',
  pack: (id: string, version: string, own: number | null) =>
    `Regras “${id}”, versão ${version}${own === null ? '.' : `, com as da sua empresa, versão ${own}.`}`,
  seeRules: 'Ver as regras',
  pixCode: 'com código Pix para copiar',
  ownWording: (version: number) => `seu texto, versão ${version}`,
  refusedLater: (rules: readonly string[]) =>
    `Não foi enviada: ${rules.map(whyNot).join(', ') || 'as regras não permitiam mais'}.`,
  note: 'Anotação da sua equipe',
  download: 'Baixar',
  downloaded: 'Arquivo baixado.',
  stranger: 'Ninguém conferiu este arquivo. Abra com cuidado, como todo arquivo recebido.',
  attachmentKind: (kind: string) => ATTACHMENT_KIND[kind] ?? ATTACHMENT_KIND['other']!,
  attachmentState: {
    waiting: 'ainda não chegou',
    absent: 'o canal não entregou o conteúdo',
  } as Readonly<Record<string, string>>,
  bytes: (bytes: number) =>
    bytes < 1_000
      ? `${bytes} bytes`
      : bytes < 1_000_000
        ? `${size.format(bytes / 1_000)} kB`
        : `${size.format(bytes / 1_000_000)} MB`,
  imported: 'Importada',
  scored: (score: number | null) => (score === null ? 'Avaliada' : `Avaliada: ${score} pontos`),
  chargeCreated: 'Código Pix criado',
  status: (to: string) => `Situação: ${DEBT_STATUS[to as DebtStatus]?.label ?? to}`,
  decidedBy: (to: string, caller: string) => {
    const who = caller === 'api_key' ? 'um programa da empresa, com a chave de API' : 'sua equipe, no console';
    return `${to === 'STOPPED' ? 'Quem encerrou' : 'Quem retomou'}: ${who}`;
  },
  reason: (text: string) => `Motivo: ${text}`,
  changed: (field: string, reason: string) => `${wordOf(FIELD, field)}: ${FIELD_REASON[reason] ?? 'alterado'}`,
  fromTo: (from: string, to: string) => `De ${from} para ${to}`,
  money: formatMoney,
  date: formatPlainDate,
  paid: (amount: number) => `Pagou ${formatMoney(amount)}`,
  paidBy: (method: string) => `Recebido por fora, ${wordOf(METHOD_PHRASES, method)}`,
  overpaid: (amount: number) => `${formatMoney(amount)} a mais que a dívida`,
  paidTwice: (amount: number) => `Pagou mais uma vez: ${formatMoney(amount)}`,
  covers: 'Este pagamento vale, porque o anterior foi devolvido.',
  giveBack: 'Devolva este valor no seu provedor de pagamentos.',
  underpaid: (amount: number | null, expected: number | null) =>
    amount === null || expected === null
      ? 'Pagou menos que a dívida'
      : `Pagou ${formatMoney(amount)} de ${formatMoney(expected)}`,
  refunded: (amount: number | null) =>
    amount === null ? 'Pagamento devolvido' : `Devolvido à pessoa: ${formatMoney(amount)}`,
  takenBack: (kind: string, amount: number | null) =>
    `${TAKEN_BY[kind] ?? 'O banco devolveu dinheiro deste pagamento'}${amount === null ? '' : `: ${formatMoney(amount)} ao todo`}`,
  contestUntil: (moment: string) => `Você pode contestar no seu banco até ${formatDate(moment)}.`,
  refundAsked: (amount: number | null) =>
    amount === null ? 'Devolução pedida' : `Devolução pedida: ${formatMoney(amount)}`,
  refundFailed: (amount: number | null) =>
    amount === null ? 'A devolução não saiu' : `A devolução de ${formatMoney(amount)} não saiu`,
  refundFailedMore: 'O dinheiro continua com você. Veja o motivo em Pagamentos; dá para pedir de novo.',
  chargedBack: 'O banco retirou o pagamento',
  chargeBackReversed: 'O banco devolveu o pagamento retirado',
  undone: (amount: number | null) =>
    amount === null ? 'Pagamento desfeito' : `Pagamento desfeito: ${formatMoney(amount)}`,
  undoneMore: 'Tinha sido lançado por engano nesta dívida. O recibo dele foi revogado.',
  paymentProblem: 'Há um problema com o código de pagamento',
  problem: (code: string) => PAYMENT_PROBLEM[code] ?? code,
  receipt: (protocol: string) => `Termo de quitação ${protocol}`,
  receiptOfInstalment: (protocol: string) => `Recibo de parcela ${protocol}`,
  receiptOfPart: (protocol: string) => `Recibo de pagamento parcial ${protocol}`,
  offer: (number: number, total: number, instalments: number) =>
    `Oferta ${number}: ${formatMoney(total)} ${times(instalments)}`,
  offerMore: (discount: number, validUntil: string, madeBy: string) =>
    [discountText(discount), `vale até ${formatPlainDate(validUntil)}`, MADE_BY[madeBy] ?? madeBy].join(' · '),
  agreed: (total: number, instalments: number) => `Acordo aceito: ${formatMoney(total)} ${times(instalments)}`,
  agreedMore: (protocol: string, discount: number, acceptedBy: string) =>
    [`Termo ${protocol}`, discountText(discount), ACCEPTED_BY[acceptedBy] ?? acceptedBy].join(' · '),
  instalmentPaid: (instalment: number | null, amount: number) =>
    instalment === null
      ? `Pago no acordo: ${formatMoney(amount)}`
      : `Parcela ${instalment} paga: ${formatMoney(amount)}`,
  instalmentPaidMore: 'Veio por outro código; paga as parcelas seguintes, em ordem.',
  agreementMoved: (instalment: number) => `Parcela ${instalment} do acordo mudou de data, a pedido da pessoa`,
  agreementStopped: 'O acordo espera você',
  agreementStoppedMore: (because: string) =>
    `Porque ${STOPPED_BECAUSE[because] ?? because}. Nenhum aviso sai até você retomar.`,
  agreementResumed: 'Acordo retomado: os avisos das parcelas continuam',
  agreementReopened: 'Acordo aberto de novo',
  agreementReopenedMore: 'O pagamento que o tinha completado foi desfeito.',
  agreementCancelled: 'Acordo cancelado',
  agreementCancelledMore: 'Voltam o valor e as datas originais, menos o que foi pago.',
  agreementBroken: 'Acordo quebrado por falta de pagamento',
  agreementBrokenMore: (paid: number, after: string) =>
    `${formatMoney(paid)} pagos · ${
      after === 'keep' ? 'continua valendo o que falta do combinado' : 'voltam o valor e as datas originais'
    }`,
  agreementCompleted: (paid: number) => `Acordo cumprido: ${formatMoney(paid)} pagos`,
  listed: (bureau: string, day: string) => `Negativada no ${bureau} em ${day}`,
  listedNotice: (day: string) => `Aviso prévio à pessoa em ${day}`,
  listingRemoved: (bureau: string, day: string) => `Baixa da negativação no ${bureau} em ${day}`,
  mail: (delivery: string) => `Termo de quitação por e-mail: ${MAIL[delivery] ?? delivery}`,
  needs: (reason: string) => NEEDS[reason] ?? 'Esta dívida precisa de uma decisão sua.',
  other: (kind: string) => `Outro acontecimento (${kind})`,
  empty: 'Ainda não aconteceu nada com esta dívida.',
} as const;
