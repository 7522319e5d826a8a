import { nameProblems } from '../../../kernel/name-guard.ts';
import { stripAccents } from '../../../kernel/portuguese-text.ts';

export const MAX_DESCRIPTION_LENGTH = 200;

/**
 * Words that say something of a person's health, which the law protects in particular (LGPD, art. 5, II and art. 11).
 * A phone may be read by somebody else. A plain `consulta` or `atendimento` says nothing of it; `consulta médica` does.
 */
const HEALTH =
  /\b(?:psi(?:co|qu|ca)\w*|terapi\w*|quimioterap\w*|radioterap\w*|fisioterap\w*|fonoaudio\w*|tratament\w*|cirurg\w*|biops\w*|exames?|laudos?|diagnostic\w*|doencas?|sindrome\w*|transtorno\w*|hiv|aids|cancer\w*|tumor\w*|oncolog\w*|ginecolog\w*|obstetr\w*|urolog\w*|proctolog\w*|cardiolog\w*|dermatolog\w*|endocrinolog\w*|neurolog\w*|nefrolog\w*|hematolog\w*|infectolog\w*|reumatolog\w*|pneumolog\w*|gastro\w*|ortoped\w*|geriatr\w*|pediatr\w*|odontolog\w*|dentari\w*|dental|dentes?|ortodon\w*|endodon\w*|periodon\w*|extracao|obturac\w*|clareamento|implantes?|proteses?|internac\w*|uti|partos?|cesarea\w*|cesariana\w*|pre-natal|gravid\w*|gestac\w*|gestante\w*|aborto\w*|fertiliza\w*|vasectomia|laqueadura|vacina\w*|hemodialis\w*|transfus\w*|ultrassom|ultrassonografia|ressonancia|tomografia|raios?[ -]x|mamografia|endoscopia|colonoscopia|hemograma|papanicolau|depress(?:ao|iv\w*)|ansiedade|autis\w*|tdah|diabet\w*|hipertens\w*|hepatite\w*|sifilis|dst|ist|covid\w*|epilep\w*|esquizofren\w*|bipolar|alcoolismo|dependencia quimica|dependente quimico|reabilitac\w*|medicament\w*|remedios?|nutricionista|obesidade|bariatric\w*|medic[oa]s?|oftalmolog\w*|otorrino\w*|mastolog\w*|angiolog\w*|anestes\w*|alerg\w*|asma|tuberculose|pneumonia|insulina|infertil\w*|fraturas?|infarto\w*|avc|alzheimer|parkinson|transplant\w*|dialise|marcapasso|saude mental|lipoaspirac\w*|aparelhos? auditiv\w*|deficiencia (?:fisica|auditiva|visual|intelectual)|cid[ -]?(?:10)?[ -]?[a-z]\d{2})\b/;

export type DescriptionProblem = 'health_data' | 'text_refused';

/** Returns why a debtor may not read this description of a debt, or null. It is checked like the names in a message. */
export function problemOfDescription(text: string): DescriptionProblem | null {
  if (HEALTH.test(stripAccents(text.normalize('NFKC')).toLowerCase())) return 'health_data';
  return nameProblems(text).length > 0 || /\{\{|\}\}/.test(text) ? 'text_refused' : null;
}
