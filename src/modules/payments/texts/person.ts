/** The words of the page of a person with several debts. Its layout is `src/modules/payments/routes/pages/person.ts`. */
export const PERSON_TEXTS = {
  title: (creditor: string) => `Pagamentos · ${creditor}`,

  open: {
    heading: (count: number) => (count === 1 ? 'Um pagamento em aberto' : `${count} pagamentos em aberto`),
    to: (creditor: string, debtorName: string, isCharged: boolean) =>
      `para ${creditor}, ${isCharged ? '' : 'sem juros nem multa, '}em nome de ${debtorName}`,
    howTo: 'Cada conta tem o seu código Pix. Pague uma de cada vez, na ordem que preferir.',
  },

  nothing: {
    heading: 'Nada em aberto',
    text: (creditor: string) => `Obrigado! Não há nada a pagar a ${creditor} por aqui.`,
  },

  debt: {
    name: (invoiceId: string | null) => (invoiceId === null ? 'Conta' : `Conta ${invoiceId}`),
    forWhat: (description: string) => `Referente a: ${description}`,
    due: (date: string) => `Vencimento em ${date}`,
    disputed: 'Você disse que não reconhece esta cobrança.',
    pay: 'Pagar com Pix',
    other: 'Abrir só esta conta',
    later: 'O código Pix aparece aqui depois do pagamento das contas acima.',
    noCode: 'Não foi possível gerar o código Pix agora. Abra esta página de novo em instantes.',
  },

  /** The buttons below the debts count for all of them; each debt has its own page with the same ones. */
  buttons: {
    heading: 'Outra situação?',
    text: 'Os botões valem para todas as contas desta página. Para falar de uma só, abra a página dela.',
    'said-paid': 'Já paguei estas contas',
    dispute: 'Não reconheço estas cobranças',
    'opt-out': 'Não quero mais mensagens',
  },

  /** The page that asks before a button does something; what is not here is as for a single debt. */
  ask: {
    dispute: {
      heading: 'Você não reconhece estas cobranças?',
      text: (creditor: string) =>
        `Ao confirmar, as mensagens sobre todas as contas desta página param, e a equipe de ${creditor} confere o que houve.`,
      confirm: 'Não reconheço estas cobranças',
    },
  },

  /** On the page of one debt, when the person has more. */
  all: (creditor: string) => `Ver todas as suas contas em aberto com ${creditor}`,
};
