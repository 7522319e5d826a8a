import type { QuestionTopic } from '../../debts/rules/intents.ts';
import type { MessageFacts } from './values.ts';

/** Returns the answer for a topic. It uses stored data only, and says so when the data is not known. */
export const answerTemplate = (topic: QuestionTopic, facts: MessageFacts): string => {
  const { creditor } = facts;
  switch (topic) {
    case 'amount':
      if (facts.together !== null) {
        return 'São {{count}} pagamentos em aberto, que somam {{total}}. Não há acréscimos: é só o principal; juros, multa e encargos: R$ 0,00. O valor de cada um está nesta página:\n{{link}}';
      }
      return 'O valor é {{amount}}. Não há acréscimos: é só o principal; juros, multa e encargos: R$ 0,00.';
    case 'origin':
      if (facts.together !== null) {
        return 'São {{count}} contas da {{creditor}}. A fatura, o valor e o vencimento de cada uma estão nesta página:\n{{link}}';
      }
      if (facts.description !== null) {
        const invoice = facts.invoiceId === null ? '' : ' (fatura {{invoiceId}})';
        return `A cobrança é referente a: {{description}}${invoice}. Quem cobra é a {{creditor}}, e o vencimento foi em {{dueDate}}.`;
      }
      return facts.invoiceId === null
        ? 'A cobrança é de uma conta da {{creditor}}, com vencimento em {{dueDate}}. Não tenho aqui o número da fatura; a equipe da {{creditor}} pode informar.'
        : 'A cobrança é da fatura {{invoiceId}} da {{creditor}}, com vencimento em {{dueDate}}.';
    case 'due_date':
      if (facts.together !== null)
        return 'O vencimento de cada um dos {{count}} pagamentos está nesta página:\n{{link}}';
      return 'O vencimento foi em {{dueDate}}. O Pix continua disponível na página:\n{{link}}';
    case 'creditor':
      return `Falo em nome da {{creditor}}, empresa credora${creditor.cnpj === null ? '' : ', CNPJ {{cnpj}}'}${creditor.address === null ? '' : ', {{address}}'}. Sou um assistente virtual.`;
    case 'cnpj':
      return creditor.cnpj === null
        ? 'Não tenho o CNPJ da {{creditor}} aqui; a equipe da empresa pode informar.'
        : 'O CNPJ da {{creditor}} é {{cnpj}}. Você pode conferir no site da Receita Federal.';
    case 'fraud':
      return `É bom desconfiar. Para conferir: procure a {{creditor}} por um canal que você já conhece e pergunte por esta cobrança${creditor.cnpj === null ? '' : '; confira o CNPJ {{cnpj}} no site da Receita Federal'}; e, antes de confirmar o Pix, veja no aplicativo do seu banco se quem recebe é a {{creditor}}. Nunca pedimos senha nem código.`;
    case 'receipt':
      return facts.receiptUrl === null
        ? 'Assim que o pagamento é confirmado, você recebe por aqui o termo de quitação, com um protocolo que pode ser conferido.'
        : 'O termo de quitação está aqui:\n{{receiptUrl}}';
    case 'bureau':
      return 'Se houver registro em cadastro de inadimplentes por esta dívida, a {{creditor}} deve retirá-lo em até 5 dias úteis depois de confirmado o pagamento.';
    case 'how_to_pay':
      return facts.brCode === null
        ? 'O pagamento é por Pix, com QR code ou copia e cola, nesta página:\n{{link}}'
        : 'O pagamento é por Pix. A página com o QR code é esta:\n{{link}}\n\nPix copia e cola:\n{{brCode}}';
    case 'privacy':
      return `A {{creditor}} tem o seu contato pelo cadastro que originou esta cobrança, e o uso para proteção do crédito é previsto na LGPD (art. 7º, X). Você pode pedir acesso aos seus dados ou correção${creditor.email === null ? ' à {{creditor}}' : ' em {{creditorEmail}}'}.`;
    case 'unknown':
      return `Não tenho essa informação por aqui. Se quiser que uma pessoa da {{creditor}} responda, escreva ATENDENTE${creditor.email === null ? '' : ' ou mande um e-mail para {{creditorEmail}}'}.`;
  }
};
