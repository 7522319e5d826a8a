import type { Account, ChangeAccountBody } from '../../api/client.ts';

type Address = NonNullable<ChangeAccountBody['address']>;

const ADDRESS = ['street', 'number', 'district', 'city', 'state', 'postalCode'] as const;

/**
 * The members that the form has changed. A member is sent only when it is another one, because a change of some of them
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
  const collectsFor = read('collectsFor') as Account['collectsFor'];
  const autoRefundExcess = read('autoRefundExcess') === 'on';
  const address = Object.fromEntries(ADDRESS.map((part) => [part, read(part)])) as unknown as Address;
  const isEmpty = ADDRESS.every((part) => address[part] === '');
  return {
    ...(name !== account.name && { name }),
    ...(cnpj !== (account.cnpj ?? '') && { cnpj: cnpj === '' ? null : cnpj }),
    ...(segment !== (account.segment ?? '') && { segment: segment === '' ? null : segment }),
    ...(contactEmail !== (account.contactEmail ?? '') && { contactEmail: contactEmail === '' ? null : contactEmail }),
    ...(ground !== '' && ground !== account.lawfulGround && { lawfulGround: ground }),
    ...(collectsFor !== account.collectsFor && { collectsFor }),
    ...(autoRefundExcess !== account.autoRefundExcess && { autoRefundExcess }),
    ...(ADDRESS.some((part) => address[part] !== (account.address?.[part] ?? '')) && {
      address: isEmpty ? null : address,
    }),
  };
}
