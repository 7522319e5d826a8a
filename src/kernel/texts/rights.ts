/** The words of the way to a person's page of rights. Every page that a debtor sees leads there. */
export const RIGHTS_LINK = 'Ver os seus dados e os seus direitos';
