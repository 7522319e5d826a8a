import { CURRENT_TEMPLATE_VERSION, type ReceiptData } from './receipt-data.ts';

/** Invented data for warming up, measurements and examples. */
export const SPECIMEN: ReceiptData = {
  templateVersion: CURRENT_TEMPLATE_VERSION,
  protocol: 'QT-2026-7K3M9X2PAB-5',
  issuedAt: new Date('2026-11-20T17:32:08Z'),
  sandbox: true,
  creditor: {
    name: 'Águas da Serra Saneamento & Serviços Ltda.',
    cnpj: '11222333000181',
    address: 'Rua das Acácias, 120, sala 4, Centro, São José dos Campos/SP, 12210-000',
  },
  debtor: { name: 'João Antônio da Conceição Araújo', cpfMasked: '***.982.247-**' },
  debt: {
    id: '0197a2f4-5c1e-4b7a-9d3e-2f6b8c0d1e2f',
    invoiceId: 'FAT-2026/10-004317',
    description: 'Fatura de serviço de água e esgoto',
    originalAmountCentavos: 123_456,
    dueDate: '2026-10-05',
  },
  payment: {
    amountCentavos: 123_456,
    paidAt: new Date('2026-11-20T17:31:05Z'),
    method: 'pix',
    provider: 'mercadopago',
    endToEndId: 'E18236120202611201731s0123456789',
    providerPaymentId: '98765432101',
    payerName: null,
  },
  verifyUrl: 'https://quita.example.com.br/verify/QT-2026-7K3M9X2PAB-5?sig=n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  utcOffset: -3,
};
