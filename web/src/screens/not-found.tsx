import { COMMON } from '../texts/common.ts';
import { PROBLEM_TEXT } from '../texts/problem-texts.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page.tsx';

export default function NotFound() {
  return (
    <>
      <PageHeader title={COMMON.notFound}>{COMMON.notFoundText}</PageHeader>
      <ButtonLink to="/" kind="primary">
        {SHELL.home}
      </ButtonLink>
    </>
  );
}

/** A screen that the role of the member does not open, for example by an address that somebody sent. */
export const NotAllowed = () => (
  <>
    <PageHeader title={COMMON.notAllowed}>{PROBLEM_TEXT.role_insufficient}</PageHeader>
    <ButtonLink to="/" kind="primary">
      {SHELL.home}
    </ButtonLink>
  </>
);
