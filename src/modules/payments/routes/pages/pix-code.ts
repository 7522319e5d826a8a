import { qrSvg } from '../../../../kernel/texts/qr.ts';
import { Html, html } from '../../../../platform/http/pages/html.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';

/** The scripts of both pages import it by this address. */
export const PIX_SCRIPT_PATH = '/assets/pix.js';

const { unpaid: texts } = CHECKOUT_TEXTS;

/**
 * A Pix code with the steps of paying it. Most debtors open the page on the phone whose bank pays, and no phone reads a
 * QR code on its own screen, so the code to copy comes first and the QR code is folded below. The script shows the
 * button, which needs it, and unfolds the QR code on a computer.
 */
export const pixCode = async (code: string, suffix = ''): Promise<Html> => html`<div class="pix">
<button type="button" id="copy${suffix}" class="copy" hidden>${texts.copy}</button>
<p id="copied${suffix}" role="status" class="copied"></p>
<ol class="steps">
${texts.steps.map((step) => html`<li>${step}</li>`)}
</ol>
<label for="code${suffix}">${texts.code}</label>
<textarea id="code${suffix}" readonly rows="3" spellcheck="false">${code}</textarea>
<details class="fold"><summary>${texts.otherDevice}</summary>
<p class="small">${texts.otherDeviceHowTo}</p>
<div class="qr" role="img" aria-label="${texts.qrCode}">${new Html(await qrSvg(code))}</div>
</details>
</div>`;
