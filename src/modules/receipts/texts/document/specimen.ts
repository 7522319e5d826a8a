import { AGREEMENT_TEMPLATE_VERSION, type AgreementData } from './agreement-data.ts';
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

/** An invented agreement about two debts in twelve instalments. */
export const AGREEMENT_SPECIMEN: AgreementData = {
  kind: 'agreement',
  templateVersion: AGREEMENT_TEMPLATE_VERSION,
  agreementId: '0197a2f4-5c1e-4b7a-9d3e-2f6b8c0d1e30',
  protocol: 'AC-2026-7K3M9X2PAB5',
  issuedAt: new Date('2026-11-20T17:32:08Z'),
  sandbox: true,
  creditor: SPECIMEN.creditor,
  debtor: SPECIMEN.debtor,
  offeredOn: '2026-11-18',
  totalCentavos: 180_000,
  discountCentavos: 27_818,
  debts: [
    {
      invoiceId: 'FAT-2026/08-003981',
      description: 'Fatura de serviço de água e esgoto',
      originalAmountCentavos: 78_000,
      dueDate: '2026-08-05',
      owedCentavos: 82_362,
      discountCentavos: 11_021,
    },
    {
      invoiceId: 'FAT-2026/10-004317',
      description: 'Fatura de serviço de água e esgoto',
      originalAmountCentavos: 123_456,
      dueDate: '2026-10-05',
      owedCentavos: 125_456,
      discountCentavos: 16_797,
    },
  ],
  instalments: Array.from({ length: 12 }, (_, at) => ({
    number: at + 1,
    dueDate: `${at === 0 ? 2026 : 2027}-${String(at === 0 ? 12 : at).padStart(2, '0')}-10`,
    amountCentavos: 15_000,
  })),
  breachAfterDays: 15,
  afterBreach: 'restore',
  accepted: {
    at: new Date('2026-11-20T17:32:08Z'),
    by: 'page',
    phone: '(12) *****-4567',
    text: 'Acordo com Águas da Serra Saneamento & Serviços Ltda. (contas FAT-2026/08-003981, FAT-2026/10-004317).\nTotal do acordo: R$ 1.800,00, com desconto de R$ 278,18.\nEste acordo não cria uma dívida nova: é feito sem ânimo de novar.',
    textHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  verifyUrl: 'https://quita.example.com.br/verify/AC-2026-7K3M9X2PAB5?sig=n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  utcOffset: -3,
};
