import { useState } from 'react';
import { formatCpf, maskCpf } from '../format.ts';
import { COMMON } from '../texts/common.ts';
import { Button } from './button.tsx';

/** A CPF that is shown only when it is asked for, because screens are seen by others. */
export function HiddenCpf({ cpf }: { readonly cpf: string }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      {shown ? formatCpf(cpf) : maskCpf(cpf)}{' '}
      <Button small kind="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? COMMON.hide : COMMON.show}
        <span className="visually-hidden">{` ${COMMON.cpf}`}</span>
      </Button>
    </>
  );
}
