import { formatCount } from '../format.ts';

const count = (value: number, one: string, many: string): string => `${formatCount(value)} ${value === 1 ? one : many}`;

/** How long data is kept, and the erasure of a person. */
export const PRIVACY = {
  // Retention
  retention: 'Por quanto tempo as conversas ficam guardadas',
  retentionLead: (days: number) =>
    `Quando uma dívida termina (paga, encerrada, sem resposta ou a pedido da pessoa), a conversa fica guardada por ${formatCount(days)} dias, contados da última mudança. Depois o Quita apaga sozinho, sem volta:`,
  retentionDeletes: [
    'as mensagens, recebidas e enviadas, com os anexos;',
    'as anotações da equipe e os motivos de encerramento;',
    'o histórico da dívida, menos as mudanças de situação, os pagamentos e os acordos.',
  ],
  retentionKeepsTitle: 'O que fica, e por quê:',
  retentionKeeps: [
    'os recibos, os pagamentos, os valores e as situações, que são a contabilidade e a prova de quem pagou;',
    'o pedido de quem não quer mais ser contatado, para que seja respeitado;',
    'o nome e o CPF na dívida, para que ninguém seja cobrado duas vezes. Para apagá-los, use o quadro abaixo.',
  ],
  retentionWaits: 'Enquanto houver algo em aberto (um atendimento, uma mensagem, um recibo), a dívida espera.',
  days: 'Dias',
  daysHint: (min: number, max: number, usual: number) =>
    `De ${formatCount(min)} (até lá um pagamento pode ser devolvido) a ${formatCount(max)} (o maior prazo de prescrição). O padrão é ${formatCount(usual)}: por cinco anos a pessoa pode pedir indenização, e a conversa é a prova dos dois lados.`,
  save: 'Salvar o prazo',
  saved: 'Prazo salvo. Vale na próxima limpeza, dentro de uma hora.',
  shorterTitle: 'Guardar por menos tempo?',
  shorterText: (days: number) =>
    `As conversas de dívidas que terminaram há mais de ${formatCount(days)} dias serão apagadas na próxima limpeza, dentro de uma hora. Isso não tem volta.`,
  shorterAction: 'Guardar por menos tempo',
  // Erasure
  erase: 'Apagar os dados de uma pessoa',
  eraseLead:
    'Quando uma pessoa pede que os dados dela sejam apagados (LGPD, art. 18, VI), confira o que sai e o que fica antes de confirmar. Vale para as dívidas da sua empresa.',
  taxId: 'CPF ou CNPJ',
  taxIdHint: 'Fica só nesta tela: não vai para o endereço nem para o registro.',
  look: 'Ver o que será apagado',
  nobody: 'Nenhuma dívida da empresa tem os dados desta pessoa.',
  erasable: (value: number) => `${count(value, 'dívida terá', 'dívidas terão')} os dados pessoais apagados, sem volta:`,
  kept: (value: number) => `${count(value, 'dívida continua', 'dívidas continuam')} com os dados, por enquanto:`,
  because: {
    open: 'a dívida ainda está aberta; os dados ficam até ela terminar',
    busy: 'uma mensagem espera ser entendida ou o recibo, ser emitido; peça de novo depois disso',
  },
  debtOf: (invoice: string | null, status: string) => `${invoice ?? 'sem número de fatura'} (${status})`,
  more: 'Há outras além destas.',
  eraseGoesTitle: 'O que sai',
  eraseGoes:
    'Nome, CPF ou CNPJ, telefones e e-mails; os textos das mensagens e os arquivos; as anotações da equipe; o texto aceito de acordos que terminaram; o que extratos e arquivos de recebimentos diziam de quem pagou; a página da pessoa e o que ela pediu.',
  eraseKeepsTitle: 'O que fica, e por quê',
  eraseKeeps: [
    'O recibo e a quitação anual, inteiros, por cinco anos: são a prova de quem pagou (Código Civil, arts. 206, 319 e 320; LGPD, art. 16, I). Depois são abreviados sozinhos.',
    'Valores, datas, situação e número da fatura: são a contabilidade da empresa.',
    'Uma chave ilegível feita do CPF ou CNPJ: uma dívida paga não pode ser cobrada de novo.',
    'O pedido de não ser mais contatado, também sob uma chave ilegível: esquecê-lo seria descumpri-lo.',
  ],
  receiptUntil: (protocol: string, date: string) => `recibo ${protocol}: inteiro até ${date}`,
  eraseElsewhere:
    'Arquivos que a empresa baixou e as cópias de segurança não são alcançados: apague também o que estiver neles.',
  eraseWord: 'apagar',
  eraseAction: 'Apagar para sempre',
  erased: 'Pedido registrado. Os dados são apagados em instantes, e o Registro mostra quando terminou.',
  notYet: 'Ainda não há o que apagar: veja abaixo o motivo de cada dívida.',
} as const;
