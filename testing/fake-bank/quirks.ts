/** What the banks do differently, as the profiles of the adapter expect it. */
export interface Quirks {
  readonly client: 'basic' | 'form';
  readonly tokenBody: 'json' | 'form';
  readonly wantsScope: boolean;
  /** `grant_type` stands in the address, and the answer names the client that the token is for. */
  readonly grantInQuery: boolean;
  /** Without it in the query every call is refused. */
  readonly keyInQuery: string | null;
  readonly putStatus: 200 | 201;
  readonly patchStatus: 200 | 201;
  readonly codeField: 'pixCopiaECola' | 'textoImagemQRcode';
  /** What a PUT of a txid that exists does: refuse it, refuse a changed one, or revise the charge as the standard says. */
  readonly repeatedPut: 'refuse' | 'refuse_changed' | 'revise';
  readonly maxWindowDays: number;
  /** How a refusal is written. */
  readonly problem: (status: number, type: string, property: string | null) => unknown;
  readonly masksPayer: boolean;
  readonly bareNotification: boolean;
  /** A notification address is refused without the header that skips the check of mTLS. */
  readonly wantsSkipHeader: boolean;
}

const standard = (status: number, type: string, property: string | null) => ({
  type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
  title: 'A requisição foi recusada',
  status,
  // A bank repeats what it was sent, and nothing of it may reach a log.
  detail: 'O CPF 52998224725 foi recusado',
  ...(property === null ? {} : { violacoes: [{ razao: 'recusado', propriedade: property, valor: '52998224725' }] }),
});

const EFI_NAMES: Readonly<Record<string, string>> = {
  CobNaoEncontrado: 'cobranca_nao_encontrada',
  CobVNaoEncontrada: 'cobranca_nao_encontrada',
  PixDevolucaoNaoEncontrada: 'devolucao_nao_encontrada',
  PixNaoEncontrado: 'pix_nao_encontrado',
  WebhookNaoEncontrado: 'webhook_nao_encontrado',
  WebhookConsultaInvalida: 'chave_invalida',
  TxidEmUso: 'txid_duplicado',
};

export const QUIRKS = {
  efi: {
    client: 'basic',
    tokenBody: 'json',
    wantsScope: false,
    grantInQuery: false,
    keyInQuery: null,
    putStatus: 201,
    patchStatus: 200,
    codeField: 'pixCopiaECola',
    repeatedPut: 'refuse',
    maxWindowDays: 30,
    problem: (_status, type) => ({
      nome: EFI_NAMES[type] ?? 'valor_invalido',
      mensagem: 'O CPF 52998224725 foi recusado',
    }),
    masksPayer: false,
    bareNotification: false,
    wantsSkipHeader: true,
  },
  bb: {
    client: 'basic',
    tokenBody: 'form',
    wantsScope: true,
    grantInQuery: false,
    keyInQuery: 'gw-dev-app-key',
    putStatus: 200,
    patchStatus: 201,
    codeField: 'textoImagemQRcode',
    repeatedPut: 'refuse_changed',
    maxWindowDays: 4,
    problem: (status, type) => ({
      erros: [{ codigo: `${status}.${type}`, mensagem: 'O CPF 52998224725 foi recusado' }],
    }),
    masksPayer: false,
    bareNotification: false,
    wantsSkipHeader: false,
  },
  inter: {
    client: 'form',
    tokenBody: 'form',
    wantsScope: true,
    grantInQuery: false,
    keyInQuery: null,
    putStatus: 201,
    patchStatus: 200,
    codeField: 'pixCopiaECola',
    repeatedPut: 'revise',
    maxWindowDays: 30,
    problem: standard,
    masksPayer: true,
    bareNotification: true,
    wantsSkipHeader: false,
  },
  santander: {
    client: 'form',
    tokenBody: 'form',
    wantsScope: false,
    grantInQuery: true,
    keyInQuery: null,
    putStatus: 201,
    patchStatus: 200,
    codeField: 'pixCopiaECola',
    repeatedPut: 'refuse',
    maxWindowDays: 30,
    problem: standard,
    masksPayer: false,
    bareNotification: false,
    wantsSkipHeader: false,
  },
} as const satisfies Readonly<Record<string, Quirks>>;

export type PlayedBank = keyof typeof QUIRKS;
export const PLAYED_BANKS = Object.keys(QUIRKS) as PlayedBank[];
