import type { BankAnswer, PlayedAccount, SeenRequest } from './account.ts';
import { type Asked, centavosOf, type FakeCharge, type FakePix } from './ledger.ts';

const BASE = '/pix/v2';
const TXID = /^[A-Za-z0-9]{26,35}$/;
const AMOUNT = /^\d{1,10}\.\d{2}$/;
const DAY_MS = 24 * 3_600_000;

const RECEIVER = {
  nome: 'Credora Exemplo Ltda',
  cnpj: '11222333000181',
  logradouro: 'Rua das Contas 1',
  cidade: 'São Paulo',
  uf: 'SP',
  cep: '01001000',
};

export function answerApi(bank: PlayedAccount, seen: SeenRequest, url: URL): BankAnswer {
  const [room = '', id = '', sub, subId] = url.pathname
    .slice(BASE.length + 1)
    .split('/')
    .map(decodeURIComponent);
  const refuse = refusalsOf(bank);
  if (!url.pathname.startsWith(`${BASE}/`)) return { status: 404, body: { message: 'no route' } };
  if (room === 'cob' || room === 'cobv') return answerCharge(bank, seen, { kind: room, txid: id, url });
  if (room === 'webhook') return answerWebhook(bank, seen, id);
  if (room === 'pix' && id === '') return listPix(bank, url);
  const pix = bank.ledger.all().find(({ endToEndId }) => endToEndId === id);
  if (room !== 'pix' || pix === undefined) return refuse(404, 'PixNaoEncontrado');
  if (sub === undefined) return { status: 200, body: pix };
  return answerReturn(bank, seen, { pix, id: subId ?? '' });
}

const refusalsOf =
  ({ quirks }: PlayedAccount) =>
  (status: number, type: string, property: string | null = null): BankAnswer => ({
    status,
    body: quirks.problem(status, type, property),
  });

interface AskedCharge {
  readonly kind: FakeCharge['kind'];
  readonly txid: string;
  readonly url: URL;
}

function answerCharge(bank: PlayedAccount, seen: SeenRequest, { kind, txid, url }: AskedCharge): BankAnswer {
  const refuse = refusalsOf(bank);
  const known = bank.ledger.charges.get(txid);
  const invalid = kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida';
  if (seen.method === 'PUT') {
    const asked = seen.body as Asked | null;
    const property = faultOf(bank, kind, txid, asked);
    if (asked === null || property !== null) return refuse(400, invalid, property);
    if (known !== undefined) return putAgain(bank, known, asked, kind);
    return { status: bank.quirks.putStatus, body: shown(bank, bank.ledger.add(kind, txid, asked)) };
  }
  if (known === undefined || known.kind !== kind) {
    return refuse(404, kind === 'cob' ? 'CobNaoEncontrado' : 'CobVNaoEncontrada');
  }
  if (seen.method === 'PATCH') {
    const { status } = (seen.body ?? {}) as { status?: string };
    if (known.status !== 'ATIVA' || status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR') {
      return refuse(400, invalid, `${kind}.status`);
    }
    known.status = status;
    known.revisao += 1;
    return { status: bank.quirks.patchStatus, body: shown(bank, known) };
  }
  const first = url.searchParams.get('revisao') === '0';
  return { status: 200, body: shown(bank, known, first) };
}

function faultOf(bank: PlayedAccount, kind: FakeCharge['kind'], txid: string, asked: Asked | null): string | null {
  const { calendario, valor, chave, devedor } = asked ?? {};
  if (!TXID.test(txid)) return 'txid';
  if (!AMOUNT.test(valor?.original ?? '') || centavosOf(valor?.original ?? '') === 0) return `${kind}.valor.original`;
  if (chave !== bank.key) return `${kind}.chave`;
  if (devedor !== undefined && !isPerson(devedor)) return `${kind}.devedor`;
  if (kind === 'cob') return Number(calendario?.['expiracao']) > 0 ? null : 'cob.calendario.expiracao';
  if (devedor === undefined) return 'cobv.devedor';
  const due = String(calendario?.['dataDeVencimento']);
  return due >= new Date().toISOString().slice(0, 10) ? null : 'cobv.calendario.dataDeVencimento';
}

const isPerson = ({ cpf, cnpj, nome }: Record<string, unknown>): boolean =>
  typeof nome === 'string' && nome !== '' && (/^\d{11}$/.test(String(cpf)) || /^[0-9A-Z]{14}$/.test(String(cnpj)));

