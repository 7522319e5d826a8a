/**
 * The faults of the published document of the API Pix (2.9.0) that we forgive. Each names where it stands, what stands
 * there, and what has to be meant. A test fails when a fault is not there any more, so that its line is removed here.
 */
export interface Forgiven {
  readonly why: string;
  readonly at: readonly (string | number)[];
  readonly says: unknown;
  readonly means: unknown;
}

const schemas = (...rest: readonly (string | number)[]) => ['components', 'schemas', ...rest];
const SLASHED = 'The pattern stands between slashes, which no text contains.';
const NO_SCHEME = 'A location has no scheme, as all examples of the document show, so it is no URI.';
const NO_TXID = 'The location of a charge has to have a txid, which its schema does not know and no example has.';

export const FORGIVEN: readonly Forgiven[] = [
  {
    why: SLASHED,
    at: schemas('PessoaFisica', 'properties', 'cpf', 'pattern'),
    says: '/^\\d{11}$/',
    means: '^\\d{11}$',
  },
  { why: NO_SCHEME, at: schemas('PayloadLocation', 'properties', 'location', 'format'), says: 'uri', means: undefined },
  {
    why: NO_SCHEME,
    at: schemas('CobGerada', 'allOf', 3, 'properties', 'location', 'format'),
    says: 'uri',
    means: undefined,
  },
  {
    why: NO_TXID,
    at: schemas('CobGerada', 'allOf', 2, 'properties', 'loc', 'required'),
    says: ['id', 'txid', 'tipoCob', 'criacao'],
    means: ['id', 'tipoCob', 'criacao'],
  },
  {
    why: NO_TXID,
    at: schemas('CobVGerada', 'allOf', 3, 'properties', 'loc', 'required'),
    says: ['id', 'txid', 'tipoCob', 'criacao'],
    means: ['id', 'tipoCob', 'criacao'],
  },
  {
    why: 'A list of payments has to have `cobs`, which its schema does not know and no example has.',
    at: schemas('PixConsultados', 'required'),
    says: ['parametros', 'cobs'],
    means: ['parametros'],
  },
  {
    why: 'The address of the receiver has to stand beside the receiver, and once more inside, where it is.',
    at: schemas('DadosRecebedor', 'required'),
    says: ['logradouro', 'cidade', 'uf', 'cep'],
    means: undefined,
  },
];
