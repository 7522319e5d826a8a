/** The words of the page of a person with several debts. Its layout is `src/http/pages/person.ts`. */
export const PERSON_TEXTS = {
  title: (creditor: string) => `Pagamentos · ${creditor}`,

  open: {
    heading: (count: number) => (count === 1 ? 'Um pagamento em aberto' : `${count} pagamentos em aberto`),
    to: (creditor: string, debtorName: string) => `para ${creditor}, sem juros nem multa, em nome de ${debtorName}`,
    howTo: 'Cada conta tem o seu código Pix. Pague uma de cada vez, na ordem que preferir.',
  },

  nothing: {
    heading: 'Nada em aberto',
    text: (creditor: string) => `Obrigado! Não há nada a pagar a ${creditor} por aqui.`,
  },

  debt: {
    name: (invoiceId: string | null) => (invoiceId === null ? 'Conta' : `Conta ${invoiceId}`),
    due: (date: string) => `Vencimento em ${date}`,
    disputed: 'Você disse que não reconhece esta cobrança.',
    pay: 'Pagar com Pix',
    /** The first part is a link to the page of the debt. */
    other: ['Abrir só esta conta', ', se você já pagou, não reconhece a cobrança ou não quer mais mensagens.'],
    /** In place of `other` and `pay`, when the debt has no page of its own any more. */
    answer: 'Se você já pagou, não reconhece a cobrança ou não quer mais mensagens, responda à nossa mensagem.',
    later: 'O código Pix aparece aqui depois do pagamento das contas acima.',
    noCode: 'Não foi possível gerar o código Pix agora. Abra esta página de novo em instantes.',
  },

  /** On the page of one debt, when the person has more. */
  all: (creditor: string) => `Ver todas as suas contas em aberto com ${creditor}`,
};
