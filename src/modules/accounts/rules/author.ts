/** Who did something at the client. */
export interface Author {
  readonly id: string;
  readonly name: string;
}

/** What an answer says of the member who acted: nothing where an API key or the service itself did. */
export const byMember = (id: string | null, name: string | null): { readonly by?: Author } =>
  id === null || name === null ? {} : { by: { id, name } };