function putAgain(bank: PlayedAccount, known: FakeCharge, asked: Asked, kind: FakeCharge['kind']): BankAnswer {
  const refuse = refusalsOf(bank);
  const { repeatedPut, putStatus } = bank.quirks;
  if (repeatedPut === 'refuse') return refuse(409, 'TxidEmUso');
  const isSame =
    JSON.stringify([asked.calendario, asked.valor.original]) ===
    JSON.stringify([known.first.calendario, known.valor.original]);
  if (isSame && known.status === 'ATIVA') return { status: putStatus, body: shown(bank, known) };
  if (repeatedPut === 'refuse_changed' || known.status !== 'ATIVA' || known.kind !== kind) {
    return refuse(400, kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida', `${kind}.txid`);
  }
  known.revisao += 1;
  known.valor = { original: asked.valor.original };
  known.calendario = { criacao: known.calendario.criacao, ...asked.calendario };
  return { status: putStatus, body: shown(bank, known) };
}

/** A charge as the document shows it; `first` shows what its first revision asked for. */
function shown(bank: PlayedAccount, charge: FakeCharge, first = false): unknown {
  const { kind, txid, calendario, devedor, code, locationId } = charge;
  const location = `pix.example.com/qr/v2/${txid}`;
  return {
    txid,
    revisao: first ? 0 : charge.revisao,
    calendario: first ? { criacao: calendario.criacao, ...charge.first.calendario } : calendario,
    ...(devedor === undefined ? {} : { devedor }),
    ...(kind === 'cobv' ? { recebedor: RECEIVER } : {}),
    loc: { id: locationId, location, tipoCob: kind, criacao: calendario.criacao },
    location,
    status: charge.status,
    valor: first ? { original: charge.first.original } : charge.valor,
    chave: charge.chave,
    ...(charge.solicitacaoPagador === undefined ? {} : { solicitacaoPagador: charge.solicitacaoPagador }),
    [bank.quirks.codeField]: code,
    ...(charge.pix.length === 0 ? {} : { pix: charge.pix }),
  };
}

function answerWebhook(bank: PlayedAccount, seen: SeenRequest, key: string): BankAnswer {
  const refuse = refusalsOf(bank);
  if (seen.method === 'PUT') {
    const { webhookUrl } = (seen.body ?? {}) as { webhookUrl?: string };
    if (key !== bank.key) return refuse(400, 'WebhookOperacaoInvalida', 'chave');
    const isReachable = !bank.quirks.wantsSkipHeader || seen.headers['x-skip-mtls-checking'] === 'true';
    if (typeof webhookUrl !== 'string' || !isReachable) {
      return refuse(400, 'WebhookOperacaoInvalida', 'webhook.webhookUrl');
    }
    bank.webhookUrl = webhookUrl;
    return { status: 200, body: null };
  }
  if (key !== bank.key) return refuse(400, 'WebhookConsultaInvalida', 'chave');
  if (bank.webhookUrl === null) return refuse(404, 'WebhookNaoEncontrado');
  const criacao = new Date().toISOString();
  return { status: 200, body: { webhookUrl: bank.webhookUrl, cnpj: '11222333000181', criacao } };
}

function listPix(bank: PlayedAccount, url: URL): BankAnswer {
  const refuse = refusalsOf(bank);
  const given = (name: string) => url.searchParams.get(name) ?? '';
  const [from, to] = [Date.parse(given('inicio')), Date.parse(given('fim'))];
  const isTooLong = to - from > bank.quirks.maxWindowDays * DAY_MS;
  if (Number.isNaN(from) || Number.isNaN(to) || to < from || isTooLong)
    return refuse(400, 'PixConsultaInvalida', 'fim');
  const size = Math.min(Number(given('paginacao.itensPorPagina') || 100), bank.pageSize);
  const page = Number(given('paginacao.paginaAtual') || 0);
  const inTime = bank.ledger.all().filter(({ horario }) => Date.parse(horario) >= from && Date.parse(horario) <= to);
  const wanted = given('devolucaoPresente');
  const found = wanted === '' ? inTime : inTime.filter(({ devolucoes }) => String(devolucoes.length > 0) === wanted);
  const pages = Math.max(1, Math.ceil(found.length / size));
  return {
    status: 200,
    body: {
      parametros: {
        inicio: given('inicio'),
        fim: given('fim'),
        paginacao: {
          paginaAtual: page,
          itensPorPagina: size,
          quantidadeDePaginas: pages,
          quantidadeTotalDeItens: found.length,
        },
      },
      pix: found.slice(page * size, (page + 1) * size),
    },
  };
}

function answerReturn(bank: PlayedAccount, seen: SeenRequest, { pix, id }: { pix: FakePix; id: string }): BankAnswer {
  const refuse = refusalsOf(bank);
  const known = pix.devolucoes.find((one) => one.id === id);
  if (seen.method === 'GET') {
    return known === undefined ? refuse(404, 'PixDevolucaoNaoEncontrada') : { status: 200, body: known };
  }
  const { valor = '' } = (seen.body ?? {}) as { valor?: string };
  const back = pix.devolucoes.reduce(
    (total, one) => total + (one.status === 'NAO_REALIZADO' ? 0 : centavosOf(one.valor)),
    0,
  );
  const isTooMuch = back + centavosOf(valor) > centavosOf(pix.valor);
  const isLate = Date.now() - Date.parse(pix.horario) > 90 * DAY_MS;
  if (known !== undefined || !AMOUNT.test(valor) || isTooMuch || isLate) {
    return refuse(400, 'PixDevolucaoInvalida', 'devolucao.valor');
  }
  const made = bank.ledger.giveBack(pix, centavosOf(valor), {
    id,
    status: 'EM_PROCESSAMENTO',
    horario: { solicitacao: new Date().toISOString() },
  });
  return { status: 201, body: made };
}
