import { verifyPack } from './verify-pack.js';

const input = document.getElementById('pack');
const message = document.getElementById('message');
const details = document.getElementById('details');

const PROBLEMS = {
  not_a_pack: () => 'O arquivo não é um pacote de provas, ou está danificado.',
  unknown_key: () => 'Foi assinado com uma chave que não é deste serviço.',
  key_not_in_force: () => 'A chave que o assinou não valia naquela data.',
  signature_wrong: () => 'A assinatura não corresponde ao que foi assinado.',
  file_missing: (name) => `Falta o arquivo ${name}.`,
  file_changed: (name) => `O arquivo ${name} foi mudado depois da assinatura.`,
  file_added: (name) => `O arquivo ${name} foi acrescentado depois da assinatura.`,
  line_unreadable: (line) => `O registro ${line} da linha do tempo não pode ser lido.`,
  line_out_of_order: (line) => `O registro ${line} não segue o anterior: algo foi tirado, posto ou trocado de lugar.`,
  line_changed: (line) => `O momento, o tipo ou o lugar do registro ${line} foi mudado.`,
  content_changed: (line) => `O conteúdo do registro ${line} foi mudado.`,
  content_missing: (line) => `Falta o conteúdo do registro ${line}, e nenhum dever de apagar explica isso.`,
  dated_back: (line) => `O registro ${line} tem data anterior à do registro que vem antes dele.`,
  tail_missing: (line) =>
    `A linha do tempo não termina no registro ${line}, como foi assinado: o fim foi cortado ou mudado.`,
};

const DUTIES = {
  erasure: 'a pedido da pessoa (LGPD, art. 18, VI)',
  retention: 'pelo fim do prazo de guarda (LGPD, arts. 15 e 16)',
};

/** Problems beyond these say nothing new. */
const MOST = 20;

const say = (text, kind, lines = []) => {
  message.textContent = text;
  message.className = kind;
  details.replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
};

const dayOf = (moment) => new Date(moment).toLocaleString('pt-BR');

const tellWhole = ({ creditor, createdAt, sandbox, debtId, head, erased }) =>
  say('As provas são autênticas: saíram deste serviço e nada foi mudado desde a assinatura.', 'done', [
    ...(sandbox ? ['São de um teste, sem valor.'] : []),
    `Credor: ${creditor.name}.`,
    `Assinadas em ${dayOf(createdAt)}.`,
    `Dívida ${debtId}, com ${head.seq} registros na linha do tempo. O último tem o código ${head.hash}.`,
    ...erased.map(
      ({ duty, at, seqs }) =>
        `Em ${dayOf(at)} foi apagado o conteúdo de ${seqs.length} registros, ${DUTIES[duty] ?? duty}.`,
    ),
  ]);

const tellProblems = (problems) => {
  const lines = problems.slice(0, MOST).map(({ code, where }) => PROBLEMS[code](where));
  if (problems.length > MOST) lines.push(`E mais ${problems.length - MOST}.`);
  say('Não confie neste arquivo: ele não passou na conferência.', 'error', lines);
};

let last = 0;

const check = async (file) => {
  last += 1;
  const own = last;
  say('Conferindo…', '');
  try {
    const answer = await fetch('/.well-known/quita-evidence.json');
    if (!answer.ok) throw new Error('no keys');
    const { keys } = await answer.json();
    const { manifest, problems } = await verifyPack(new Uint8Array(await file.arrayBuffer()), keys);
    // Another file was chosen meanwhile.
    if (own !== last) return;
    if (problems.length === 0) tellWhole(manifest);
    else tellProblems(problems);
  } catch {
    if (own !== last) return;
    const text =
      'Não foi possível conferir agora. Verifique a conexão e tente de novo; se continuar, use um navegador mais recente.';
    say(text, 'error');
  }
};

input.addEventListener('change', () => {
  if (input.files.length === 1) check(input.files[0]);
});
