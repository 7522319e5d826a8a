import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';

/** The words of the public page that confirms a receipt. Its layout is `src/modules/receipts/routes/pages/verify.ts`. */
export const VERIFY_TEXTS = {
  settlement: {
    name: 'Termo',
    heading: 'Verificação do Termo de Quitação',
    /** The first part is emphasised. */
    authentic: ['Termo autêntico.', ' Ele foi emitido pelo credor abaixo e a dívida está quitada.'],
    provesNoMore: 'a quitação da dívida',
    validAgain: 'a dívida voltou a estar paga e o termo vale de novo',
    issuedAt: 'Termo emitido em',
    download: 'Baixar o termo em PDF',
  },
  part: {
    name: 'Recibo',
    heading: 'Verificação do recibo de pagamento parcial',
    authentic: [
      'Recibo autêntico de pagamento parcial.',
      ' Ele foi emitido pelo credor abaixo e comprova só este pagamento: não dá quitação do restante da dívida.',
    ],
    provesNoMore: 'o pagamento',
    validAgain: 'o valor voltou ao credor e o recibo vale de novo',
    issuedAt: 'Recibo emitido em',
    download: 'Baixar o recibo em PDF',
  },

  instalment: {
    name: 'Recibo',
    heading: 'Verificação do recibo de pagamento de acordo',
    authentic: [
      'Recibo autêntico de pagamento de acordo.',
      ' Ele foi emitido pelo credor abaixo e comprova só este pagamento: não dá quitação do restante do acordo.',
    ],
    provesNoMore: 'o pagamento',
    validAgain: 'o valor voltou ao credor e o recibo vale de novo',
    issuedAt: 'Recibo emitido em',
    download: 'Baixar o recibo em PDF',
  },

  title: (name: string, revoked: boolean, protocol: string) =>
    `${name} ${revoked ? 'revogado' : 'autêntico'} · ${protocol}`,
  /** The first part is emphasised. */
  revoked: (name: string, date: string, because: RevokedReason | null, provesNoMore: string) =>
    [
      `${name} revogado em ${date}${byReturn(because)}`,
      `${why(because)}. Ele foi emitido pelo credor abaixo, mas não comprova mais ${provesNoMore}.`,
    ] as const,
  revokedDeclaration: (date: string, because: RevokedReason | null, provesNoMore: string) =>
    [
      `Declaração revogada em ${date}${byReturn(because)}`,
      `${why(because)}. Ela foi emitida pelo credor abaixo, mas não comprova mais ${provesNoMore}.`,
    ] as const,

  /** A receipt that was revoked and is valid again says when each happened. */
  restored: (revokedOn: string, because: RevokedReason | null, restoredOn: string, validAgain: string) =>
    `Revogado em ${revokedOn}${because === null ? '' : `, porque ${BECAUSE[because]}`}. Restabelecido em ${restoredOn}: ${validAgain}.`,

  fields: {
    protocol: 'Protocolo',
    creditor: 'Credor',
    cnpj: 'CNPJ do credor',
    debtor: 'Devedor',
    debtorErased: 'dados apagados',
    debtorUnnamed: 'não informado',
    amount: 'Valor pago',
    paidAt: 'Pago em',
    dueDate: 'Vencimento da dívida',
    sha256: 'SHA-256 do arquivo',
  },
  moment: ({ date, time, offset }: { readonly date: string; readonly time: string; readonly offset: string }) =>
    `${date}, às ${time} (${offset})`,

  rights: 'O pagamento é seu?',
  compare:
    'Confira se o protocolo, o valor e a data desta página são os mesmos do documento que você recebeu. Dados do devedor aparecem só em parte, para proteger a privacidade dele.',
  shortened: (date: string) =>
    `O registro deste documento foi reduzido em ${date}: o prazo legal de guarda terminou e os dados do devedor foram apagados a pedido dele. Por isso o PDF não está mais disponível aqui. Confira se o protocolo, o valor, a data e o SHA-256 desta página são os do documento que você guardou.`,
} as const;

const byReturn = (because: RevokedReason | null): string =>
  because === 'refund' || because === 'chargeback' ? ' por devolução' : '';
const why = (because: RevokedReason | null): string => (because === null ? '' : `, porque ${BECAUSE[because]}`);

const BECAUSE: Readonly<Record<RevokedReason, string>> = {
  refund: 'o dinheiro voltou, no todo ou em parte, a quem pagou',
  chargeback: 'o pagamento foi contestado e o valor retirado da conta do credor',
  undone: 'o credor corrigiu o registro: o pagamento foi lançado por engano nesta dívida',
};
