import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { howToReach } from '../../../payments/texts/privacy.ts';
import { MAX_ASKED, type Refusal } from '../../rules/rights-request.ts';
import { preferenceInWords } from '../../texts/preference.ts';
import { CHANNEL_NAMES, RIGHTS_TEXTS } from '../../texts/rights-page.ts';
import type { HeldData } from '../../use-cases/read-rights.ts';
import { notMineForm } from './front.ts';
import { contactList, dayOf, firstInList, heldData, listingList, moneyList, scores } from './held.ts';

const { asks, requests, help, score } = RIGHTS_TEXTS;

export interface RightsNotice {
  readonly protocol?: string | undefined;
  readonly refusal?: Refusal | undefined;
}

/** The page of a person after the digits. It needs no script; each form carries the proof. */
export function rightsPage(held: HeldData, proof: string, { protocol, refusal }: RightsNotice): string {
  const { creditor, token } = held;
  return publicPage({
    title: RIGHTS_TEXTS.title(creditor.name),
    kind: 'rights',
    body: html`${held.sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<main>
<h1>${RIGHTS_TEXTS.heading}</h1>
${protocol === undefined ? undefined : html`<p class="notice" role="status">${RIGHTS_TEXTS.done(protocol)}</p>`}
${refusal === undefined ? undefined : html`<p class="notice" role="alert">${RIGHTS_TEXTS.refused[refusal]}</p>`}
<p>${RIGHTS_TEXTS.hello(held.name.split(' ')[0] ?? '')} ${RIGHTS_TEXTS.about(creditor.name)}</p>
<p><a href="/pay/${token}">${RIGHTS_TEXTS.backToPay}</a></p>
${ownRequests(held)}
${heldData(held)}
${scores(held)}
${contactList(held)}
${listingList(held)}
${moneyList(held)}
<h2>${asks.heading}</h2>
<p>${asks.text}</p>
${correction(token, proof)}
${dispute(held, proof)}
${review(token, proof)}
${copy(token, proof)}
${preference(held, proof)}
${silence(held, proof)}
<section aria-labelledby="nao-meu"><h3 id="nao-meu">${asks.notMine.heading}</h3><p>${asks.notMine.text}</p>
${notMineForm(token, asks.notMine.button)}</section>
<section aria-labelledby="ajuda"><h2 id="ajuda">${help.heading}</h2><p>${help.text(howToReach(creditor))}</p><p>${help.authorities}</p></section>
</main>`,
  });
}

const form = (token: string, proof: string, action: string, fields: Html, encoding?: string): Html =>
  html`<form method="post" action="/direitos/${token}/${action}"${encoding === undefined ? undefined : html` enctype="${encoding}"`}>
<input type="hidden" name="v" value="${proof}">
${fields}
</form>`;

const section = (id: string, heading: string, text: string, content: Html): Html =>
  html`<section aria-labelledby="${id}"><h3 id="${id}">${heading}</h3><p>${text}</p>${content}</section>`;

const words = (id: string, label: string, isRequired: boolean): Html =>
  html`<label for="${id}">${label}</label>
<textarea id="${id}" name="texto" class="prose" rows="4" maxlength="${MAX_ASKED}"${isRequired ? html` required` : undefined}></textarea>`;

const correction = (token: string, proof: string): Html => {
  const { heading, text, label, button } = asks.correction;
  const fields = html`${words('correcao', label, true)}<button type="submit">${button}</button>`;
  return section('corrigir', heading, text, form(token, proof, 'correcao', fields));
};

function dispute({ token, debts }: HeldData, proof: string): Html {
  const { heading, text, label, debt, all, file, button } = asks.dispute;
  const which =
    debts.length < 2
      ? undefined
      : html`<label for="conta">${debt}</label><select id="conta" name="conta"><option value="">${all}</option>
${debts.map(({ id, invoiceId, dueDate }) => html`<option value="${id}">${RIGHTS_TEXTS.data.debt(invoiceId)}, ${dueDate.slice(8)}/${dueDate.slice(5, 7)}/${dueDate.slice(0, 4)}</option>`)}</select>`;
  const fields = html`${which}${words('contestacao', label, true)}
<label for="arquivo">${file}</label><input id="arquivo" name="arquivo" type="file" accept="application/pdf,image/jpeg,image/png">
<button type="submit">${button}</button>`;
  return section('contestar', heading, text, form(token, proof, 'contestacao', fields, 'multipart/form-data'));
}

