import { oneLine } from '../../../kernel/texts/one-line.ts';

/** Far below what WhatsApp takes, so that the whole text fits whatever a company is called. */
const MAX_NAME = 200;

/** It goes to somebody of whom nothing is known, so it says nothing of a debt. */
export const phoneRequestText = (company: string): string =>
  `Olá! Aqui é da ${oneLine(company).slice(0, MAX_NAME)}. Não consegui ver o seu número por aqui. Para eu encontrar o seu cadastro, toque no botão abaixo e compartilhe o seu contato. Se preferir não receber mensagens, compartilhe o contato e depois escreva PARAR.`;
