import { formatCnpj } from '../../../kernel/cnpj.ts';
import { type ContentKind, MAX_CONTENT } from '../rules/content.ts';

interface Found {
  readonly kind: ContentKind;
  readonly creditor: { readonly name: string; readonly cnpj: string | null } | null;
  readonly month: string | null;
}

const MONTH = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const inMonth = (month: string | null): string =>
  month === null ? '' : ` em ${MONTH.format(new Date(`${month}-01T00:00:00Z`))}`;

const by = ({ creditor }: Found): string =>
  creditor === null
    ? 'uma empresa que usa este serviço'
    : `${creditor.name}${creditor.cnpj === null ? '' : `, CNPJ ${formatCnpj(creditor.cnpj)}`}`;

/** The words of the public page "É verdade?". Its layout is `src/modules/genuine/routes/pages/genuine.ts`. */
export const GENUINE_TEXTS = {
  ask: {
    title: 'É verdade? Confira o que você recebeu',
    heading: 'É verdade?',
    intro:
      'Recebeu uma cobrança e ficou em dúvida? Cole abaixo a mensagem inteira, o link, o código Pix, ou o número, o nome ou o e-mail de quem escreveu. Nós dizemos se veio mesmo de uma empresa que cobra por este serviço.',
    label: 'O que você recebeu',
    hint: 'Cole uma coisa de cada vez, do jeito que chegou. Não guardamos o que você colar, e não precisamos do seu nome nem do seu CPF.',
    button: 'Conferir',
    again: 'Conferir outra coisa',
    empty: 'Cole aqui o que você recebeu e toque em Conferir.',
    tooLong: `O texto tem mais de ${MAX_CONTENT.toLocaleString('pt-BR')} caracteres. Cole só uma mensagem, um link ou um código.`,
  },

  yes: {
    title: 'É verdade',
    heading: 'Sim, é verdade',
    /** The first part is emphasised. */
    texts: {
      message: (found: Found) =>
        ['Esta mensagem é verdadeira.', ` Foi enviada por ${by(found)}${inMonth(found.month)}.`] as const,
      link: (found: Found) =>
        [
          'Este link é verdadeiro.',
          ` Ele leva a uma página de ${by(found)}. Se a mensagem que trouxe o link pede outra coisa, confira também a mensagem.`,
        ] as const,
      pix: (found: Found) =>
        [
          'Este código Pix é verdadeiro.',
          ` Foi feito para ${by(found)}${inMonth(found.month)}. Antes de confirmar, veja no aplicativo do banco o valor e o nome de quem recebe.`,
        ] as const,
      sender: (found: Found) =>
        [
          'Este remetente é verdadeiro.',
          ` Quem escreve por ele é ${by(found)}. Mas golpistas conseguem imitar números e nomes de remetente: confira também a mensagem inteira, o link ou o código Pix.`,
        ] as const,
    } satisfies Record<ContentKind, (found: Found) => readonly [string, string]>,
  },

  test: {
    title: 'É só um teste',
    heading: 'É só um teste',
    text: [
      'Não pague.',
      ' Isto foi criado em um teste do sistema, que não cobra ninguém e não vale como cobrança. Se alguém mandou isto para você como se fosse uma conta, desconfie.',
    ],
  },

  no: {
    title: 'Não reconhecemos',
    heading: 'Não reconhecemos isto',
    text: [
      'Não foi enviado por aqui, ou mudou no caminho.',
      ' Pode ser um golpe. Também pode ser que falte um pedaço, que haja algo a mais, ou que a mensagem tenha mais de 180 dias.',
    ],
    whatToDo: 'O que fazer agora',
    steps: [
      'Não pague, não abra o link e não passe senhas, códigos nem fotos de documentos.',
      'Fale com a empresa por um canal que você já conhece: o telefone do contrato ou de uma conta antiga, a loja, o site que você mesmo digita. Não use o número nem o link da mensagem.',
      'Copie de novo, inteiro e sem mudar nada, e confira mais uma vez.',
    ],
    paid: 'Se você já pagou',
    afterPaying: [
      'Abra o aplicativo do seu banco agora, procure o Pix que você fez e toque em contestar: quanto antes, maior a chance de o dinheiro voltar (é o MED, o mecanismo de devolução do Pix).',
      'Registre um boletim de ocorrência na delegacia, ou na delegacia on-line do seu estado, e guarde as mensagens e o comprovante.',
      'Se a cobrança for de uma empresa que existe, reclame também no Procon da sua cidade ou em consumidor.gov.br.',
    ],
  },

  footer:
    'Esta página não diz se alguém deve, a quem, nem quanto. A resposta é a mesma para qualquer pessoa que colar a mesma coisa.',
} as const;
