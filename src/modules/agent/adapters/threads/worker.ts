import { parentPort } from 'node:worker_threads';
import { automaticWords } from '../rules/automatic.ts';
import { understandByRules } from '../rules/understand.ts';
import { takeConversation } from './handed-conversation.ts';
import type { Answer, Result, Task } from './messages.ts';

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
  for (const specimen of SPECIMENS) {
    automaticWords(specimen);
    understandByRules(specimen, {
      debtId: '',
      debtorName: '',
      today: '2026-11-18',
      isBusinessDay: () => true,
      turns: [],
    });
  }

const answer = (each: Answer): void => port.postMessage(each);

const perform = (task: Task): Result =>
  task.kind === 'automatic_words'
    ? { kind: 'automatic_words', words: automaticWords(task.message) }
    : { kind: 'understood', understanding: understandByRules(task.message, takeConversation(task.conversation)) };

port.on('message', (task: Task) => {
  try {
    answer(perform(task));
  } catch {
    // The exception may quote the message, so it is not passed on.
    answer({ kind: 'failed' });
  }
});
answer({ kind: 'ready' });
