/** What the public page says of an agreement. `in_force`: something of it is late. */
export type AgreementSituation = 'on_time' | 'in_force' | 'kept' | 'ended';

/** The words of the public page that confirms a Termo de Acordo. */
export const VERIFY_AGREEMENT_TEXTS = {
  heading: 'Verificação do Termo de Acordo',
  title: (protocol: string) => `Acordo autêntico · ${protocol}`,
  /** The first part is emphasised. */
  authentic: ['Termo de Acordo autêntico.', ' O credor abaixo e o devedor fizeram este acordo.'],
  situations: {
    on_time: 'Em dia',
    in_force: 'Em vigor',
    kept: 'Cumprido',
    ended: 'Encerrado',
  } satisfies Readonly<Record<AgreementSituation, string>>,
  notes: {
    on_time: 'Ele está valendo, e o que já venceu está pago.',
    in_force: 'Ele está valendo.',
    kept: 'Tudo o que foi combinado está pago. Cada dívida tem o seu Termo de Quitação.',
    ended: 'Ele terminou antes de ser cumprido. O que foi pago por ele continua valendo como pagamento.',
  } satisfies Readonly<Record<AgreementSituation, string>>,
  fields: {
    situation: 'Situação',
    total: 'Valor do acordo',
    instalments: 'Parcelas',
    acceptedAt: 'Aceito em',
  },
  single: 'Pagamento único',
  download: 'Baixar o termo em PDF',
  compare:
    'Confira se o protocolo, o valor e a data desta página são os mesmos do documento que você recebeu. Dados do devedor aparecem só em parte, para proteger a privacidade dele.',
  erased:
    'Os dados do devedor foram apagados a pedido dele. Por isso o PDF não está mais disponível aqui. Confira se o protocolo, o valor e a data desta página são os do documento que você guardou.',
} as const;
