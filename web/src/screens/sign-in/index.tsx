import { PageHeader } from '../../ui/page.tsx';

export default function Screen() {
  return <PageHeader title="sign-in" />;
}
