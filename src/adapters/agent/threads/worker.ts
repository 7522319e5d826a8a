import { parentPort } from 'node:worker_threads';
import { understandByRules } from '../rules/understand.ts';
import { takeConversation } from './handed-conversation.ts';
import type { Answer, Task } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');

/** One text is Latin-1 and one is not, because V8 compiles an expression separately for each of the two encodings. */
const SPECIMENS = [
  'Bom dia! Pago sexta, dia 20, e parem de me mandar mensagem por favor',
  'quem é? 👍 ok, já paguei hoje',
];
/** V8 compiles an expression to machine code at its second use. */
const USES = 3;

// The files are read and the expressions compiled before the first message, so that no message loses time to it.
for (let use = 0; use < USES; use += 1)
  for (const specimen of SPECIMENS)
    understandByRules(specimen, {
      debtId: '',
      debtorName: '',
      today: '2026-11-18',
      isBusinessDay: () => true,
      turns: [],
    });

const answer = (each: Answer): void => port.postMessage(each);

port.on('message', ({ message, conversation }: Task) => {
  try {
    answer({ kind: 'understood', understanding: understandByRules(message, takeConversation(conversation)) });
  } catch {
    // The exception may quote the message, so it is not passed on.
    answer({ kind: 'failed' });
  }
});
answer({ kind: 'ready' });
