import Access from './access.tsx';
import { Passkeys } from './passkeys.tsx';

/** All by which the member gets in. */
export default function OwnAccess() {
  return (
    <>
      <Access />
      <Passkeys />
    </>
  );
}
