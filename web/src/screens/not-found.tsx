import { COMMON } from '../texts/common.ts';
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
