import { randomBytes } from 'node:crypto';
import { dynamicBrCode } from '../br-code.ts';

export interface FakeReturn {
  id: string;
  rtrId: string;
  valor: string;
  natureza?: string;
  horario: { solicitacao: string; liquidacao?: string };
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
}

export interface FakePix {
  endToEndId: string;
  txid?: string;
  valor: string;
  chave: string;
  horario: string;
  componentesValor?: Record<string, { valor: string }>;
  pagador: { cpf: string; nome: string };
  devolucoes: FakeReturn[];
}

export interface FakeCharge {
  kind: 'cob' | 'cobv';
  txid: string;
  revisao: number;
  calendario: { criacao: string } & Record<string, unknown>;
  devedor?: Record<string, unknown>;
  status: string;
  valor: { original: string };
  chave: string;
  solicitacaoPagador?: string;
  /** The code of each revision; a test that counts payable codes reads it. */
  readonly code: string;
  readonly locationId: number;
  /** What the first revision asked for. */
  readonly first: { readonly original: string; readonly calendario: Record<string, unknown> };
  readonly pix: FakePix[];
}

export const centavosOf = (text: string): number => Math.round(Number(text) * 100);
export const textOf = (centavos: number): string => (centavos / 100).toFixed(2);
const hex = (bytes: number) => randomBytes(bytes).toString('hex');

export interface Asked {
  readonly calendario: Record<string, unknown>;
  readonly devedor?: Record<string, unknown>;
  readonly valor: { readonly original: string };
  readonly chave: string;
  readonly solicitacaoPagador?: string;
}

/** The charges and payments of one account. */
export class Ledger {
  readonly charges = new Map<string, FakeCharge>();
  /** Payments that came without a charge. */
  readonly orphans: FakePix[] = [];
  /** Is told of each new charge. */
  made: ((charge: FakeCharge) => void) | undefined;
  #nextLocation = 1;

  add(kind: FakeCharge['kind'], txid: string, asked: Asked): FakeCharge {
    const locationId = this.#nextLocation++;
    const charge: FakeCharge = {
      kind,
      txid,
      revisao: 0,
      calendario: { criacao: new Date().toISOString(), ...asked.calendario },
      ...(asked.devedor === undefined ? {} : { devedor: asked.devedor }),
      status: 'ATIVA',
      valor: { original: asked.valor.original },
      chave: asked.chave,
      ...(asked.solicitacaoPagador === undefined ? {} : { solicitacaoPagador: asked.solicitacaoPagador }),
      code: dynamicBrCode({
        url: `pix.example.com/qr/v2/${txid}`,
        amountCentavos: centavosOf(asked.valor.original),
      }),
      locationId,
      first: { original: asked.valor.original, calendario: asked.calendario },
      pix: [],
    };
    this.charges.set(txid, charge);
    this.made?.(charge);
    return charge;
  }

  charge(txid: string): FakeCharge {
    const charge = this.charges.get(txid);
    if (charge === undefined) throw new Error(`no charge ${txid}`);
    return charge;
  }

  /** Money that came: for a charge, or without one. */
  receive(key: string, centavos: number, change: Partial<FakePix> & { readonly charge?: FakeCharge } = {}): FakePix {
    const { charge, ...rest } = change;
    const pix: FakePix = {
      endToEndId: `E${hex(16).slice(0, 31)}`,
      ...(charge === undefined ? {} : { txid: charge.txid }),
      valor: textOf(centavos),
      chave: key,
      horario: new Date().toISOString(),
      pagador: { cpf: '52998224725', nome: 'Ana Souza' },
      devolucoes: [],
      ...rest,
    };
    if (charge === undefined) this.orphans.push(pix);
    else {
      charge.pix.push(pix);
      charge.status = 'CONCLUIDA';
    }
    return pix;
  }

  all(): FakePix[] {
    return [...[...this.charges.values()].flatMap(({ pix }) => pix), ...this.orphans];
  }

  giveBack(pix: FakePix, centavos: number, change: Partial<FakeReturn> = {}): FakeReturn {
    const now = new Date().toISOString();
    const made: FakeReturn = {
      id: hex(16),
      rtrId: `D${hex(16).slice(0, 31)}`,
      valor: textOf(centavos),
      natureza: 'ORIGINAL',
      horario: { solicitacao: now, liquidacao: now },
      status: 'DEVOLVIDO',
      ...change,
    };
    pix.devolucoes.push(made);
    return made;
  }

  /** What a bank's app could pay now. */
  payable(): FakeCharge[] {
    return [...this.charges.values()].filter(({ status }) => status === 'ATIVA');
  }
}
