import { RIGHTS_LINK } from '../../../kernel/texts/rights.ts';
import { type Html, html } from './html.ts';

/**
 * The way to a person's page of rights; nothing where the person has none. It may stand before anybody has said who they
 * are: the page shows the creditor alone until the last digits of the CPF are given, as the page with this link does.
 */
export const rightsLink = (pageId: string | null): Html | undefined =>
  pageId === null ? undefined : html`<p><a href="/direitos/${pageId}">${RIGHTS_LINK}</a></p>`;
