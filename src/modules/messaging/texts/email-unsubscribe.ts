/** The words of the page behind the address that ends the messages. Its layout is `src/modules/messaging/routes/pages/email-unsubscribe.ts`. */
export const EMAIL_UNSUBSCRIBE_TEXTS = {
  title: 'Parar de receber mensagens',
  question: {
    heading: 'Parar de receber mensagens?',
    text: 'Ao confirmar, você não receberá mais mensagens de cobrança desta empresa, por nenhum canal. A dívida não muda, e a página de pagamento continua disponível.',
    button: 'Não quero mais receber mensagens',
  },
  done: {
    heading: 'Pedido recebido',
    text: 'Você não receberá mais mensagens de cobrança desta empresa. Uma mensagem que já estava a caminho ainda pode chegar.',
  },
} as const;
