import type { AppError, ErrorCode } from '../../../kernel/errors.ts';
import { html } from './html.ts';
import { publicPage } from './public-page.ts';

interface ErrorText {
  readonly heading: string;
  readonly text: string;
}

const BROKEN_LINK: ErrorText = {
  heading: 'Este link não está completo',
  text: 'Abra-o de novo pela mensagem ou pelo documento que trouxe você até aqui, tocando no link inteiro. Se ainda assim não abrir, responda à mensagem que você recebeu.',
};

const LATER: ErrorText = {
  heading: 'Esta página não abriu agora',
  text: 'O problema é nosso, e não do seu link. Tente de novo em alguns minutos.',
};

/** The words of the pages that a browser gets in place of a problem. Their layout is `src/platform/http/pages/error.ts`. */
const ERROR_TEXTS = {
  /** A page that exists for links, such as the page of a debt. */
  brokenLink: BROKEN_LINK,

  /** An address at which nothing exists, so that staff may have mistyped it too. */
  noSuchPage: {
    heading: 'Página não encontrada',
    text: 'Confira o endereço. Se você chegou aqui por um link, abra-o de novo pela mensagem que você recebeu, tocando nele inteiro.',
  },

  byCode: {
    origin_refused: {
      heading: 'O pedido não foi aceito',
      text: 'Volte para a página, atualize-a e toque no botão de novo.',
    },
    payload_too_large: {
      heading: 'O texto é longo demais',
      text: 'Volte para a página e escreva um texto mais curto.',
    },
    request_timeout: LATER,
    internal_error: LATER,
    unavailable: LATER,
  } satisfies Partial<Readonly<Record<ErrorCode, ErrorText>>> as Partial<Readonly<Record<ErrorCode, ErrorText>>>,

  console: 'Ir para o início',
  tooMany: (minutes: number): ErrorText => ({
    heading: 'Muitas tentativas seguidas',
    text: `Espere ${minutes <= 1 ? 'um minuto' : `${minutes} minutos`} e abra esta página de novo.`,
  }),
  support: (requestId: string) => `Código para o suporte: ${requestId}`,
} as const;

const textOf = (error: AppError, known: boolean): ErrorText =>
  error.code === 'rate_limited'
    ? ERROR_TEXTS.tooMany(Math.ceil((error.retryAfterSeconds ?? 60) / 60))
    : (ERROR_TEXTS.byCode[error.code] ?? (known ? ERROR_TEXTS.brokenLink : ERROR_TEXTS.noSuchPage));

export interface ErrorOnPage {
  readonly error: AppError;
  readonly requestId: string;
  /** Whether the address is one of a page. Otherwise nothing exists there, and the page links the console. */
  readonly known: boolean;
}

/**
 * The page in place of a problem, for people. It tells what to do and nothing of the cause, which only the problem
 * names. Support can look up a failure of the service by the id of the request; other errors need no support.
 */
export function errorPage({ error, requestId, known }: ErrorOnPage): string {
  const { heading, text } = textOf(error, known);
  return publicPage({
    title: heading,
    kind: 'account',
    body: html`<main>
<h1>${heading}</h1>
<p>${text}</p>
${known ? undefined : html`<p><a href="/">${ERROR_TEXTS.console}</a></p>`}
${error.status >= 500 ? html`<p class="small">${ERROR_TEXTS.support(requestId)}</p>` : undefined}
</main>`,
  });
}
