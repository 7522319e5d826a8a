import type { PixProfileName } from '../../rules/pix-profiles.ts';
import type { PixProfile } from './profile.ts';

const SCOPES = 'cob.read cob.write cobv.read cobv.write pix.read pix.write webhook.read webhook.write';

/** What most banks do. Dates are sent in UTC without milliseconds, which every bank takes. */
const USUAL = {
  token: { client: 'basic', body: 'form', grantInQuery: false, scope: null, namesClient: false },
  certificate: 'required',
  headers: {},
  query: {},
  webhookHeaders: {},
  extras: [],
  codeFields: ['pixCopiaECola', 'textoImagemQRcode', 'brcode'],
  errorShapes: ['problem'],
  received: { maxWindowDays: 30, pageSize: 100 },
  cobv: true,
  notifiesBy: 'unknown',
  callsPerMinute: {},
} as const satisfies Partial<PixProfile>;

/**
 * Two banks document two addresses for tokens, and banks change habits: so all of it is data. "Verified" means that a
 * document of the bank, or code that is in use with it, was read; no live call was made to any bank.
 */
export const PIX_PROFILES: Readonly<Record<PixProfileName, PixProfile>> = {
  efi: {
    ...USUAL,
    title: 'Efí',
    production: {
      baseUrl: 'https://pix.api.efipay.com.br/v2',
      tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    },
    sandbox: {
      baseUrl: 'https://pix-h.api.efipay.com.br/v2',
      tokenUrl: 'https://pix-h.api.efipay.com.br/oauth/token',
    },
    token: { ...USUAL.token, body: 'json' },
    headers: { 'x-partner-token': { from: 'extra', name: 'partnerToken' } },
    // Without it the bank refuses the address unless the server asks it for its certificate at once.
    webhookHeaders: { 'x-skip-mtls-checking': 'true' },
    extras: [{ name: 'partnerToken', title: 'Partner token (só para parceiros)', required: false }],
    errorShapes: ['problem', 'nome'],
    notifiesBy: 'address_only',
    verified: [
      'Addresses, Basic with a JSON body, the certificate for tokens too, and the shape of errors: code of ACBr.',
      'A repeated txid is answered 409 `txid_duplicado`: reports of its users.',
      'The header that skips the check of mTLS: the bank’s own example of a server.',
    ],
    unverified: ['Limits of calls, which the bank does not publish.', 'How many days GET /pix may ask for.'],
  },
  bb: {
    ...USUAL,
    title: 'Banco do Brasil',
    production: {
      baseUrl: 'https://api-pix.bb.com.br/pix/v2',
      tokenUrl: 'https://oauth.bb.com.br/oauth/token',
    },
    sandbox: {
      baseUrl: 'https://api.hm.bb.com.br/pix/v2',
      tokenUrl: 'https://oauth.hm.bb.com.br/oauth/token',
    },
    token: { ...USUAL.token, scope: SCOPES },
    query: { 'gw-dev-app-key': { from: 'extra', name: 'developerKey' } },
    extras: [{ name: 'developerKey', title: 'Chave do aplicativo (gw-dev-app-key)', required: true }],
    codeFields: ['textoImagemQRcode', 'pixCopiaECola'],
    errorShapes: ['problem', 'erros'],
    received: { maxWindowDays: 4, pageSize: 100 },
    notifiesBy: 'mtls',
    verified: [
      'Addresses, the key in the query, PUT answered 200 and PATCH 201, `textoImagemQRcode` and the shapes of errors: code of ACBr and documents of the bank.',
      'GET /pix takes at most 4 days at once, and dates in UTC: releases of a client library.',
      'The sandbox needs no certificate, and notifications are sent there by hand.',
    ],
    unverified: ['The path of the API below the host of the sandbox.', 'The names of the scopes.'],
  },
  itau: {
    ...USUAL,
    title: 'Itaú',
    production: {
      baseUrl: 'https://secure.api.itau/pix_recebimentos/v2',
      tokenUrl: 'https://sts.itau.com.br/as/token.oauth2',
    },
    sandbox: null,
    token: { ...USUAL.token, client: 'form' },
    headers: { 'x-itau-apikey': { from: 'client_id' }, 'x-itau-correlationID': { from: 'call_id' } },
    notifiesBy: 'mtls',
    verified: [
      'The address of the API, the secret in the form and both headers: code of ACBr.',
      'A certificate made from a request of yours lasts 365 days, and a token 300 seconds: the bank’s portal.',
    ],
    unverified: [
      'The address of tokens: another document names sts.itau.com.br/api/oauth/token.',
      'The sandbox, which takes a token of the portal and is not offered here.',
    ],
  },
  sicoob: {
    ...USUAL,
    title: 'Sicoob',
    production: {
      baseUrl: 'https://api.sicoob.com.br/pix/api/v2',
      tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    },
    sandbox: null,
    token: { ...USUAL.token, client: 'id_only', scope: SCOPES },
    headers: { client_id: { from: 'client_id' } },
    codeFields: ['brcode', 'pixCopiaECola'],
    verified: ['Addresses, the client id alone with an A1 certificate, the header and `brcode`: code of ACBr.'],
    unverified: [
      'How the bank says who it is when it notifies.',
      'The names of the scopes.',
      'The sandbox, which answers made-up data to a fixed token of the portal and is not offered here.',
    ],
  },
  inter: {
    ...USUAL,
    title: 'Inter',
    production: {
      baseUrl: 'https://cdpj.partners.bancointer.com.br/pix/v2',
      tokenUrl: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    },
    sandbox: {
      baseUrl: 'https://cdpj-sandbox.partners.uatinter.co/pix/v2',
      tokenUrl: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token',
    },
    token: { ...USUAL.token, client: 'form', scope: SCOPES },
    headers: { 'x-conta-corrente': { from: 'extra', name: 'accountNumber' } },
    extras: [{ name: 'accountNumber', title: 'Conta corrente (só números), quando há mais de uma', required: false }],
    notifiesBy: 'mtls',
    callsPerMinute: { token: 5, cobv: 120, webhook: 10 },
    verified: [
      'Addresses, the secret in the form and the header: code of ACBr.',
      'Limits, and repetitions of notifications after 20, 30, 60 and 120 minutes: pages of the bank.',
      'A notification may be a bare list, and the payer in it is masked: releases of a client library.',
      'The sandbox answers from Monday to Friday, 8 to 20 o’clock.',
    ],
    unverified: ['How many days GET /pix may ask for.', 'Whether the bank takes new integrations at the moment.'],
  },
  santander: {
    ...USUAL,
    title: 'Santander',
    production: {
      baseUrl: 'https://trust-pix.santander.com.br/api/v1',
      tokenUrl: 'https://trust-pix.santander.com.br/oauth/token',
      patchBaseUrl: 'https://trust-pix.santander.com.br/api/v2',
    },
    sandbox: {
      baseUrl: 'https://trust-pix-h.santander.com.br/api/v1',
      tokenUrl: 'https://trust-pix-h.santander.com.br/oauth/token',
      patchBaseUrl: 'https://trust-pix-h.santander.com.br/api/v2',
    },
    token: { ...USUAL.token, client: 'form', grantInQuery: true, namesClient: true },
    verified: [
      'Addresses, the other base for PATCH, `grant_type` in the address, the client in the answer with a token, and dates without milliseconds: code of ACBr.',
    ],
    unverified: ['How the bank says who it is when it notifies.', 'The addresses of the sandbox below its host.'],
  },
  bradesco: {
    ...USUAL,
    title: 'Bradesco',
    production: {
      baseUrl: 'https://qrpix.bradesco.com.br/v2',
      tokenUrl: 'https://qrpix.bradesco.com.br/oauth/token',
    },
    sandbox: {
      baseUrl: 'https://qrpix-h.bradesco.com.br/v2',
      tokenUrl: 'https://qrpix-h.bradesco.com.br/oauth/token',
    },
    // Charges with a due date are a part of some contracts only, and one that is refused would block an agreement.
    cobv: false,
    notifiesBy: 'mtls',
    verified: ['Addresses, Basic with a form, and 200 in place of 201: code of ACBr.'],
    unverified: [
      'The address of tokens: another document names /auth/server/oauth/token.',
      'Which certificates the bank takes (OV or EV with the CNPJ in its name, by complaints of its users).',
    ],
  },
  custom: {
    ...USUAL,
    title: 'Outro banco (API Pix)',
    production: null,
    sandbox: null,
    token: { ...USUAL.token, client: 'basic_or_form' },
    certificate: 'optional',
    errorShapes: ['problem', 'nome', 'erros'],
    received: { maxWindowDays: 4, pageSize: 100 },
    verified: [],
    unverified: ['Everything: the bank is expected to do as the published document of the Central Bank says.'],
  },
};

export const isPixProfileName = (name: string): name is PixProfileName => Object.hasOwn(PIX_PROFILES, name);
