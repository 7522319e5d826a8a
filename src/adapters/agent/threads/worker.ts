import { parentPort } from 'node:worker_threads';
import { understandByRules } from '../rules/understand.ts';
import { takeConversation } from './handed-conversation.ts';
import type { Answer, Task } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');

/** With what stands outside Latin-1 too: an expression is compiled for each of the two ways in which a text is kept. */
const SPECIMENS = [
  'Bom dia! Pago sexta, dia 20, e parem de me mandar mensagem por favor',
  'quem é? 👍 ok, já paguei hoje',
];
/** An expression is compiled for good at its second use. */
const USES = 3;

// Read and compiled before the first message comes, so that no message's time is spent on it.
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
    // What went wrong may quote the message, and goes nowhere.
    answer({ kind: 'failed' });
  }
});
answer({ kind: 'ready' });