const review = (token: string, proof: string): Html => {
  const fields = html`${words('revisao', score.ask, false)}<button type="submit">${score.askButton}</button>`;
  return section('conferir', score.ask, score.askText, form(token, proof, 'revisao', fields));
};

const copy = (token: string, proof: string): Html => {
  const to = (format: string) => `/direitos/${token}?v=${proof}&format=${format}`;
  const links = html`<p><a class="button plain" href="${to('pdf')}">${asks.copy.pdf}</a></p>
<p><a class="button plain" href="${to('json')}">${asks.copy.json}</a></p>`;
  return section('copiar', asks.copy.heading, asks.copy.text, links);
};

const HOURS = Array.from({ length: 12 }, (_, index) => index + 8);
/** No law lets anybody write on a Sunday, but a person may say so too. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];

function hourField(id: string, name: string, label: string, chosen: number): Html {
  const options = HOURS.map((hour) => {
    const value = `${String(hour).padStart(2, '0')}:00`;
    return html`<option value="${value}"${hour === chosen ? html` selected` : undefined}>${hour}h</option>`;
  });
  return html`<label for="${id}">${label}</label><select id="${id}" name="${name}">${options}</select>`;
}

function preference({ token, preference: now, channels }: HeldData, proof: string): Html {
  const texts = asks.preference;
  const days = now?.weekdays ?? [1, 2, 3, 4, 5];
  const fields = html`${hourField('de', 'de', texts.from, Number(now?.hours?.from.slice(0, 2) ?? 9))}
${hourField('ate', 'ate', texts.to, Number(now?.hours?.to.slice(0, 2) ?? 19))}
<fieldset><legend>${texts.days}</legend>
${DAYS.map((day) => html`<label class="check"><input type="checkbox" name="dia" value="${day}"${days.includes(day) ? html` checked` : undefined}> ${texts.weekdays[day]!}</label>`)}
</fieldset>
${
  channels.length < 2
    ? undefined
    : html`<label for="meio">${texts.channel}</label><select id="meio" name="meio"><option value="">${texts.anyChannel}</option>
${channels.map((channel) => html`<option value="${channel}"${now?.channel === channel ? html` selected` : undefined}>${CHANNEL_NAMES[channel]}</option>`)}</select>`
}
<button type="submit">${texts.button}</button>`;
  const clear =
    now === null
      ? undefined
      : form(
          token,
          proof,
          'preferencia',
          html`<input type="hidden" name="apagar" value="sim"><button type="submit" class="plain">${texts.clear}</button>`,
        );
  const is = now === null ? undefined : html`<p>${texts.now(preferenceInWords(now))}</p>`;
  return section('horas', texts.heading, texts.text, html`${is}${form(token, proof, 'preferencia', fields)}${clear}`);
}

function silence({ token, silenced }: HeldData, proof: string): Html {
  const { heading, text, button, done } = asks.silence;
  const fields = html`<button type="submit" class="plain">${button}</button>`;
  return section('silencio', heading, text, silenced ? html`<p>${done}</p>` : form(token, proof, 'silencio', fields));
}

/** What the person asked for, with the answers. */
function ownRequests(held: HeldData): Html {
  const item = (one: HeldData['requests'][number]): Html => {
    const { kind, protocol, createdAt, dueAt, answeredAt, outcome, answer, changed, text } = one;
    const answered = answeredAt === null || outcome === null ? undefined : requests[outcome](dayOf(answeredAt, held));
    const fields = changed.map((name) => requests.fields[name] ?? name).join(', ');
    return html`<li><h3>${requests.kinds[kind]}</h3>
<p>${requests.asked(dayOf(createdAt, held), protocol)}</p>
${text === '' ? undefined : html`<p class="said">${text}</p>`}
${
  dueAt === null
    ? html`<p>${requests.doneAtOnce}</p>`
    : answered === undefined
      ? html`<p class="notice">${requests.waits(dayOf(dueAt, held))}</p>`
      : html`<p>${answered}</p>${answer === null ? undefined : html`<p class="said notice">${answer}</p>`}${fields === '' ? undefined : html`<p>${requests.changed(fields)}</p>`}`
}</li>`;
  };
  return html`<section aria-labelledby="pedidos"><h2 id="pedidos">${requests.heading}</h2>
${held.requests.length === 0 ? html`<p>${requests.none}</p>` : firstInList(held.requests, item)}</section>`;
}
