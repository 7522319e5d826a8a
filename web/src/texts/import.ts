import { formatCount, formatMoney } from '../format.ts';

const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'linha' : 'linhas'}`;
const debts = (count: number): string => `${formatCount(count)} ${count === 1 ? 'dívida' : 'dívidas'}`;

const editsText = (cells: number, out: number): string =>
  [
    ...(cells === 0 ? [] : [`${formatCount(cells)} ${cells === 1 ? 'valor corrigido' : 'valores corrigidos'} aqui`]),
    ...(out === 0 ? [] : [`${rows(out)} ${out === 1 ? 'deixada' : 'deixadas'} de fora`]),
  ].join(' e ');

export const IMPORT = {
  backToCampaign: 'Voltar à campanha',
  title: 'Importar planilha',
  steps: 'Etapas',
  stepNames: { file: 'Arquivo', columns: 'Colunas', check: 'Conferir', done: 'Importar' },
  stepDone: '(feita)',
  campaign: 'Campanha',
  closedTitle: 'Esta campanha já terminou',
  closedText: 'Uma campanha concluída ou arquivada não recebe mais dívidas. Crie outra para esta planilha.',
  toCampaigns: 'Ver campanhas',
  toCampaign: 'Ver a campanha',
  toRehearsal: 'Ensaiar o lançamento',

  fileHeading: 'Escolha a planilha',
  choose: 'Escolher arquivo',
  dropHere: 'ou arraste o arquivo para cá',
  limits: 'CSV ou Excel (.xlsx), até 32 MB e 50.000 linhas.',
  nothingYet: 'Escolher o arquivo ainda não importa nada: antes você confere as colunas e as linhas.',
  needsHeading: 'O que a planilha precisa ter',
  needsCaption: 'Colunas de que o Quita precisa',
  needsColumn: 'Coluna',
  needsExample: 'Exemplo',
  needs: [
    ['Nome de quem paga', 'Ana Souza Lima'],
    ['Telefone com DDD', '(11) 98765-0001'],
    ['CPF ou CNPJ', '529.982.247-25'],
    ['Valor', 'R$ 1.200,50'],
    ['Vencimento', '20/11/2026'],
  ],
  needsMore:
    'As colunas podem ter qualquer nome e ordem, e outras colunas não atrapalham. Número da fatura e e-mail são opcionais; sem eles, a fatura é reconhecida por CPF, valor e vencimento.',
  template: 'Baixar modelo (CSV)',
  templateName: 'modelo-quita.csv',
  templateColumns: ['Nome', 'Telefone', 'CPF', 'Valor', 'Vencimento', 'Fatura', 'E-mail'],
  refused: (name: string) => `O arquivo “${name}” não pode ser lido`,
  refusals: {
    too_large: 'Ele tem mais de 32 MB. Divida a planilha em partes, ou apague imagens e abas que não são necessárias.',
    empty: 'Ele está vazio.',
    old_excel:
      'É um Excel antigo (.xls) ou tem senha. No Excel: Arquivo → Salvar como → Pasta de Trabalho do Excel (.xlsx), sem senha.',
    pdf: 'É um PDF. Envie a planilha em que os dados estão, como .xlsx ou CSV.',
    html: 'É uma página da internet com nome de planilha, como alguns sistemas exportam. Abra no Excel e salve como .xlsx.',
    binary: 'Não é uma planilha que o Quita conheça. Salve como .xlsx ou como CSV em UTF-8.',
    unreadable:
      'O navegador não conseguiu ler o arquivo. Se ele está aberto em outro programa, feche e escolha de novo.',
    several: 'Envie um arquivo de cada vez.',
    unsupported_format: 'Não é uma planilha que o Quita conheça. Salve como .xlsx, sem senha, ou como CSV.',
    invalid_format: 'O arquivo está danificado. Abra-o na planilha, salve de novo como .xlsx e escolha outra vez.',
    too_long: 'A planilha passa dos limites: até 50.000 linhas, 200 colunas e 20 abas. Divida-a em partes.',
    too_short: 'Não há nenhuma linha abaixo dos títulos. Confira se a planilha foi salva com os dados.',
  },

  sending: (percent: number) => `Enviando o arquivo: ${percent} %`,
  reading: 'O Quita está lendo a planilha…',
  checking: 'O Quita está conferindo as linhas…',
  importing: 'O Quita está importando as linhas…',
  slow: 'Uma planilha grande leva alguns segundos. Pode sair desta tela: nada se perde.',
  slowImport: 'Uma planilha grande leva alguns segundos. Se você sair desta tela, a importação continua.',

  columnsHeading: 'Diga o que é cada coluna',
  fileFacts: (name: string, count: number) => `${name} · ${rows(count)}`,
  sheet: 'Aba da planilha',
  noRows: 'Nesta aba não há nenhuma linha abaixo de títulos. Escolha outra aba.',
  sheetAuto: 'Primeira aba com dados',
  columnsCaption: 'Colunas da planilha e o campo do Quita em que cada uma entra',
  yourColumn: 'Sua coluna',
  samples: 'Exemplos',
  field: 'Campo do Quita',
  fieldOf: (header: string) => `Campo do Quita para a coluna ${header}`,
  leaveOut: 'Não importar',
  groups: {
    required: 'Obrigatórios *',
    phone: 'Telefone: um destes *',
    taxId: 'CPF ou CNPJ: um destes *',
    optional: 'Opcionais',
  },
  looksLike: (field: string) => `${field} (parece ser este)`,
  columnLooksLike: (field: string) => `Pelos valores, parece ser: ${field}`,
  lacking: (field: string) => `Falta: ${field} *`,
  lackingHint: 'Escolha este campo na linha da coluna que o traz.',
  takeColumn: (header: string) => `Usar “${header}”`,
  heldBy: (field: string, header: string) => `${field} (hoje em “${header}”)`,
  moved: (field: string, from: string, to: string) =>
    `${field} vem agora de “${to}”. A coluna “${from}” não será importada.`,
  requiredHint: 'O que tem * é necessário. Onde diz “um destes”, um só campo basta. Cada campo vem de uma só coluna.',
  proposed: (headers: readonly string[]) =>
    headers.length === 1
      ? `O título “${headers[0]}” não diz o que a coluna é; o campo foi escolhido pelos valores dela. Confira.`
      : `Os títulos ${headers.map((header) => `“${header}”`).join(', ')} não dizem o que as colunas são; os campos foram escolhidos pelos valores delas. Confira.`,
  kept: (name: string) =>
    `Esta página foi aberta de novo, e o arquivo não fica guardado no navegador. Escolha outra vez “${name}”: as suas escolhas de colunas continuam.`,
  noSamples: '(vazia)',
  missing: (fields: readonly string[]) =>
    fields.length === 1
      ? `Falta dizer qual coluna é: ${fields[0]}.`
      : `Falta dizer quais colunas são: ${fields.join(', ')}.`,
  remembered: 'Usamos as suas escolhas da última planilha com estes títulos. Confira antes de seguir.',
  shortYears: 'Anos com dois dígitos são lidos como 20xx: 05/10/26 é 05/10/2026.',
  noHeader:
    'A primeira linha parece ter dados, e não títulos de colunas. Acrescente uma linha de títulos acima dela; senão essa linha não entra.',
  check: (count: number) => `Conferir ${rows(count)}`,
  back: 'Voltar',
  change: 'Trocar arquivo',

  checkHeading: 'Confira antes de importar',
  enter: 'Entram',
  known: 'Repetidas',
  wrong: 'Com erro',
  enterNote: (amount: number) => `somam ${formatMoney(amount)}`,
  knownNote: 'já estão no Quita ou se repetem na planilha',
  wrongNote: 'ficam de fora até serem corrigidas',
  wrongNone: 'nenhum problema',
  allGood: 'Todas as linhas estão certas.',
  nothingNew: (count: number) =>
    count === 1
      ? 'Nada mudou: a linha desta planilha já está no Quita.'
      : `Nada mudou: as ${formatCount(count)} linhas desta planilha já estão no Quita.`,
  nothingNewButWrong: (count: number) =>
    `Nada mudou: ${count === 1 ? 'a linha certa já está' : `as ${formatCount(count)} linhas certas já estão`} no Quita. Corrija as linhas com erro e troque o arquivo.`,
  noneGood: 'Nenhuma linha pode entrar. Corrija a planilha e troque o arquivo, ou volte e confira as colunas.',
  ignored: (count: number, shown: readonly number[]) =>
    `${rows(count)} ${count === 1 ? 'ignorada' : 'ignoradas'} (título ou total): ${shown.map(formatCount).join(', ')}${shown.length < count ? '…' : ''}.`,
  warned: 'Avisos',
  warnedNote: (count: number) =>
    count === 1
      ? '1 linha que entra pede a sua atenção: veja o aviso abaixo. Ela não é um erro.'
      : `${formatCount(count)} avisos sobre linhas que entram pedem a sua atenção: veja abaixo. Não são erros.`,
  warnedMore: (shown: number, count: number) =>
    `Aqui estão os primeiros ${formatCount(shown)} de ${formatCount(count)} avisos.`,
  editHint:
    'Corrija um valor na própria tabela, ou marque “Deixar de fora” para não importar a linha. O arquivo no seu computador não muda.',
  leaveOutRow: 'Deixar de fora',
  leaveOutRowOf: (row: number) => `Deixar de fora a linha ${row}`,
  cellOf: (row: number, column: string) => `${column}, linha ${row}`,
  fullEdits: 'Aqui cabem correções em até 1.000 linhas. Para mais, corrija a planilha e troque o arquivo.',
  stale: (cells: number, out: number) => `${editsText(cells, out)}. Confira de novo antes de importar.`,
  corrected: (cells: number, out: number) => `${editsText(cells, out)}. É assim que a planilha será importada.`,
  staleUndone: 'Há correções desfeitas. Confira de novo antes de importar.',
  undoCells: 'Desfazer as correções',
  takeRowsBack: 'Trazer de volta',
  checkAgain: 'Conferir de novo',
  checkedAgain: (imported: number, skipped: number) =>
    `Conferido de novo: ${rows(imported)} ${imported === 1 ? 'entra' : 'entram'}, ${formatCount(skipped)} não.`,
  warnedHeading: 'O que conferir',
  problemsHeading: 'O que corrigir',
  knownHeading: 'Linhas repetidas',
  problemsCaption: 'Problemas encontrados, pela linha da planilha',
  filter: 'Mostrar problemas de',
  all: 'Todos',
  wholeRow: 'Linha inteira',
  row: 'Linha',
  column: 'Coluna',
  value: 'Valor',
  problem: 'Problema',
  emptyValue: '(vazio)',
  page: (from: number, to: number, total: number) =>
    `${formatCount(from)} a ${formatCount(to)} de ${formatCount(total)}`,
  pageBefore: 'Anteriores',
  pageNext: 'Próximos',
  firstPage: 'Estes são os primeiros',
  lastPage: 'Estes são os últimos',
  downloadWrong: (count: number) => `Baixar as ${rows(count)} com erro (CSV)`,
  downloadLeft: (count: number) => `Baixar as ${rows(count)} que não entram (CSV)`,
  downloadOne: 'Baixar a linha com erro (CSV)',
  downloadOneLeft: 'Baixar a linha que não entra (CSV)',
  downloadHint:
    'Ou baixe as linhas com erro: cada uma vem com o motivo. Corrija nesse arquivo e importe-o aqui depois.',
  downloadName: 'linhas-com-erro.csv',
  downloaded: 'Arquivo com as linhas baixado.',
  import: (count: number) => (count === 1 ? 'Importar a linha certa' : `Importar as ${rows(count)}`),
  nothingToImport: 'Nenhuma linha para importar',
  runningNote:
    'Esta campanha está em andamento: as dívidas que entram agora passam a ser contatadas conforme as regras, sem outro lançamento.',
  remarksTitle: 'Importar também o que tem aviso de não cobrar?',
  remarksConfirm: (count: number) =>
    `${rows(count)} ${count === 1 ? 'traz uma anotação' : 'trazem anotações'} como “não cobrar” ou “falecido”. Se for isso, volte, abra “Avisos” e marque “Deixar de fora”: a pessoa seria contatada.`,
  runningTitle: 'Importar em uma campanha em andamento?',
  runningConfirm: (count: number, amount: number) =>
    `${debts(count)}, ${formatMoney(amount)}: estas pessoas reais passam a ser contatadas conforme as regras, sem outro lançamento. Não pode ser desfeito.`,
  runningTest: 'Esta campanha é um teste em andamento: as dívidas novas entram no simulador.',

  doneHeading: 'Planilha importada',
  unchangedHeading: 'Nada mudou',
  imported: (count: number, amount: number) =>
    `${debts(count)} ${count === 1 ? 'entrou' : 'entraram'}, no valor de ${formatMoney(amount)}.`,
  doneKnown: (count: number) =>
    count === 1
      ? '1 linha já existia e não entrou de novo.'
      : `${formatCount(count)} linhas já existiam e não entraram de novo.`,
  doneWrong: (count: number) =>
    count === 1 ? '1 linha com erro ficou de fora.' : `${formatCount(count)} linhas com erro ficaram de fora.`,
  doneLeftOut: (count: number) =>
    count === 1
      ? '1 linha não entrou porque você a deixou de fora.'
      : `${formatCount(count)} linhas não entraram porque você as deixou de fora.`,
  doneIgnored: (count: number) =>
    `${rows(count)} de título ou total ${count === 1 ? 'foi ignorada' : 'foram ignoradas'}.`,
  draftNext:
    'Nenhuma mensagem foi enviada. O próximo passo é o ensaio: você vê quem será contatado, quando e com que texto.',
  runningNext: 'As dívidas novas já fazem parte da campanha em andamento.',
  pausedNext: 'A campanha está pausada: as dívidas novas esperam até ela ser retomada.',
  another: 'Importar outra planilha',
} as const;
