export const COMPANY_ADDRESS = {
  street: 'Rua Augusta',
  number: '100',
  district: 'Consolação',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01305000',
};

/** Runs a statement as the owner of the database. */
type RunAsOwner = (text: string, values: unknown[]) => Promise<unknown>;

/** Leaves a client as the operator's check of its company does: it may contact real people. */
export async function verifyCompany(run: RunAsOwner, clientId: string): Promise<void> {
  await run(
    `update clients set email_confirmed_at = quita_now(), cnpj = '11222333000181', address = $2 where id = $1`,
    [clientId, JSON.stringify(COMPANY_ADDRESS)],
  );
  // A change of the name or the CNPJ ends the check, so the check comes after it.
  await run('update clients set verified_at = quita_now(), verified_name = name, verified_cnpj = cnpj where id = $1', [
    clientId,
  ]);
}
