/** The words of the debtor's page. Its layout is `src/modules/payments/routes/pages/checkout.ts`. */
export const CHECKOUT_TEXTS = {
  title: (creditor: string) => `Pagamento · ${creditor}`,

  /** Shown once after a button of the page. */
  notices: {
    'said-paid':
      'Obrigado por avisar. Registramos o seu aviso e paramos as cobranças. Se o Pix não aparecer em dois dias úteis, uma pessoa da equipe confere, e nada é enviado antes disso.',
    dispute: 'Registramos que você não reconhece esta cobrança. As mensagens param até a análise.',
    'opt-out': 'Pedido registrado. Você não receberá mais mensagens de cobrança.',
    pay: 'Pagamento de teste enviado. A confirmação aparece aqui em instantes.',
    repeated: 'Este aviso já tinha sido recebido. Não é preciso enviar de novo.',
    agreed: 'Acordo confirmado! As parcelas e o Termo de Acordo estão nesta página.',
    'agreed-before': 'Você já tem um acordo sobre estas contas. Ele está nesta página.',
    'offers-ended': 'Essa opção já não vale mais. Veja abaixo as opções de hoje.',
    moved: 'Pronto, a nova data está na lista de parcelas.',
    'not-moved':
      'Essa data não é possível. A parcela pode ir até 10 dias depois da data combinada, sem passar da data da parcela seguinte.',
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
    /** Of a bill that is not overdue, which a reminder may have led to. */
    due: (date: string) => `Vence em ${date}. Se quiser, já pode pagar.`,
    rest: (received: string) => `Já recebemos ${received}. Este é o valor que falta.`,
    partReceipt: (paid: string) => `Baixar o recibo de ${paid} (PDF)`,
    noCode: 'Não foi possível gerar o código Pix agora.',
    tryAgain: 'Tente de novo em instantes',
    refused: 'O último pagamento não foi aceito pelo banco. Você pode tentar de novo.',
    steps: [
      'Copie o código Pix.',
      'Abra o aplicativo do seu banco e escolha Pix e depois Pix Copia e Cola.',
      'Cole o código, confira o valor e confirme.',
    ],
    code: 'Código Pix Copia e Cola',
    copy: 'Copiar código Pix',
    otherDevice: 'Pagar de outro aparelho',
    otherDeviceHowTo: 'No outro aparelho, abra o aplicativo do banco, escolha Pix e leia este QR code.',
    qrCode: 'QR code do Pix',
    validUntil: (date: string, time: string) =>
      `Código válido até ${date} às ${time} (horário de Brasília). Depois disso, abra esta página de novo para receber outro.`,
    /** For browsers without JavaScript; the middle part is a link to this page. */
    afterPaying: ['Depois de pagar, ', 'atualize esta página', ' para ver a confirmação.'],
    payTest: 'Pagar (teste)',
  },

  /** What the amount is made of, where terms of late payment add to it. */
  why: {
    heading: 'Por que este valor?',
    part: (name: string, formula: string) => `${name} (${formula})`,
    clause: 'O que diz o contrato',
    nothingYet: 'Até hoje nada foi acrescentado ao valor da conta.',
    perDay:
      'Os juros contam por dia de atraso, por isso o valor muda com o tempo. O código Pix vale o que mostra: se for pago enquanto é válido, não fica diferença a pagar.',
  },

  details: {
    heading: 'Sobre esta conta',
    creditor: 'Quem cobra',
    cnpj: 'CNPJ',
    address: 'Endereço',
    debtor: 'Em nome de',
    description: 'Referente a',
    invoice: 'Conta',
    amount: 'Valor',
    amountToPay: 'Valor a pagar',
    noExtra: '(sem juros, multa nem encargos)',
    dueDate: 'Vencimento',
  },

  /** In place of the invitation to pay, when the visitor does not know the debt. */
  disputed: {
    heading: 'Cobrança em análise',
    text: (creditor: string) =>
      `Você disse que não reconhece esta cobrança. A equipe de ${creditor} vai conferir, e até lá não enviamos cobranças dela.`,
    payAnyway: 'Pagar mesmo assim',
  },

  buttons: {
    heading: 'Outra situação?',
    'said-paid': 'Já paguei',
    dispute: 'Não reconheço esta cobrança',
    'opt-out': 'Não quero mais mensagens',
  },

  /** In place of the buttons, as long as what they said counts. */
  noted: {
    heading: 'O que você já nos disse',
    'said-paid': 'Você avisou que já pagou. Não é preciso avisar de novo.',
    dispute: 'Você não reconhece esta cobrança. As mensagens sobre ela pararam até a análise.',
    'opt-out': 'Você não quer mais mensagens de cobrança e não as receberá.',
  },

  /** The page that asks before a button does something. */
  ask: {
    dispute: {
      heading: 'Você não reconhece esta cobrança?',
      text: (creditor: string) =>
        `Ao confirmar, as mensagens sobre ela param, e a equipe de ${creditor} confere o que houve.`,
      reason: 'O que você quer que a equipe saiba? (se quiser)',
      confirm: 'Não reconheço esta cobrança',
    },
    'opt-out': {
      heading: 'Parar de receber mensagens?',
      text: (creditor: string) =>
        `Ao confirmar, você não receberá mais mensagens de cobrança de ${creditor}, por nenhum canal. A dívida não muda, e esta página continua disponível.`,
      reason: 'Quer dizer por quê? (se quiser)',
      confirm: 'Não quero mais mensagens',
    },
    back: 'Voltar sem confirmar',
  },
} as const;
