// Posts one mail from the standard input to Quita. A mail server calls it for each mail of the return domain:
//
//   node post-mail.mjs https://quita.example/api/messaging/email-events /etc/quita/messaging-webhook-secret RECIPIENT
//
// The secret stands in a file, because other users of the machine can read the arguments of a program. Any failure ends
// with 75 (EX_TEMPFAIL), after which the mail server keeps the mail and tries again.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const EX_TEMPFAIL = 75;
const MAX_BYTES = 1_400_000;
const MAX_ENCODED_LINES = 1_000;
const TIMEOUT_MS = 30_000;

/** Leaves out the rest of each long attachment, so that the words behind it are within the bound. */
function shorten(mail) {
  let encoded = 0;
  const lines = mail.split('\n').filter((line) => {
    encoded = line.length >= 60 && /^[A-Za-z0-9+/=\r]+$/.test(line) ? encoded + 1 : 0;
    return encoded <= MAX_ENCODED_LINES;
  });
  return lines.join('\n').slice(0, MAX_BYTES);
}

async function main() {
  const [url, secretFile, to] = process.argv.slice(2);
  if (url === undefined || secretFile === undefined || to === undefined) {
    throw new Error('the address, the file of the secret and the recipient are required');
  }
  // latin1 keeps every byte as one character.
  const mail = shorten(readFileSync(0, 'latin1'));
  const body = JSON.stringify({ type: 'inbound', to, raw: Buffer.from(mail, 'latin1').toString('base64') });
  const seconds = Math.floor(Date.now() / 1_000);
  const secret = readFileSync(secretFile, 'utf8').trim();
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', 'x-quita-signature': `t=${seconds},v1=${hex}` },
    body,
  });
  if (!answer.ok) throw new Error(`Quita answered ${answer.status}`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EX_TEMPFAIL;
});
