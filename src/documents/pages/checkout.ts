/** The words of the debtor's page. Its layout is `src/http/pages/checkout.ts`. */
export const CHECKOUT_TEXTS = {
  title: (creditor: string) => `Pagamento · ${creditor}`,

  /** Shown once after a button of the page. */
  notices: {
    'said-paid': 'Obrigado por avisar. Registramos o seu aviso e, enquanto ele é conferido, não enviamos cobranças.',
    dispute: 'Registramos que você não reconhece esta cobrança. As mensagens param até a análise.',
    'opt-out': 'Pedido registrado. Você não receberá mais mensagens de cobrança.',
    pay: 'Pagamento de teste enviado. A confirmação aparece aqui em instantes.',
    repeated: 'Este aviso já tinha sido recebido. Não é preciso enviar de novo.',
  },

  /** For a visitor who has said to be another person. */
  nothing: {
    heading: 'Nada para mostrar',
    text: 'Não há nada para mostrar neste endereço. Se você recebeu o link por engano, pode ignorá-lo.',
  },

  paid: {
    heading: 'Pagamento confirmado',
    receiptWaiting: 'Obrigado! O termo de quitação está sendo preparado e aparece aqui em instantes.',
    receiptReady: 'Obrigado! Esta conta está quitada.',
    download: 'Baixar o termo de quitação (PDF)',
  },

  cancelled: {
    heading: 'Cobrança encerrada',
    text: (creditor: string) => `${creditor} encerrou esta cobrança. Não há nada a pagar por aqui.`,
  },

  unpaid: {
    heading: 'Pague com Pix',
    to: (creditor: string) => `para ${creditor}`,
    underpaid: (creditor: string) =>
      `Recebemos um pagamento menor que o valor da conta. A equipe de ${creditor} vai dizer como seguir; até lá, não é preciso pagar nada por aqui.`,
    noCode: 'Não foi possível gerar o código Pix agora.',
    tryAgain: 'Tente de novo em instantes',
    refused: 'O último pagamento não foi aceito pelo banco. Você pode tentar de novo.',
    qrCode: 'QR code do Pix',
    howTo: 'Abra o aplicativo do seu banco, escolha Pix e leia o QR code, ou use o código abaixo.',
    code: 'Pix copia e cola',
    copy: 'Copiar código Pix',
    validUntil: (date: string, time: string) =>
      `Código válido até ${date} às ${time} (horário de Brasília). Depois disso, abra esta página de novo para receber outro.`,
    /** For browsers without JavaScript; the middle part is a link to this page. */
    afterPaying: ['Depois de pagar, ', 'atualize esta página', ' para ver a confirmação.'],
    payTest: 'Pagar (teste)',
  },

  details: {
    heading: 'Sobre esta conta',
    creditor: 'Quem cobra',
    cnpj: 'CNPJ',
    address: 'Endereço',
    debtor: 'Em nome de',
    invoice: 'Conta',
    amount: 'Valor',
    amountToPay: 'Valor a pagar',
    noExtra: '(sem juros, multa nem encargos)',
    dueDate: 'Vencimento',
  },

  buttons: {
    heading: 'Outra situação?',
    saidPaid: 'Já paguei',
    dispute: 'Não reconheço esta cobrança',
    disputed: 'Você disse que não reconhece esta cobrança.',
    optOut: 'Não quero mais mensagens',
    optedOut: 'Você não receberá mais mensagens de cobrança.',
  },
} as const;
