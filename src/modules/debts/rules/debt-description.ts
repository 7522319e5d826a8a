import { nameProblems, plainOf } from '../../../kernel/name-guard.ts';
import { stripAccents } from '../../../kernel/portuguese-text.ts';

export const MAX_DESCRIPTION_LENGTH = 200;

/**
 * Words that say something of a person's health, which the law protects in particular (LGPD, art. 5, II and art. 11).
 * A phone may be read by somebody else. A plain `consulta` or `atendimento` says nothing of it; `consulta médica` does.
 */
const HEALTH =
  /\b(?:psi(?:co|qu|ca)\w*|terapi\w*|quimioterap\w*|radioterap\w*|fisioterap\w*|fonoaudio\w*|tratament\w*|cirurg\w*|biops\w*|exames?|laudos?|diagnostic\w*|doencas?|sindrome\w*|transtorno\w*|hiv|aids|cancer\w*|tumor\w*|oncolog\w*|ginecolog\w*|obstetr\w*|urolog\w*|proctolog\w*|cardiolog\w*|dermatolog\w*|endocrinolog\w*|neurolog\w*|nefrolog\w*|hematolog\w*|infectolog\w*|reumatolog\w*|pneumolog\w*|gastro\w*|ortoped\w*|geriatr\w*|pediatr\w*|odontolog\w*|dentari\w*|dental|dentes?|ortodon\w*|endodon\w*|periodon\w*|extracao|obturac\w*|clareamento|implantes?|proteses?|internac\w*|uti|partos?|cesarea\w*|cesariana\w*|pre-natal|gravid\w*|gestac\w*|gestante\w*|aborto\w*|fertiliza\w*|vasectomia|laqueadura|vacina\w*|hemodialis\w*|transfus\w*|ultrassom|ultrassonografia|ressonancia|tomografia|raios?[ -]x|mamografia|endoscopia|colonoscopia|hemograma|papanicolau|depress(?:ao|iv\w*)|ansiedade|autis\w*|tdah|diabet\w*|hipertens\w*|hepatite\w*|sifilis|dst|ist|covid\w*|epilep\w*|esquizofren\w*|bipolar|alcoolismo|dependencia quimica|dependente quimico|reabilitac\w*|medicament\w*|remedios?|nutricionista|obesidade|bariatric\w*|medic[oa]s?|oftalmolog\w*|otorrino\w*|mastolog\w*|angiolog\w*|anestes\w*|alerg\w*|asma|tuberculose|pneumonia|insulina|infertil\w*|fraturas?|infarto\w*|avc|alzheimer|parkinson|transplant\w*|dialise|marcapasso|saude mental|lipoaspirac\w*|aparelhos? auditiv\w*|deficiencia (?:fisica|auditiva|visual|intelectual)|cid[ -]?(?:10)?[ -]?[a-z]\d{2})\b/;

/**
 * What somebody threatens with who wants to be paid, and no product is called. Streets and supply chains are a `cadeia`
 * too, and unions and federations have a `delegacia`.
 */
const THREAT =
  /\b(?:pris(?:ao|oes)|(?<!\b(?:rua|travessa|largo|praca|beco|ladeira) da )cadeia(?! (?:d[aeo]s?|global|produtiva|logistica|alimentar|fria)\b)|penhoras?|arresto|estelionato|delegacia(?! (?:sindical|regional))|crime de|(?:leilao|bloqueio|apreensao) d[aeo]s? (?:seus?|suas?|teus?|tuas?))\b/;
/** Who sells a defence, a lesson or a book names these things as what was sold. */
const SERVICE =
  /\b(?:honorarios|advoca\w+|advogad[oa]s?|defesa|recurso|habeas corpus|cursos?|aulas?|livros?|apostilas?|ingressos?)\b/;

/**
 * What speaks to the reader as no name of a product does. The patterns of messages refuse more than that: a confession of
 * debt, a borrowed book, a closed account and the advance of a FGTS are things that people owe for.
 */
const SPEECH: readonly RegExp[] = [
  // It asks for secrets, or for money by another way.
  /\b(?:informe|envie|mande|digite|passe|forneca|diga|confirme|repasse|compartilhe|escreva|responda com) (?:(?:a|o|as|os|um|uma|sua|seu|suas|seus|me|nos|aqui|tambem|todos) ){0,3}(?:senhas?|cvv|codigos?|token|selfie|pix|dados (?:bancarios|pessoais|d[aeo])|numeros? d[aeo]|foto d[aeo])\b/,
  /\b(?:transfira|deposite|faca (?:um |o )?(?:pix|deposito|transferencia))\b/,
  // It asks to admit the debt, or does so in the name of the reader.
  /\b(?:confesse|admita|eu devo|(?:reconhec[ao]|assum[ao]) (?:(?:o|a|que|este|esta|esse|essa|seu|sua) ){0,2}(?:divida|debito|deve|devo|cobranca|responsabilidade)|(?:confirme|escreva|responda|declare|diga) que (?:\w+ )?deve)\b/,
  // It advises to borrow elsewhere.
  /\b(?:pegue|peca|tome|faca|use|busque|contrate|antecipe|adiante) (?:(?:um|uma|o|a|outro|outra|novo|nova|seu|sua|mais) ){0,2}(?:emprestimos?|consignado|credito|cheque especial|fgts|decimo terceiro|refinanciamento)\b/,
  // It claims that nothing is owed. What is paid in part is owed still.
  /\b(?:divida|debito)s? (?:(?:ja|esta|foi|ficou|fica|sera) ){0,2}(?:quitad|pag|zerad|extint|perdoad|liquidad|cancelad)[oa]s?\b(?! (?:em parte|parcialmente|a menor|em duplicidade|em atraso))/,
  /\b(?:cobranca|pendencia|conta|fatura|mensalidade|boleto)s? (?:(?:ja|esta|foi|ficou|fica|sera) ){1,2}(?:quitad|pag|zerad|perdoad)[oa]s?\b(?! (?:em parte|parcialmente|a menor|em duplicidade|em atraso))/,
  /\b(?:nao (?:ha|existe) (?:mais )?(?:divida|debito|pendencia)|nada a pagar|pagamento (?:(?:ja|foi|esta) ){1,2}(?:confirmado|recebido|aprovado|identificado))\b/,
  // It begins with a discount, and so names nothing that was sold: a monthly fee may have one.
  /^\W*(?:descontos? de (?:ate )?\d+ ?%|\d+ ?% (?:de desconto|off\b))/,
];

export type DescriptionProblem = 'health_data' | 'text_refused';

/** Returns why a debtor may not read this description of a debt, or null. It is checked like the names in a message. */
export function problemOfDescription(text: string): DescriptionProblem | null {
  if (HEALTH.test(stripAccents(text.normalize('NFKC')).toLowerCase())) return 'health_data';
  const plain = plainOf(text);
  const isSpeech = SPEECH.some((pattern) => pattern.test(plain)) || (THREAT.test(plain) && !SERVICE.test(plain));
  return isSpeech || nameProblems(text).length > 0 || /\{\{|\}\}/.test(text) ? 'text_refused' : null;
}
