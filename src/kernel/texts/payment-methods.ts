import type { PaymentMethod } from '../payment-methods.ts';

/** How a payment was made, as it stands in a sentence: `pagou R$ 10,00 em dinheiro`. */
export const METHOD_PHRASES: Readonly<Record<PaymentMethod, string>> = {
  pix: 'por Pix',
  cash: 'em dinheiro',
  bank_transfer: 'por transferência bancária',
  boleto: 'por boleto',
  card: 'por cartão',
  cheque: 'em cheque',
  other: 'por outro meio de pagamento',
};

/** The same where it stands alone. */
export const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  pix: 'Pix',
  cash: 'Dinheiro',
  bank_transfer: 'Transferência bancária',
  boleto: 'Boleto',
  card: 'Cartão',
  cheque: 'Cheque',
  other: 'Outro meio de pagamento',
};
