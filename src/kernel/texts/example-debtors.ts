export const EXAMPLE_CAMPAIGN = 'Exemplo';

export interface ExampleDebtor {
  readonly name: string;
  readonly areaCode: string;
  /** The end of the phone, by which the sandbox chooses how the debtor acts. */
  readonly phoneEnding: string;
  /** Reais. */
  readonly amount: number;
  readonly daysOverdue: number;
}

const debtor = (
  name: string,
  areaCode: string,
  phoneEnding: string,
  amount: number,
  daysOverdue: number,
): ExampleDebtor => ({ name, areaCode, phoneEnding, amount, daysOverdue });

/** Invented people for the first steps of a client's staff: each behaviour of the sandbox, and two who stay silent. */
export const EXAMPLE_DEBTORS: readonly ExampleDebtor[] = [
  debtor('Ana Beatriz Moura', '11', '0001', 420.5, 18),
  debtor('Bruno Tavares Lima', '21', '0002', 1_180, 42),
  debtor('Carla Menezes Duarte', '31', '0003', 299.9, 25),
  debtor('Diego Farias Pinheiro', '41', '0004', 150.75, 63),
  debtor('Elaine Prado Nogueira', '51', '0005', 860.4, 34),
  debtor('Fábio Queiroz Sales', '61', '0006', 512.3, 51),
  debtor('Gabriela Assis Rocha', '71', '0001', 239.9, 12),
  debtor('Heitor Barros Amaral', '81', '0002', 645, 97),
  debtor('Isadora Cunha Freitas', '85', '0100', 1_999.99, 140),
  debtor('João Vitor Peixoto', '92', '0200', 330, 380),
];
