import type { PaymentAccount } from '../api/client.ts';

const BANKS = {
  efi: 'Efí',
  bb: 'Banco do Brasil',
  itau: 'Itaú',
  sicoob: 'Sicoob',
  inter: 'Inter',
  santander: 'Santander',
  bradesco: 'Bradesco',
  custom: 'Outro banco',
} as const;
export type Bank = keyof typeof BANKS;
export const BANK_OPTIONS = Object.entries(BANKS).map(([value, label]) => ({ value: value as Bank, label }));

/** What to create at each bank before the account can be connected. */
const HELP: Readonly<Record<Bank, string>> = {
  efi: 'No painel da Efí, em API > Aplicações, crie uma aplicação com os escopos de cob, cobv, pix e webhook. Em API > Meus certificados, crie um certificado de produção: é um arquivo .p12 sem senha.',
  bb: 'No portal developers.bb.com.br, crie uma aplicação com a API Pix e envie para produção. O certificado é o da sua empresa (ICP-Brasil, A1).',
  itau: 'No portal devportal.itau.com.br, peça a credencial da API Pix Recebimentos. O banco assina o seu certificado, que vale um ano.',
  sicoob:
    'No portal developers.sicoob.com.br, crie um aplicativo com a API Pix e envie o certificado A1 da empresa. O Sicoob não usa segredo: deixe esse campo em branco.',
  inter:
    'No Internet Banking do Inter, em Conta Digital > Aplicações, crie uma aplicação com a API Pix e baixe o certificado (.crt) e a chave (.key). Eles valem um ano.',
  santander:
    'No portal developer.santander.com.br, crie uma aplicação com a API Pix e envie o certificado A1 da empresa.',
  bradesco: 'Peça ao seu gerente o acesso à API Pix. O certificado é o da empresa, com o CNPJ.',
  custom:
    'Serve para qualquer banco que ofereça a API Pix do Banco Central. Peça ao banco os dois endereços e o certificado.',
};

const REASON: Readonly<Record<string, string>> = {
  credentials_refused: 'O banco recusou as credenciais. Conecte a conta de novo.',
  unavailable: 'O banco não está respondendo. Tentamos de novo sozinhos.',
  certificate_expired: 'O certificado venceu. Conecte a conta de novo, com o certificado novo.',
  notifications_elsewhere:
    'O banco avisa outro sistema dos pagamentos desta chave. Eles são lidos de tempos em tempos; para recebê-los na hora, conecte a conta de novo.',
};

export const PAYMENT_ACCOUNTS = {
  title: 'Contas de recebimento',
  lead: 'O dinheiro vai direto para a conta da sua empresa. A conta ligada por último faz as novas cobranças; as outras ficam até que as cobranças delas terminem.',
  sandbox: 'Os pagamentos são simulados nesta instalação.',
  none: 'Nenhuma conta ligada. Sem ela não dá para lançar uma campanha real.',
  account: 'Conta',
  state: 'Situação',
  states: { ready: 'Ligada', failing: 'Com problema', replaced: 'Substituída' } satisfies Record<
    PaymentAccount['state'],
    string
  >,
  certificate: 'Certificado até',
  open: 'Cobranças abertas',
  reasonOf: (reason: string): string => REASON[reason] ?? 'Há um problema com esta conta.',
  bankOf: (profile: string | null): string =>
    profile === null ? 'Mercado Pago' : ((BANKS as Readonly<Record<string, string>>)[profile] ?? profile),
  connect: 'Ligar conta',
  connected: 'Conta ligada.',
  where: 'Onde',
  help: (bank: Bank): string => HELP[bank],
  mercadopago: 'Mercado Pago',
  mercadopagoHelp:
    'No painel de desenvolvedores do Mercado Pago, em Suas integrações, crie uma aplicação e copie o access token de produção e a assinatura secreta dos webhooks.',
  accessToken: 'Access token',
  webhookSecret: 'Assinatura secreta dos webhooks',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  extras: {
    bb: { name: 'developerKey', label: 'Chave do aplicativo (gw-dev-app-key)', required: true },
    inter: { name: 'accountNumber', label: 'Conta corrente, só números, se houver mais de uma', required: false },
  },
  key: 'Chave Pix que recebe',
  keyHint: 'Como está no banco: CNPJ, e-mail, telefone com +55 ou chave aleatória.',
  certificateKind: 'Certificado',
  certificateKinds: {
    pkcs12: 'Um arquivo (.p12 ou .pfx)',
    pem: 'Dois arquivos (.crt e .key)',
    none: 'O banco não pede',
  },
  pkcs12: 'Arquivo .p12 ou .pfx',
  pem: 'Certificado (.crt ou .pem)',
  privateKey: 'Chave (.key)',
  passphrase: 'Senha do arquivo',
  baseUrl: 'Endereço da API',
  tokenUrl: 'Endereço do token',
  ca: 'Autoridade certificadora do banco (.pem)',
  secrets: 'As credenciais são guardadas cifradas e não aparecem mais em lugar nenhum.',
} as const;
