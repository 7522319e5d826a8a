import type { QuestionTopic } from '../../debts/rules/intents.ts';
import type { MessageFacts } from './values.ts';

/** An answer that may name longer values, and one that names none whose length is unknown. */
export interface ShortAnswer {
  readonly full: string;
  readonly brief: string;
}

const same = (text: string): ShortAnswer => ({ full: text, brief: text });

/** The answers of `answerTemplate` for short texts. Like them, they use stored data only. */
export const shortAnswer = (topic: QuestionTopic, facts: MessageFacts): ShortAnswer => {
  const { creditor } = facts;
  switch (topic) {
    case 'amount':
      return facts.together === null
        ? same('O valor é {{amount}}: só o principal, sem juros nem multa.')
        : same('São {{count}} pagamentos, total {{total}}, sem juros nem multa. O valor de cada um: {{link}}');
    case 'origin': {
      if (facts.together !== null)
        return same('São {{count}} contas. A fatura, o valor e o vencimento de cada uma: {{link}}');
      const brief = 'A cobrança é de uma conta com vencimento em {{dueDate}}. Detalhes: {{link}}';
      if (facts.description !== null) {
        return { full: 'A cobrança é referente a: {{description}}, com vencimento em {{dueDate}}.', brief };
      }
      return facts.invoiceId === null
        ? same(brief)
        : { full: 'A cobrança é da fatura {{invoiceId}}, com vencimento em {{dueDate}}.', brief };
    }
    case 'due_date':
      return facts.together === null
        ? { full: 'O vencimento foi em {{dueDate}}. Pix: {{link}}', brief: 'O vencimento foi em {{dueDate}}.' }
        : same('O vencimento de cada um dos {{count}} pagamentos: {{link}}');
    case 'creditor': {
      const identity = [
        '{{creditor}}',
        ...(creditor.cnpj === null ? [] : ['CNPJ {{cnpj}}']),
        ...(creditor.address === null ? [] : ['{{address}}']),
      ];
      return {
        full: `Falo em nome da ${identity.join(', ')}. Sou um assistente virtual.`,
        brief: 'Sou um assistente virtual. O nome, o CNPJ e o endereço da empresa: {{link}}',
      };
    }
    case 'cnpj':
      return creditor.cnpj === null
        ? same('Não tenho o CNPJ aqui; a equipe da empresa pode informar.')
        : {
            full: 'O CNPJ da {{creditor}} é {{cnpj}}. Você pode conferir no site da Receita Federal.',
            brief: 'O CNPJ da empresa é {{cnpj}}. Você pode conferir no site da Receita Federal.',
          };
    case 'fraud': {
      const check = (name: string): string =>
        `É bom desconfiar. Procure a ${name} por um canal que você já conhece e, antes do Pix, veja no aplicativo do seu banco se quem recebe é ela. Nunca pedimos senha nem código.`;
      return { full: check('{{creditor}}'), brief: check('empresa') };
    }
    case 'receipt':
      return facts.receiptUrl === null
        ? same('Confirmado o pagamento, você recebe por aqui o termo de quitação, com protocolo.')
        : { full: 'O termo de quitação está aqui: {{receiptUrl}}', brief: 'O termo de quitação está aqui: {{link}}' };
    case 'bureau':
      return same(
        'Se houver registro em cadastro de inadimplentes por esta dívida, a empresa deve retirá-lo em até 5 dias úteis depois de confirmado o pagamento.',
      );
    case 'how_to_pay':
      return same('O pagamento é por Pix, com QR code ou copia e cola, nesta página: {{link}}');
    case 'privacy': {
      const uses =
        'A empresa tem seu contato pelo cadastro desta cobrança; a LGPD prevê esse uso para proteger o crédito.';
      const brief = `${uses} Acesso ou correção: peça à empresa.`;
      return creditor.email === null ? same(brief) : { full: `${uses} Acesso ou correção: {{creditorEmail}}.`, brief };
    }
    case 'unknown': {
      const brief = 'Não tenho essa informação por aqui. Para falar com uma pessoa da empresa, escreva ATENDENTE.';
      return creditor.email === null ? same(brief) : { full: `${brief} Ou por e-mail: {{creditorEmail}}.`, brief };
    }
  }
};
