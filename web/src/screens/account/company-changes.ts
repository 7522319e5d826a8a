import type { Account, ChangeAccountBody } from '../../api/client.ts';

type Address = NonNullable<ChangeAccountBody['address']>;

const ADDRESS = ['street', 'number', 'district', 'city', 'state', 'postalCode'] as const;

/**
 * The members that the form has changed. The name and the CNPJ are sent only when they are other ones, because a change
 * ends the operator's verification.
 */
export function changesOf(account: Account, read: (name: string) => string): ChangeAccountBody {
  const name = read('name');
  const cnpj = read('cnpj')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
  const segment = read('segment') as NonNullable<ChangeAccountBody['segment']> | '';
  const contactEmail = read('contactEmail');
  const ground = read('lawfulGround') as NonNullable<ChangeAccountBody['lawfulGround']> | '';
  const address = Object.fromEntries(ADDRESS.map((part) => [part, read(part)])) as unknown as Address;
  const isEmpty = ADDRESS.every((part) => address[part] === '');
  return {
    ...(name !== account.name && { name }),
    ...(cnpj !== (account.cnpj ?? '') && { cnpj: cnpj === '' ? null : cnpj }),
    ...(segment !== (account.segment ?? '') && { segment: segment === '' ? null : segment }),
    ...(contactEmail !== (account.contactEmail ?? '') && { contactEmail: contactEmail === '' ? null : contactEmail }),
    ...(ground !== '' && ground !== account.lawfulGround && { lawfulGround: ground }),
    ...(ADDRESS.some((part) => address[part] !== (account.address?.[part] ?? '')) && {
      address: isEmpty ? null : address,
    }),
  };
}
