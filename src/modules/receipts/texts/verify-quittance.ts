import { VERIFY_TEXTS } from './verify.ts';

/** The words of the public page that confirms an annual quittance. */
export const VERIFY_QUITTANCE_TEXTS = {
  heading: 'Verificação da Declaração de Quitação Anual',
  title: (revoked: boolean, protocol: string) => `Declaração ${revoked ? 'revogada' : 'autêntica'} · ${protocol}`,
  /** The first part is emphasised. */
  authentic: (year: number) =>
    [
      'Declaração autêntica.',
      ` Ela foi emitida pelo credor abaixo, e as faturas com vencimento em ${year} estão pagas.`,
    ] as const,
  fields: {
    year: 'Ano de referência',
    bills: 'Faturas pagas',
    total: 'Valor recebido',
    excepted: 'Faturas de anos anteriores em aberto, que ela não abrange',
    issuedAt: 'Declaração emitida em',
  },
  provesNoMore: (year: number) => `a quitação do ano de ${year}`,
  download: 'Baixar a declaração em PDF',
  compare: VERIFY_TEXTS.compare,
  erased:
    'Os dados do devedor foram apagados a pedido dele, e o prazo legal de guarda terminou. Por isso o PDF não está mais disponível aqui. Confira se o protocolo, o ano e o valor desta página são os do documento que você guardou.',
} as const;
