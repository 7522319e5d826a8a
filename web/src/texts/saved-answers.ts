import { formatCount } from '../format.ts';
import { INBOX } from './inbox.ts';
import { fieldText } from './problem-texts.ts';

/** The most characters of a saved answer, as the API counts them. */
export const MAX_SAVED_TEXT = 1_000;

const PROBLEM: Readonly<Record<string, string>> = {
  placeholder_unknown: 'Só {{nome}} e {{credor}} são preenchidos. Confira o que está entre chaves.',
  too_long: `O texto tem mais de ${formatCount(MAX_SAVED_TEXT)} caracteres.`,
  too_short: 'Escreva o texto.',
};

/** What the law forbids is refused here as it is in an answer. */
const LIKE_AN_ANSWER = ['threat', 'shame', 'third_party', 'disclosure', 'hidden_characters'];

export const SAVED_ANSWERS = {
  title: INBOX.savedAnswers,
  lead: 'Textos prontos que a equipe põe nas respostas do Atendimento e pode mudar antes de enviar.',
  add: 'Nova resposta',
  change: 'Mudar',
  changeTitle: 'Mudar a resposta',
  remove: 'Apagar',
  removeTitle: (name: string) => `Apagar “${name}”?`,
  removeText: 'Ela sai da lista de toda a equipe. As mensagens já enviadas ficam como estão.',
  actions: 'Ações',
  actionsOf: (name: string) => `Ações para ${name}`,
  emptyTitle: 'Nenhuma resposta salva',
  emptyText:
    'Salve aqui o que a equipe escreve todo dia: um agradecimento, onde está o código Pix, um pedido de documento.',
  emptyForReader: 'Quem tem o papel Responsável ou Gestão pode criar as primeiras.',
  name: 'Nome',
  nameHint: 'Por ele a equipe encontra a resposta.',
  text: 'Texto',
  textHint: 'Escreva {{nome}} onde entra o primeiro nome da pessoa, e {{credor}} onde entra o nome de quem cobra.',
  saved: 'Resposta salva.',
  removed: 'Resposta apagada.',
  problem: (code: string) => PROBLEM[code] ?? (LIKE_AN_ANSWER.includes(code) ? INBOX.problem(code) : fieldText(code)),

  search: 'Procurar',
  searchHint: 'Enter usa a primeira da lista; as setas escolhem outra.',
  found: (count: number) =>
    count === 0
      ? 'Nenhuma resposta com estas palavras.'
      : count === 1
        ? '1 resposta'
        : `${formatCount(count)} respostas`,
  inserted: 'Texto inserido. Confira antes de enviar.',
  saveWritten: 'Salvar o que escrevi',
  organize: 'Organizar as respostas',
} as const;
